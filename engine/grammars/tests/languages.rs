//! Every grammar loads in the pinned core and reads a small text of its language.

#![allow(clippy::expect_used, reason = "a failed expectation is a failed test")]

use std::collections::BTreeMap;

use tree_sitter::{Language, Parser, Tree};

/// For each key, a text that is correct in the language, and the kind of its root.
const TEXTS: [(&str, &str, &str); 48] = [
    ("arduino", "int led = 13;\nvoid loop() { led++; }\n", "translation_unit"),
    ("bash", "f() { echo \"$1\"; }\n", "program"),
    ("c", "int main(void) { return 0; }\n", "translation_unit"),
    ("c_sharp", "class A { int b = 1; }\n", "compilation_unit"),
    ("chatito", "%[greet]\n    hello ~[name]\n", "source"),
    ("clojure", "(defn f [x] (+ x 1))\n", "source"),
    ("commonlisp", "(defun f (x) (+ x 1))\n", "source"),
    ("cpp", "struct A { virtual int f() const = 0; };\n", "translation_unit"),
    ("csharp", "class A { string b = $\"{1 + 1}\"; }\n", "compilation_unit"),
    ("css", ".a { color: red; }\n", "stylesheet"),
    ("cuda", "__global__ void f(int *x) { *x = 1; }\n", "translation_unit"),
    ("d", "int f(int x) { return x; }\n", "source_file"),
    ("dart", "int f(int x) => x + 1;\n", "program"),
    ("elisp", "(defun f (x) (+ x 1))\n", "source_file"),
    ("elixir", "defmodule A do\n  def f(x), do: x\nend\n", "source"),
    ("elm", "module A exposing (f)\n\n\nf x =\n    x\n", "file"),
    ("fortran", "program a\n  integer :: b\n  b = 1\nend program a\n", "translation_unit"),
    ("gleam", "pub fn f(x) {\n  x\n}\n", "source_file"),
    ("go", "package a\n\nfunc f(x int) int { return x }\n", "source_file"),
    ("haskell", "module A where\n\nf :: Int -> Int\nf x = x\n", "haskell"),
    ("hcl", "block \"a\" {\n  b = 1\n}\n", "config_file"),
    ("java", "class A { int f(int x) { return x; } }\n", "program"),
    ("javascript", "const f = (x) => `${x}`;\n", "program"),
    ("julia", "function f(x)\n    x + 1\nend\n", "source_file"),
    ("kotlin", "fun f(x: Int): Int = x\n", "source_file"),
    ("lua", "local function f(x) return x end\n", "chunk"),
    ("matlab", "function y = f(x)\n  y = x;\nend\n", "source_file"),
    ("objc", "@interface A : NSObject\n@end\n", "translation_unit"),
    ("ocaml", "let f x = x + 1\n", "compilation_unit"),
    ("ocaml_interface", "val f : int -> int\n", "compilation_unit"),
    ("php", "<?php\nfunction f($x) { return $x; }\n", "program"),
    ("pony", "actor Main\n  new create(env: Env) =>\n    None\n", "source_file"),
    ("properties", "key = value\n", "file"),
    ("python", "def f(x):\n    return x\n", "module"),
    ("ql", "int f(int x) { result = x }\n", "ql"),
    ("r", "f <- function(x) x + 1\n", "program"),
    ("racket", "#lang racket\n(define (f x) x)\n", "program"),
    ("ruby", "def f(x)\n  <<~END\n    #{x}\n  END\nend\n", "program"),
    ("rust", "fn f(x: u8) -> u8 { x }\n", "source_file"),
    ("scala", "object A { def f(x: Int): Int = x }\n", "compilation_unit"),
    ("scss", "$a: 1px;\n.b { width: $a; }\n", "stylesheet"),
    ("solidity", "contract A { uint b; }\n", "source_file"),
    ("swift", "func f(x: Int) -> Int {\n    return x\n}\n", "source_file"),
    ("tcl", "proc f {x} { return $x }\n", "source_file"),
    ("tsx", "const f = (x: number) => <p>{x}</p>;\n", "program"),
    ("typescript", "const f = (x: number): number => x;\n", "program"),
    ("udev", "KERNEL==\"sda\", NAME=\"disk\"\n", "rules"),
    ("zig", "fn f(x: u8) u8 {\n    return x;\n}\n", "source_file"),
];

fn parse(key: &str, text: &str) -> Tree {
    let language = Language::new(grammars::language(key).expect("the key is known"));
    let mut parser = Parser::new();
    parser.set_language(&language).expect("the core accepts the grammar's ABI");
    parser.parse(text, None).expect("no limit was set")
}

#[test]
fn the_texts_cover_every_key() {
    let texts: BTreeMap<_, _> = TEXTS.iter().map(|(key, text, _)| (*key, *text)).collect();
    assert!(grammars::keys().eq(texts.into_keys()));
}

#[test]
fn every_grammar_reads_its_text_without_an_error() {
    for (key, text, kind) in TEXTS {
        let tree = parse(key, text);
        let root = tree.root_node();
        assert_eq!(root.kind(), kind, "{key}");
        assert!(!root.has_error(), "{key}: {}", root.to_sexp());
        assert_eq!(root.end_byte(), text.len(), "{key}");
    }
}

#[test]
fn every_grammar_survives_text_that_is_not_its_own() {
    for key in grammars::keys() {
        for (_, text, _) in TEXTS {
            assert!(parse(key, text).root_node().end_byte() <= text.len());
        }
    }
}

/// In the "C" locale the scanners would not see these as white space and letters, and each of
/// the texts would have an error.
#[test]
fn scanners_know_characters_outside_ascii() {
    let texts = [
        ("csharp", "class A { string b =\u{3000}$\"{1}\"; }\n"),
        ("lua", "x = 1\u{2003}--[[ comment ]]\n"),
        ("d", "int f() { return \u{2003}q\"É\na\nÉ\"; }\n"),
    ];
    for (key, text) in texts {
        let tree = parse(key, text);
        assert!(!tree.root_node().has_error(), "{key}: {}", tree.root_node().to_sexp());
    }
}

/// The scanner asserts that its state fits a buffer of 1,024 bytes; it must not end the process.
#[test]
fn an_oversized_scanner_state_gives_a_tree() {
    let name = "A".repeat(300);
    let text = format!("x = <<{name}\ntext\n{name}\n");
    assert_eq!(parse("ruby", &text).root_node().kind(), "program");
}
