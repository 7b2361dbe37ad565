//! Cases whose expected names Pygments 2.19.2 gave on CPython 3.11.

mod kotlin_scala;
mod php;
mod scripts;
mod seldom;

use super::names;

/// Asserts the lexer and the names of a text.
fn check(path: &str, text: &str, lexer: &str, expected: &[&str]) {
    let found = names(path, text);
    assert_eq!(found.lexer, Some(lexer));
    assert_eq!(found.names, expected, "{text}");
}

#[test]
fn c_strings_comments_and_numbers() {
    check(
        "c.c",
        concat!(
            "int x = 10LL + -10LL + 0x1p3 + 1.5e3f; char c = '\\n', *s = L\"a \\\" b\" \"no\";\n",
            "/* not */ // not \\\n",
            " this\n",
            "int y = NULL;\n",
        ),
        "c",
        &["x", "L", "c", "s", "y", "NULL"],
    );
    check(
        "c.c",
        concat!("unclosed = \"text\n", "int after(void) {\n", "}\n",),
        "c",
        &["unclosed", "after"],
    );
}

#[test]
fn c_preprocessor() {
    check(
        "c.c",
        concat!(
            "#define ADD(a, b) \\\n",
            "  ((a) + (b))\n",
            "#include \"own.h\"\n",
            "  /* c */ #ifdef X\n",
            "#if 0\n",
            "hidden\n",
            "#if 1\n",
            "hidden too\n",
            "#endif\n",
            "#else\n",
            "int shown;\n",
            "#endif\n",
        ),
        "c",
        &["shown"],
    );
}

#[test]
fn c_function_headers_and_labels() {
    check(
        "c.c",
        concat!(
            "static struct node *\n",
            "find(struct list *l, size_t n) /* c */ {\n",
            "  switch (n) { case LIMIT + 1: goto done; default: break; }\n",
            "done:\n",
            "  return l->head;\n",
            "}\n",
            "uint8_t declared(FILE *f);\n",
        ),
        "c",
        &[
            "node", "find", "list", "l", "n", "n", "LIMIT", "done", "done", "l", "head",
            "declared", "f",
        ],
    );
}

#[test]
fn cpp_namespaces_and_raw_strings() {
    check(
        "a.cc",
        concat!(
            "namespace one::two {\n",
            "class Foo : public Bar<T> {};\n",
            "enum class Kind : int { A, B };\n",
            "auto s = R\"x(no \" )\" names)x\";\n",
            "using namespace std;\n",
            "}\n",
        ),
        "cpp",
        &["one", "two", "Foo", "Bar", "T", "Kind", "A", "B", "s", "std"],
    );
    check(
        "a.cc",
        concat!(
            "std::string Foo::bar(int a) const { return std::to_string(a); }\n",
            "Foo::Foo() : a_(1), b_{2} {}\n",
            "const char *p = R\"(unclosed;\n",
        ),
        "cpp",
        &[
            "std",
            "string",
            "Foo::bar",
            "a",
            "std",
            "to_string",
            "a",
            "Foo",
            "Foo",
            "a_",
            "b_",
            "p",
            "R",
        ],
    );
}

#[test]
fn objective_c_headers() {
    check(
        "a.h",
        concat!(
            "@interface Foo : NSObject <Bar>\n",
            "@property (nonatomic) int x;\n",
            "- (void)setName:(NSString *)name other:(int)o;\n",
            "@end\n",
            "@class A, B;\n",
        ),
        "objective-c",
        &["Foo", "NSObject", "Bar", "x", "setName:", "NSString", "name", "other:", "o", "A", "B"],
    );
    check(
        "a.h",
        concat!("/* [an option] in a comment */\n", "int plain(void);\n",),
        "objective-c",
        &["plain"],
    );
}

#[test]
fn typescript_types_and_decorators() {
    check(
        "a.ts",
        concat!(
            "@Component({a: 1})\n",
            "export class Foo<T> implements Bar {\n",
            "  #hidden?: string;\n",
            "  constructor(private readonly x: number, ...rest: any[]) { super(x) }\n",
            "}\n",
            "moduleName.run()\n",
        ),
        "typescript",
        &["a", "Foo", "T", "Bar", "#hidden", "?", "x", "...rest", "x", "Name.run"],
    );
    check(
        "a.ts",
        "const f = async (a?: string): Promise<void> => { for (const k in a) return k ? b.c : d }\n",
        "typescript",
        &["f", "a?", "Promise", "k", "a", "k", "b.c"],
    );
}

#[test]
fn typescript_templates_and_expressions() {
    check(
        "a.ts",
        concat!(
            "const t = `a ${b + `in ${c}`} d`; const r = /[/\"]x\\/y/g.test(s); const q = a / b / c;\n",
            "const bad = x\n",
            "/ unclosed regex swallows names\n",
            "let after\n",
        ),
        "typescript",
        &["t", "b", "c", "r", "test", "s", "q", "a", "b", "c", "bad", "x", "after"],
    );
}

#[test]
fn tsx_elements() {
    check(
        "a.tsx",
        concat!(
            "const el = <App.View data-id=\"x\" {...props} on={() => go(1)}>text {value}</App.View>;\n",
            "const f = <></>;\n",
        ),
        "tsx",
        &[
            "el", "App", "View", "data-id", "...props", "on", "go", "text", "value", "App", "View",
            "f",
        ],
    );
}

#[test]
fn javascript_words_and_strings() {
    check(
        "a.js",
        concat!(
            "#!/usr/bin/env node\n",
            "var a = 'it\\'s', b = 0x1F_FF; obj.method() {}\n",
            "function g() { return /re/i.exec(a) }\n",
            "Array.from(x).map(y => y.z) // c\n",
        ),
        "javascript",
        &["a", "b", "_FF", "obj.method", "g", "exec", "a", "Array", "x", "map", "y", "y", "z"],
    );
}

#[test]
fn javascript_that_looks_like_a_template() {
    check(
        "a.js",
        concat!("const a = `x ${b.c} y`;\n", "let $el = $this.next;\n", "#comment if x\n",),
        "js+genshitext",
        &["a", "b", "c", "$el", "$this.next", "x"],
    );
    check(
        "a.js",
        concat!("var a = \"{% if x %}\"; var b = \"{{ y|upper }}\";\n", "var c;\n",),
        "javascript+django",
        &["a", "x", "b", "y", "upper", "c"],
    );
    check(
        "a.js",
        concat!("var a = \"<%= name.size %>\";\n", "var b;\n",),
        "javascript+ruby",
        &["a", "name", "size", "b"],
    );
}

#[test]
fn rust_lifetimes_and_attributes() {
    check(
        "a.rs",
        concat!(
            "#![allow(dead_code)]\n",
            "#[derive(Clone, Debug)]\n",
            "pub struct Foo<'a, T: ?Sized> { x: &'a mut T, y: 'static }\n",
            "impl<'a> Foo<'a> { fn new() -> Self { 'outer: loop { break 'outer } } }\n",
        ),
        "rust",
        &[
            "Foo", "a", "T", "Sized", "x", "a", "mut", "T", "y", "static", "a", "Foo", "a", "new",
            "Self", "outer", "loop", "'outer",
        ],
    );
    check(
        "a.rs",
        concat!(
            "use std::{fmt, io::Read as _};\n",
            "mod r#type;\n",
            "let s: dyn Fn(u8) -> Option<String>;\n",
        ),
        "rust",
        &["std", "fmt", "io", "Read", "_", "r", "s", "dyn", "Fn", "Option", "String"],
    );
}

#[test]
fn rust_literals() {
    check(
        "a.rs",
        concat!(
            "let a = r#\"raw \" str\"#; let b = b\"\\x00\"; let c = b'x'; let d = '\\u{1F600}'; let e = 1.0e5f64.max(2u8); let f = 1..x;\n",
            "/* a /* nested */ b */ assert!(vec![1]); /// doc\n",
            "let g = \"un\\\"closed",
        ),
        "rust",
        &["a", "b", "c", "d", "e", "max", "f", "x", "assert!", "vec!", "g"],
    );
}

#[test]
fn python_strings() {
    check(
        "a.py",
        concat!(
            "\"\"\"Doc.\"\"\"\n",
            "x = f\"{a!r:>{width}} {b['k']}\" + rb\"raw\\\" + '%s {0[' % y\n",
            "'''line\n",
            "string'''\n",
            "z = u\"q\"\n",
            "broken = \"open\n",
            "next_line = 1j + 1.5j\n",
        ),
        "python",
        &["x", "a", "width", "b", "z", "broken", "next_line", "j", "j"],
    );
}

#[test]
fn python_statements() {
    check(
        "a.py",
        concat!(
            "from . import pkg.mod as m\n",
            "import os.path, sys\n",
            "@app.route(\"/\")\n",
            "async def handler(self, *, k: int = 0) -> None:\n",
            "    yield from other()\n",
            "    match value:\n",
            "        case Point(x=0) | _:\n",
            "            print(match, case)\n",
            "class Foo(Base): pass\n",
            "raise Err from None\n",
        ),
        "python",
        &[
            ".", "pkg", "mod", "m", "os", ".", "path", "sys", "@app", "route", "handler", "self",
            "k", "int", "other", "value", "Point", "x", "print", "match", "case", "Foo", "Base",
            "Err",
        ],
    );
}

#[test]
fn go_names() {
    check(
        "a.go",
        concat!(
            "package main\n",
            "import f \"fmt\"\n",
            "func (s *Server) Run(ctx context.Context, n int) (err error) {\n",
            "\tb := []byte(\"x\\\"y\") ; c := string(b) ; d := make(map[string]int, 1_000)\n",
            "\tf.Println(`raw\n",
            " str`, '\\n', 0x1p, c, d) // end\n",
            "}\n",
        ),
        "go",
        &[
            "main", "f", "s", "Server", "Run", "ctx", "context", "Context", "n", "err", "b",
            "byte", "c", "string", "b", "d", "make", "_000", "f", "Println", "p", "c", "d",
        ],
    );
}

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
fn ruby_strings_and_heredocs() {
    check(
        "a.rb",
        concat!(
            "x = <<~ONE + <<-\"TWO\"\n",
            "  body #{hidden}\n",
            "  ONE\n",
            "  two\n",
            "  TWO\n",
            "y = \"a #{b.c(:sym)} d\" + 'e #{f}' + %w[g h] + %q!i! + %Q|j #{k}| + %r{l/#{m}}i\n",
            "z = `ls #{dir}`\n",
        ),
        "ruby",
        &["x", "y", "b", "c", "f", "k", "m", "z", "dir"],
    );
    check(
        "a.rb",
        concat!("missing = <<NEVER\n", "this is code\n",),
        "ruby",
        &["missing", "this", "is", "code"],
    );
}

#[test]
fn ruby_words() {
    check(
        "a.rb",
        concat!(
            "require \"set\"\n",
            "module A::B\n",
            "  class C < D::E\n",
            "    attr_reader :name, key: 1\n",
            "    def self.make!(v = @x) = @@all[$stdout] ||= v\n",
            "    def ==(o); o.nil? && !defined?(o) ; end\n",
            "    def run(name:) ; name.each { |n| puts n =~ /re #{n}/ ? 1 : 0 } ; end\n",
            "  end\n",
            "end\n",
            "=begin\n",
            "not\n",
            "=end\n",
            "__END__\n",
            "not either\n",
        ),
        "ruby",
        &[
            "require", "A::B", "C", "D", "E", "self", "make!", "v", "@x", "@@all", "$stdout", "v",
            "==", "o", "o", "nil?", "defined?", "o", "run", "name", "name", "each", "n", "puts",
            "n", "n",
        ],
    );
}

#[test]
fn swift_names() {
    check(
        "a.swift",
        concat!(
            "#if os(iOS)\n",
            "import UIKit \n",
            "import func Foundation.sqrt\n",
            "#endif\n",
            "@objc class Foo<T>: NSObject { var x = 0..<5, s = \"a \\(b + \"c\") d\"\n",
            "  func go(_ n: Int?) -> [String] { return $0.map { $1! } } /** doc **/ still */\n",
            "}\n",
        ),
        "swift",
        &[
            "UIKit",
            "import",
            "func",
            "Foundation",
            "sqrt",
            "Foo",
            "T",
            "NSObject",
            "x",
            "s",
            "b",
            "go",
            "n",
            "Int",
            "String",
            "$0",
            "map",
            "$1",
        ],
    );
}

#[test]
fn zig_names() {
    check(
        "a.zig",
        concat!(
            "const std = @import(\"std\");\n",
            "pub fn main() !void { var a: i8 = 0x1F; const s = \\\\multi line\n",
            "; const c = '\\n'; _ = @\"odd name\"; } // c\n",
        ),
        "zig",
        &["std", "@import", "main", "a", "i8", "s", "c", "_"],
    );
}

#[test]
fn haskell_names() {
    check(
        "A.hs",
        concat!(
            "{-# LANGUAGE X #-}\n",
            "module Data.A (f, T(..), (<+>)) where\n",
            "import qualified Data.Map as M\n",
            "import Data.List (sort, nub) -- c\n",
            "f, g' :: Int -> ()\n",
            "f x = \\y -> M.map ('a' :) \"s\\n\\SOH\" ++ 0x1F --| no comment\n",
        ),
        "haskell",
        &[
            "Data.A",
            "f",
            "Data.Map",
            "M",
            "Data.List",
            "sort",
            "nub",
            "f",
            "g'",
            "()",
            "f",
            "x",
            "\\",
            "y",
            "map",
            "no",
            "comment",
        ],
    );
}

#[test]
fn hspec_names() {
    check(
        "ASpec.hs",
        "spec = describe \"A\" $ it \"works\" $ shouldBe a b\n",
        "hspec",
        &["spec", "shouldBe", "a", "b"],
    );
}

#[test]
fn fortran_names() {
    check(
        "a.f90",
        concat!(
            "program main ! c\n",
            "  use iso_c_binding, only: c_int\n",
            "  real(dp) :: x = 1.0_dp, y = 1d0\n",
            "  x = max (y, sin(x)) + 12.5\n",
            "  if (.not. done) go to 10\n",
            "  print *, \"a'b\", 'c'\n",
            "end program\n",
        ),
        "fortran",
        &[
            "main",
            "iso_c_binding",
            "dp",
            "x",
            "y",
            "d0",
            "x",
            "max",
            "y",
            "sin",
            "x",
            "not",
            "done",
        ],
    );
}

#[test]
fn fortran_fixed_names() {
    check(
        "a.f",
        concat!(
            "C     comment\n",
            "      PROGRAM MAIN\n",
            "  10  X = MAX (A,\n",
            "     $         B)\n",
            "      CALL SUB(X)                                                       ignored\n",
            "!     other\n",
            "x\n",
        ),
        "fortranfixed",
        &["     ", "MAIN", "  10 ", "X", "MAX", "A", "     ", "B", "     ", "SUB", "X", "x"],
    );
}

#[test]
fn elisp_names() {
    check(
        "a.el",
        concat!(
            ";; c\n",
            "(defun my-fn (a &optional b)\n",
            "  \"Doc `x' \\\"q\\\".\"\n",
            "  (let* ((c 'quoted) (d :key) (*e* ?\\n)) (if (eq a nil) #'car `(,@b ,c 1+ -5 1.5))))\n",
        ),
        "emacs-lisp",
        &[
            "defun", "my-fn", "a", "b", "c", "d", ":key", "*e*", "eq", "a", "nil", "#'", "car",
            "b", "c", "1+",
        ],
    );
}

#[test]
fn ocaml_names() {
    check(
        "a.mli",
        concat!(
            "(* c (* nested *) *)\n",
            "open Foo.Bar\n",
            "val map : ('a -> 'b) -> 'a list -> 'b t\n",
            "module M : sig type t = A | B of int end\n",
            "external _f : unit -> string = \"x\\\"y\"\n",
            "let x = Stdlib.( + ) 0xFFl ()\n",
        ),
        "ocaml",
        &[
            "Foo", "Bar", "map", "a", "b", "a", "b", "t", "M", "t", "A", "B", "f", "x", "Stdlib",
            "l", "()",
        ],
    );
}

#[test]
fn lexers_of_unusual_file_names() {
    let lexer = |path: &str, text: &str| names(path, text).lexer;
    assert_eq!(lexer("dir/Makefile.js", "var a;\n"), Some("make"));
    assert_eq!(lexer("Makefile.rs", "fn a() {}\n"), Some("rust"));
    assert_eq!(lexer("KconfigParser.java", "class A {}\n"), Some("kconfig"));
    assert_eq!(lexer("bash_completion.py", "x = 1\n"), Some("python"));
    assert_eq!(lexer("a.h", "#include <x.h>\n"), Some("c"));
    assert_eq!(lexer("noextension", "x\n"), None);
}

#[test]
fn edges_of_the_text() {
    assert_eq!(names("a.rs", "").names, [""; 0]);
    assert_eq!(names("a.rs", "\n\n\n").names, [""; 0]);
    assert_eq!(names("a.rs", "\u{feff}\n\nfoo").names, ["foo"]);
    assert_eq!(names("a.py", "\u{feff}größe\n\n").names, ["größe"]);
}

#[test]
fn damaged_text_never_panics() {
    let odd =
        ["\"", "'", "`", "\\", "/*", "(*", "{-", "<<A\n", "%q", "r#\"", "é", "\u{301}", "\0", "#"];
    let paths = [
        "a.c",
        "a.cc",
        "a.h",
        "a.ts",
        "a.tsx",
        "a.js",
        "a.rs",
        "a.py",
        "a.go",
        "a.java",
        "a.rb",
        "a.swift",
        "a.zig",
        "a.hs",
        "aSpec.hs",
        "a.f",
        "a.f90",
        "a.el",
        "a.ml",
        "a.kt",
        "a.php",
        "a.scala",
        "a.sc",
        "a.lua",
        "a.R",
        "a.r",
        "a.lisp",
        "a.cl",
        "a.d",
        "a.dart",
        "a.elm",
        "a.gleam",
        "a.ino",
        "a.m",
        "a.pony",
        "a.properties",
        "a.sol",
        "a.tf",
        "aConfig.in.js",
    ];
    for path in paths {
        for first in odd {
            for second in odd {
                for text in [format!("{first}{second}"), format!("x {first} y{second}\n{first}z")] {
                    let found = names(path, &text);
                    assert!(found.names.iter().all(|name| text.contains(name)));
                }
            }
        }
    }
}

#[test]
fn csharp_methods_and_keywords() {
    check(
        "c.cs",
        concat!(
            "namespace Own.Part\n{\n",
            "    using static System.Math; using (var held = Open()) { }\n",
            "    public async Task Load(int id) => await Fetch(id);\n",
            "    else if (ready) return Take(file);\n",
            "    string[] All ()\n",
            "    record class Pair(int Left);\n",
            "    file sealed struct where { global::Own.Kind @class; var global = 1; }\n",
            "}\n",
        ),
        "csharp",
        &[
            "Own.Part", "static", "System", "Math", "held", "Open", "Task", "Load", "id", "Fetch",
            "id", "if", "ready", "Take", "file", "All", "Pair", "Left", "where", "Own", "Kind",
            "@class", "global",
        ],
    );
}

#[test]
fn csharp_texts_numbers_and_directives() {
    check(
        "c.cs",
        concat!(
            "#if DEBUG hidden\n",
            "#nullable enable\n",
            "    [Obsolete(\"no\"),\n     Serializable] int a = 1_000 + 0x1Ful + 1.5e3f.b + .5m + 2eX;\n",
            "var s = $\"{a} \\\" still\" + @\"two \"\" quotes\n\" + \"open\n",
            "after 'x' '\\n' '' /* c\n*/ shown // hidden\n",
            "@\"never \"\" closed\n",
        ),
        "csharp",
        &[
            "nullable",
            "enable",
            "[Obsolete(\"no\"),\n     Serializable]",
            "a",
            "_000",
            "b",
            "eX",
            "s",
            "after",
            "shown",
        ],
    );
}

#[test]
fn csharp_broken() {
    check(
        "c.cs",
        "using , 5 x;\nusing\n(resource) class , struct\n\\ \u{4e2d}ref \u{e9}t\u{e9}\u{4e2d} /* open\n",
        "csharp",
        &["x", "resource", "\u{e9}t\u{e9}", "open"],
    );
}
