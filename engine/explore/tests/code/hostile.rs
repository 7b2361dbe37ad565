//! What a file may be: empty, cut off, with other line ends, nested beyond reason.

use base::profile::Profile;

use super::{look, symbols};

const FILES: [(&str, &str); 4] = [
    ("a.py", "import os\nclass A:\n    def f(self):\n        pass\n"),
    ("a.js", "import x from './x';\nclass A {\n  f() {}\n}\n"),
    ("a.tsx", "import x from './x';\nclass A {\n  f(): void {}\n}\n"),
    ("a.go", "package a\nimport \"os\"\ntype A struct {\n\tF int\n}\n"),
];

#[test]
fn line_ends_change_nothing() {
    for (name, text) in FILES {
        let (unix, dos) = (
            look(name, text, Profile::Parity),
            look(name, &text.replace('\n', "\r\n"), Profile::Parity),
        );
        assert_eq!((&unix.symbols, &unix.imports), (&dos.symbols, &dos.imports), "{name}");
        assert_eq!(symbols(&unix).len(), 2, "{name}");
    }
}

#[test]
fn every_prefix_of_a_file_is_explored() {
    for (name, text) in FILES {
        for end in 0..=text.len() {
            for profile in [Profile::Parity, Profile::Enhancement] {
                let found = look(name, &text[..end], profile);
                assert!(found.success && !found.summary.is_empty(), "{name} {end}");
            }
        }
    }
}

#[test]
fn deep_nesting_costs_no_stack() {
    let deep = 20_000;
    for (name, open) in [
        ("a.py", "("),
        ("a.js", "{"),
        ("a.ts", "namespace A {"),
        ("a.js", "a = function () {"),
        ("a.go", "package a\nvar x = ("),
    ] {
        let found = look(name, &open.repeat(deep), Profile::Parity);
        assert!(found.success && found.malformed.is_some() && !found.summary.is_empty(), "{name}");
    }
}

#[test]
fn a_file_that_is_parsed_in_pieces_has_every_symbol_at_its_line() {
    let function = |number: usize| {
        format!(
            "def f{number}(a, b=(1,\n    2)):\n    \"\"\"Does nothing.\"\"\"\n    return {{'a': [a]}}\n\n"
        )
    };
    let count = 2 * explore::code::pieces::PIECE / function(10_000).len();
    let text: String = (0..count).map(function).collect();
    let found = look("a.py", &text, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(found.symbols.len(), count);
    for (number, symbol) in found.symbols.iter().enumerate() {
        assert_eq!((&symbol.name, symbol.line), (&format!("f{number}"), 5 * number as u32 + 1));
        assert_eq!(symbol.params, ["a", "b=(1, 2)"]);
        assert_eq!(symbol.doc.as_deref(), Some("Does nothing."));
    }
}
