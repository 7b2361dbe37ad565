//! What a file may be: empty, cut off, with other line ends, nested beyond reason.

use engine::profile::Profile;

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
