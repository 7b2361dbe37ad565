//! Kconfig, properties, Solidity and Terraform.

use super::check;

#[test]
fn kconfig_words() {
    check(
        "webConfig.index.js",
        concat!(
            "config FOO\n",
            "\tbool \"a \"\"quoted\"\" text\"\n",
            "\tdepends on BAR\n",
            "\thelp\n",
            "\t  int in help\n",
            "\n",
            "\t  string too\n",
            "int\n"
        ),
        "kconfig",
        &["bool", "int"],
    );
}

#[test]
fn properties_keys() {
    check(
        "a.properties",
        concat!(
            "# comment\n",
            "! other\n",
            "plain.key = value \\\n",
            "  goes on\n",
            "  spaced key\n",
            "colon: a=b\n",
            "esc\\ aped\\=key=1\n",
            "empty\n",
            "\n",
            "long\\\n",
            "   key=x\n"
        ),
        "properties",
        &["plain.key", "spaced", "colon", "esc", "aped", "key", "empty", "long", "key"],
    );
}

#[test]
fn solidity_declarations() {
    check(
        "a.sol",
        concat!(
            "pragma solidity ^0.8.0;\n",
            "contract Token is Base {\n",
            "  uint256 public total = 0x1F;\n",
            "  mapping(address => uint) map;\n",
            "  function f(address to, bytes32) external returns (bool ok) { msg.sender; keccak256(\"a \\\" b\"); }\n",
            "  event Moved(address indexed a);\n",
            "}\n"
        ),
        "solidity",
        &["Token", "total", "f", "to", "ok", "keccak256", "Moved", "indexed"],
    );
    check(
        "a.sol",
        concat!(
            "// continued \\\n",
            "uint hidden;\n",
            "uint private;\n",
            "uint7 no; int8 yes; /* open\n",
            "int after;\n"
        ),
        "solidity",
        &["private", "yes"],
    );
}

#[test]
fn terraform_blocks() {
    check(
        "a.tf",
        concat!(
            "variable \"size\" {\n",
            "  type = list(string)\n",
            "  default = [a, b_c]\n",
            "}\n",
            "resource \"aws_x\" \"main\" {\n",
            "  count = length(var.list[0]) # c\n",
            "  on = true\n",
            "  tags = {\n",
            "    \"Name\" : \"text\"\n",
            "  }\n",
            "}\n"
        ),
        "terraform",
        &[
            "\"size\"",
            "type",
            "list",
            "default",
            "a, b_c",
            "\"aws_x\"",
            "\"main\"",
            "count",
            "length",
            "var.list[0",
            "on",
            "true",
            "tags",
        ],
    );
    check(
        "a.tf",
        concat!(
            "locals {\n",
            "  doc = <<-EOT\n",
            "    hidden = 1\n",
            "    EOT\n",
            "  open = <<NEVER\n",
            "  shown = 5.5 + foo_abs(x)\n",
            "}\n",
            "/* a /* b */ c */ metadata \"x\" {\n"
        ),
        "terraform",
        &["locals", "doc", "open", "shown", "5.5", "abs", "\"x\""],
    );
}
