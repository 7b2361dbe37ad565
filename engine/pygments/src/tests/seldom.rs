//! Cases for the languages that seldom define without referring. The expected
//! names are those of Pygments 2.19.2 on CPython 3.11.

use super::check;

#[test]
fn arduino_words_and_pieces() {
    check(
        "a.ino",
        concat!(
            "#include <Servo.h>\n",
            "Servo motor;\n",
            "const byte pin = LED_BUILTIN;\n",
            "void setup() { pinMode(pin, OUTPUT); }\n"
        ),
        "arduino",
        &["Servo", "motor", "pin", "setup", "pinMode", "pin"],
    );
    check(
        "a.ino",
        concat!(
            "template <typename T> T twice(T x) { return using_it(x); }\n",
            "String s = \"print\";\n",
            "auto r = R\"end(x)end\";\n",
            "char *t = \"\\x41loop\";\n"
        ),
        "arduino",
        &[
            "template", "typename", "T", "T", "twice", "T", "x", "using_it", "x", "s", "print",
            "r", "end", "t", "loop",
        ],
    );
}

#[test]
fn d_strings_and_numbers() {
    check(
        "a.d",
        concat!(
            "module one.two;\n",
            "@safe int f(string s) { return r\"raw\\\" ~ `b` ~ x\"0a 0b\" ~ \"c\\\"d\"d; }\n",
            "auto q = q\"[a [nested] b]\" ~ q\"END\n",
            "one line\n",
            "END\" ~ q\"/no names/\";\n"
        ),
        "d",
        &["one", "two", "@safe", "f", "string", "s", "q"],
    );
    check(
        "a.d",
        concat!(
            "int _e1 = _e2x; auto n = 0x1.8p3f + 1..2 + 1Lu + _.max;\n",
            "/+ out /+ in +/ still +/ enum tokens = q{ shown };\n",
            "#line 7 \"hidden\"\n",
            "/* open\n",
            "int after;\n"
        ),
        "d",
        &["x", "n", "u", "max", "tokens", "shown", "open", "after"],
    );
}

#[test]
fn dart_typedefs_and_strings() {
    check(
        "a.dart",
        concat!(
            "import 'dart:io' show File;\n",
            "typedef Callback = void Function(int code, {String name});\n",
            "@deprecated\n",
            "class Foo<T> extends Bar { Foo(this.a): super(a: 1); }\n"
        ),
        "dart",
        &["File", "Callback", "code", "name", "@deprecated", "Foo", "T", "Bar", "Foo", "a", "a:"],
    );
    check(
        "a.dart",
        concat!(
            "var s = 'it $name and ${a + \"$b\"} \\u{41} $$c';\n",
            "var m = '''multi\n",
            "$line''' r'raw $no';\n",
            "var bad = 'open\n",
            "var after = 0x1F + 1.5e3;\n"
        ),
        "dart",
        &["s", "name", "a", "b", "m", "line", "bad", "after"],
    );
}

#[test]
fn elm_modules_and_operators() {
    check(
        "A.elm",
        concat!(
            "module Main.Sub exposing (..)\n",
            "import Html as H\n",
            "{- out {- in -} -}\n",
            "view model = (+) 1.5 <| model.x |> toString -- c\n",
            "type alias T = Int\n"
        ),
        "elm",
        &[
            "Main.Sub", "exposing", "(..)", "Html", "view", "model", "=", "(+)", "<|", "model",
            ".", "x", "|>", "toString", "=",
        ],
    );
    check(
        "A.elm",
        concat!(
            "s = \"a \\\" b\" ++ 'c'\n",
            "shader = [glsl| void main\n",
            "  more\n",
            "|]\n",
            "_1x = main\n",
            "main = x\n"
        ),
        "elm",
        &[
            "s",
            "=",
            "++",
            "'",
            "c'",
            "shader",
            "=",
            "[glsl| void main",
            "  more",
            "|]",
            "x",
            "=",
            "main",
            "=",
            "x",
        ],
    );
}

#[test]
fn gleam_words_and_dots() {
    check(
        "a.gleam",
        concat!(
            "import gleam/io\n",
            "/// doc\n",
            "pub fn main(name: String) -> Int {\n",
            "  let total = 1_000 + 0x1F\n",
            "  list.map(total, fn(x) { x +. 1.5e3 })\n",
            "}\n"
        ),
        "gleam",
        &["gleam", "io", "main", "name", "String", "Int", "total", "map", "total", "x", "x"],
    );
    check(
        "a.gleam",
        concat!(
            "const text = \"a \\\" b\"\n",
            "const open = \"never \\\" closed\n",
            "type Kind { One(Int) Two }\n"
        ),
        "gleam",
        &["text", "open", "closed", "Kind", "One", "Int", "Two"],
    );
}

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
fn matlab_functions() {
    check(
        "a.m",
        concat!(
            "function [a, b] = both(x)\n",
            "a = x.end + 1.5e3; b = 'it';\n",
            "end\n",
            "function y=one(x) % c\n",
            "y = [1 2]'; 'open\n",
            "z = x;\n"
        ),
        "matlab",
        &["[a, b] = both", "a", "x", "end", "b", "one", "y", "z", "x"],
    );
    check(
        "a.m",
        concat!(
            "% a class\n",
            "classdef A < matlab.unittest.TestCase\n",
            "  properties (Access = private, Hidden)\n",
            "    x\n",
            "    y = 2\n",
            "  end\n",
            "end\n",
            "%{\n",
            "hidden\n",
            "%}\n",
            "hold on\n",
            "unknown words here = z\n",
            "w = x ...\n",
            " no\n"
        ),
        "matlab",
        &[
            "A",
            "matlab.unittest.TestCase",
            "Access",
            "x",
            "y",
            "hold",
            "on",
            "unknown",
            "z",
            "w",
            "x",
            "no",
        ],
    );
    check(
        "a.m",
        concat!("function\n", "name\n", "x = \"a\"\"b\";\n", "!rm file\n"),
        "matlab",
        &["name", "x"],
    );
}

#[test]
fn matlab_or_objective_c() {
    check("a.m", "x = [left right];\n", "objective-c", &["x", "left", "right"]);
    check("a.m", "int y;\n", "objective-c", &["y"]);
    check("a.m", concat!("% c\n", "x = y;\n"), "matlab", &["x", "y"]);
    check("a.m", concat!("% c\n", "x = [a b];\n"), "objective-c", &["c", "x", "a", "b"]);
    check("a.m", concat!("\n", "function f\n"), "objective-c", &["function", "f"]);
    check("a.m", "x = 1; % c\n", "objective-c", &["x", "c"]);
    check("a.m", concat!("!ls\n", "x = @y;\n"), "matlab", &["x", "y"]);
    check("a.m", concat!("%{ function\n", "%}\n", " f = @1;\n"), "objective-c", &["function", "f"]);
}

#[test]
fn pony_names() {
    check(
        "a.pony",
        concat!(
            "use \"lib\"\n",
            "actor Main is Run\n",
            "  let _env: Env = recover 1.5e3 end\n",
            "  new create(env: Env) =>\n",
            "    /* a /* b */ c */ env.out.print(\"a \\\" b\")\n",
            "  fun ref refresh(): U8 => x' + 'c'\n"
        ),
        "pony",
        &[
            "Main", "Run", "_", "env", "Env", "create", "env", "Env", "env", "out", "print",
            "refresh", "U8", "x'",
        ],
    );
    check(
        "a.pony",
        concat!("type\n", "  5 Late\n", "primitive\n", "5\n", "  Later\n"),
        "pony",
        &["Late", "Later"],
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
