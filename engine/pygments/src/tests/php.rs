//! PHP.

use super::check;

#[test]
fn php_declarations() {
    check(
        "a.php",
        concat!(
            "<p>not scanned</p>\n",
            "<?php\n",
            "namespace Foo\\Bar;\n",
            "use Some\\Thing as Other;\n",
            "#[Route(\"/x\", methods: [\"GET\"])]\n",
            "final class Page extends Base implements \\Countable {\n",
            "    const A = self::B; private ?int $n = 1_000;\n",
            "    public function __construct(private array &$x, ...$rest) { parent::__construct(); }\n",
            "    function &list_all(): ?string { return $this->n?->m::class; } // function no()\n",
            "}\n",
            "$f = function ($x) use ($y) { return fn($z) => $x <=> ${'a'.$z}; }; # comment\n",
            "echo __LINE__, E_ALL, null, strlen($$b); ?>\n",
            "<b>$c</b>\n",
        ),
        "xml+php",
        &[
            "<p",
            ">",
            "</p>",
            "Foo\\Bar",
            "Some\\Thing",
            "Other",
            "Route",
            "methods",
            "Page",
            "Base",
            "\\Countable",
            "A",
            "self",
            "B",
            "int",
            "$n",
            "_000",
            "__construct",
            "$x",
            "$rest",
            "parent",
            "__construct",
            "function",
            "list_all",
            "string",
            "return",
            "$this",
            "n",
            "m",
            "class",
            "$f",
            "function",
            "$x",
            "use",
            "$y",
            "return",
            "fn",
            "$z",
            "$x",
            "${",
            "$z",
            "}",
            "echo",
            "__LINE__",
            "E_ALL",
            "null",
            "strlen",
            "$$b",
            "b",
            "$c",
            "b",
        ],
    );
}

#[test]
fn php_texts() {
    check(
        "b.php",
        concat!(
            "<?php\n",
            "$a = \"x $b[c] $d->e {$f->g['h']} ${i} {${j}} \\$k \\\"\" . 'l $m' . `ls $n`;\n",
            "$o = <<<EOT\n",
            " text $p {$q}\n",
            " EOT;\n",
            "$r = <<<'X'\n",
            "X\n",
            "X;\n",
            "s(.5 + 0x1F + 017 + 1.5e3 + 0b11);\n",
            "\"unclosed $t\n",
        ),
        "php",
        &["$a", "$f", "g", "i", "j", "$o", "$r", "s", "b11"],
    );
}

#[test]
fn php_class_without_a_name_closes_everything() {
    check(
        "c.php",
        concat!(
            "<?php\n",
            "$a = new class { };\n",
            "$b = new readonly class {\n",
            "  $c;\n",
            "};\n",
            "class {\n",
            "$d;\n",
        ),
        "php",
        &["$a", "$b", "readonly"],
    );
}

#[test]
fn php_in_xml() {
    check(
        "d.php",
        concat!(
            "<?xml version=\"1.0\"?>\n",
            "<a:b c=\"d\" e='f'><?php foo($x); ?><g<?php bar(); ?>h i=<?= $j ?> k/>&amp;<!-- <l> --></ a:b >\n",
        ),
        "xml+php",
        &[
            "xml", "version", "<a:b", "c=", "e=", ">", "foo", "$x", "<g", "bar", "h", "i=", "$j",
            ">", "&amp;", "</ a:b >",
        ],
    );
}

#[test]
fn php_in_html() {
    check(
        "e.php",
        concat!(
            "<!DOCTYPE html>\n",
            "<html lang=\"en\"><BODY onload=x()>&nbsp;<?php function f() { return 1; } ?>\n",
            "<script type=\"a\">var b = \"<?= $c ?>\"; d.e();</script ><f:g h/>\n",
            "<STYLE media=x>@media (a) { p.q, #r:hover { color: red !important; --v: 1.5em; odd: -ms-x url(\"y)\") }\n",
            "} s { margin: calc(var(--w) + t(u)) v-w #fff; } @import url(z);</style >\n",
            "<script>\n",
            "var unclosed;\n",
            "</body></html>\n",
        ),
        "html+php",
        &[
            "html", "lang", "BODY", "onload", "&nbsp;", "f", "script", "type", "b", "$c", "d", "e",
            "script", "f:g", "h", "STYLE", "media", "a", "p", "q", "r", "hover", "--v", "odd",
            "-ms-", "x", "url", "s", "calc", "var", "--w", "t", "u", "v-w", "url", "z", "style",
            "script", "unclosed", "body", "html",
        ],
    );
}
