//! Rust, Go, Swift, Zig, D, Dart and Pony.

use super::check;

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
