//! Java, Kotlin and Scala.

use super::check;

#[test]
fn java_names() {
    check(
        "A.java",
        concat!(
            "package a.b;\n",
            "import static java.util.List.*;\n",
            "@Deprecated(since = \"1\")\n",
            "public final class A<T> extends B {\n",
            "  private static final long X = 0L + 10f;\n",
            "  public Map<String, int[]> run(final int a) throws E { var v = a.class; return new C (v); }\n",
            "\n",
            "  label:\n",
            "  record P(int x) {}\n",
            "}\n",
        ),
        "java",
        &[
            "a.b",
            "java.util.List.*",
            "@Deprecated",
            "since",
            "A",
            "T",
            "B",
            "X",
            "L",
            "f",
            "Map",
            "String",
            "run",
            "a",
            "E",
            "v",
            "a",
            "class",
            "C",
            "v",
            "label",
            "P",
            "x",
        ],
    );
    check(
        "A.java",
        concat!(
            "String s = \"\"\"\n",
            "  text \"quoted\" \\\"\"\" block\n",
            "  \"\"\"; char c = '\\u0041';\n",
        ),
        "java",
        &["String", "s", "c"],
    );
}

#[test]
fn kotlin_declarations() {
    check(
        "A.kt",
        concat!(
            "package com.acme.app\n",
            "import a.b.C as D\n",
            "@Inject private open class Service<T : Any>(val name: String?, var x: Int) : Base(), Iface {\n",
            "    companion object { const val MAX = 1_000 }\n",
            "    suspend inline fun <reified T> List<T>.each(block: (T) -> Unit): Unit = block(it)\n",
            "    val (a, b: Foo) = pair; lateinit var `odd name`: Thing?\n",
            "}\n",
        ),
        "kotlin",
        &[
            "com.acme.app",
            "a.b.C",
            "D",
            "@Inject",
            "Service",
            "T",
            "name",
            "x",
            "Base",
            "Iface",
            "const",
            "MAX",
            "_000",
            "T",
            "List",
            "T",
            "each",
            "block",
            "T",
            "block",
            "it",
            "a",
            "b",
            "Foo",
            "pair",
            "`odd name`",
            "Thing?\n",
        ],
    );
    check(
        "build.gradle.kts",
        concat!(
            "plugins {\n",
            "    kotlin(\"jvm\") version \"1.9\"\n",
            "}\n",
            "val x = object : Runnable { override fun run() {} }\n",
        ),
        "kotlin",
        &["plugins", "kotlin", "version", "x", "Runnable", "run"],
    );
}

#[test]
fn kotlin_texts_labels_and_numbers() {
    check(
        "a.kt",
        concat!(
            "fun f() {\n",
            "    val s = \"a ${b.c(\"d\")} $e \\\\ \\$\" + \"\"\" \"q\" ${ if (x) { \"y\" } else z } $w \"\"\"\n",
            "    loop@ for (i in 0x1F until 1.5e+3f) break@loop\n",
            "    x as? Y; x !is Z; a?.b!!.c; d?:e; f? .g; 'c'; '\\n'\n",
            "    open(); fun\n",
            "}\n",
            "/* not * / */ // nor this\n",
            "#!/not a shebang here?\n",
        ),
        "kotlin",
        &[
            "f", "s", "b", "c", "d", "e", "x", "z", "w", "loop@", "i", "x1F", "until", "@loop",
            "x", "Y", "x", "Z", "a", "b", "c", "d?:", "e", "f? ", "g", "open",
        ],
    );
    check(
        "b.kt",
        concat!("中a ªb ⅷ größe in\u{301} `a`b` `1x`\n", "class \n", "A class { val\n", "  x }\n",),
        "kotlin",
        &["a", "b", "ⅷ", "größe", "`a`", "b", "x", "A", "val", "x"],
    );
}

#[test]
fn scala_declarations() {
    check(
        "A.scala",
        concat!(
            "#!/usr/bin/env scala\n",
            "package a.b\n",
            "import scala.collection.{mutable => M, _}\n",
            "import given x.y; import z.given\n",
            "@main case class Foo_+[T <: Bar](x: Int) extends Base with `odd` derives CanEqual {\n",
            "  override def apply: Int = 1 :: Nil ++ xs; type T = this.type\n",
            "  def // comment\n",
            "    named = 2\n",
            "  given Ordering = ???; extension (s: String) def up = s.toUpperCase\n",
            "  end Foo_+ // done\n",
            "  end named\n",
            "  end if\n",
            "}\n",
            "package object c\n",
        ),
        "scala",
        &[
            "a",
            "b",
            "scala",
            "collection",
            "mutable",
            "M",
            "_",
            "x",
            "y",
            "z",
            "@main",
            "Foo_+",
            "T",
            "Bar",
            "x",
            "Int",
            "Base",
            "`odd`",
            "CanEqual",
            "apply",
            "Int",
            "Nil",
            "xs",
            "T",
            "this",
            "named",
            "Ordering",
            "s",
            "String",
            "up",
            "s",
            "toUpperCase",
            "Foo_+",
            "named",
            "c",
        ],
    );
}

#[test]
fn scala_operators_texts_and_soft_words() {
    check(
        "b.scala",
        concat!(
            "val a = x +: y ; b && !c || d ; e->f ; g::h ; i :: j ; k := l ; ∀x ; a_* ; m/n\n",
            "val s = s\"$a ${b + s\"${c}\"} $$ \\n\" + f\"\"\"x\"$y\" \"z\"\"\" + raw\"\\\" + \"q\\\"\" + \"\"\"t\"u\"\"\"\n",
            "val c = 'x' + '\\n' + 'sym + '{ y } + 1_000 + 0xFF + 1.5f + .5 + 2L\n",
            "open class A; open(b); inline def f = 1; inline if (x) y else z; inline p: Int\n",
            "transparent infix trait T; foo(using ctx); end\n",
        ),
        "scala",
        &[
            "a", "x", "y", "b", "c", "d", "e", "f", "g", "::", "h", "i", "j", "k", "l", "∀", "x",
            "a_*", "m", "n", "s", "a", "b", "c", "y", "q", "c", "y", "_000", "A", "open", "b", "f",
            "x", "y", "z", "p", "Int", "T", "foo", "ctx",
        ],
    );
}
