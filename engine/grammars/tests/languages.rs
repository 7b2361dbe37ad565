//! Every grammar loads in the pinned core and reads a small text of its language.

#![allow(clippy::expect_used, reason = "a failed expectation is a failed test")]

use std::{collections::BTreeMap, path::Path};

use languages::Table;
use tree_sitter::{Language, Parser, Tree};

/// The example of each language by the keys of its grammar, as `queries/` has them.
fn examples() -> BTreeMap<String, String> {
    let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../queries");
    let table = Table::read(&queries).expect("the committed table is whole");
    let mut examples = BTreeMap::new();
    for (key, row) in table.languages {
        let Some(grammar) = row.grammar else { continue };
        let example = row.example.expect("the table checks this");
        for name in grammar.aliases.into_iter().chain([key]) {
            examples.insert(name, example.clone());
        }
    }
    examples
}

fn parse(key: &str, text: &str) -> Tree {
    let language = Language::new(grammars::language(key).expect("the key is known"));
    let mut parser = Parser::new();
    parser.set_language(&language).expect("the core accepts the grammar's ABI");
    parser.parse(text, None).expect("no limit was set")
}

#[test]
fn the_examples_are_those_of_every_key() {
    assert!(grammars::keys().eq(examples().keys().map(String::as_str)));
}

#[test]
fn every_grammar_reads_its_example_without_an_error() {
    for (key, text) in examples() {
        let tree = parse(&key, &text);
        let root = tree.root_node();
        assert!(!root.has_error() && root.named_child_count() > 0, "{key}: {}", root.to_sexp());
        assert_eq!(root.end_byte(), text.len(), "{key}");
    }
}

#[test]
fn every_grammar_survives_text_that_is_not_its_own() {
    for key in grammars::keys() {
        for text in examples().values() {
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
