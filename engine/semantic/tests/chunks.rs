//! Chunks of written examples, whose expected values were written by hand, and the rules that hold for every
//! language.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, fs, path::Path};

use base::text::open;
use semantic::{Chunk, File, NoParts};

const PURSE: &str = r#""""What a shop does with money."""
import os
from coins import Coin, weigh

LIMIT = 3

# How much fits
# into a purse.
class Purse:
    """Holds coins."""

    size = 1

    @property
    def full(self):
        return weigh(self.size) > LIMIT

    def pay(self, sum):
        """Pays a sum.

        In coins."""
        def one(coin):
            return Coin(coin)
        return one(sum)


print(Purse())
"#;

fn chunks(path: &str, text: &str) -> Vec<Chunk> {
    File::read(path, text.as_bytes()).unwrap().chunks(path)
}

fn named<'a>(chunks: &'a [Chunk], name: &str) -> &'a Chunk {
    let found: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.name == name).collect();
    let [found] = found[..] else { panic!("{} chunks of the name {name}", found.len()) };
    found
}

#[test]
fn symbols_and_what_is_between_them_are_chunks() {
    let all = chunks("shop/purse.py", PURSE);
    let places: Vec<(&str, &str, u32, u32, usize)> = all
        .iter()
        .map(|one| (one.node_kind, one.name.as_str(), one.start_line, one.end_line, one.depth))
        .collect();
    assert_eq!(
        places,
        [
            ("comment", "\"\"\"What a shop does with money.\"\"\"", 1, 1, 0),
            ("import", "os", 2, 2, 0),
            ("import", "coins", 3, 3, 0),
            ("variable", "LIMIT", 5, 5, 0),
            ("comment", "# How much fits", 7, 8, 0),
            ("class", "Purse", 9, 24, 0),
            ("method", "full", 14, 16, 1),
            ("method", "pay", 18, 24, 1),
            ("function", "one", 22, 23, 2),
            ("statement", "print(Purse())", 27, 27, 0),
        ]
    );
}

#[test]
fn a_chunk_shows_the_signatures_of_those_inside() {
    let all = chunks("shop/purse.py", PURSE);
    let (purse, pay) = (named(&all, "Purse"), named(&all, "pay"));
    assert_eq!(
        purse.embedding_text,
        "class Purse:\n    \"\"\"Holds coins.\"\"\"\n\n    size = 1\n\n    def full(self);\n\n    def pay(self, \
         sum);\n"
    );
    assert!(purse.full_source.contains("return Coin(coin)"));
    assert!(pay.embedding_text.contains("        def one(coin);\n        return one(sum)\n"));
    assert_eq!(pay.signature, "def pay(self, sum)");
    assert_eq!(pay.documentation.as_deref(), Some("Pays a sum."));
    assert_eq!(pay.parent_name.as_deref(), Some("Purse"));
    assert_eq!(pay.breadcrumb, "shop/purse.py > Purse > pay");
    let one = named(&all, "one");
    // One without chunks inside is its own lines.
    assert_eq!(one.embedding_text, one.full_source);
}

#[test]
fn the_tree_is_in_the_ids() {
    let all = chunks("shop/purse.py", PURSE);
    let (purse, full, pay) = (named(&all, "Purse"), named(&all, "full"), named(&all, "pay"));
    assert_eq!(purse.child_chunk_ids, [full.id.clone(), pay.id.clone()]);
    assert_eq!(pay.parent_chunk_id.as_ref(), Some(&purse.id));
    assert_eq!(purse.parent_chunk_id, None);
    assert_eq!(named(&all, "one").parent_chunk_id.as_ref(), Some(&pay.id));
}

#[test]
fn imports_are_those_whose_names_stand_in_a_chunk() {
    let all = chunks("shop/purse.py", PURSE);
    assert_eq!(named(&all, "full").relevant_imports, ["from coins import Coin, weigh"]);
    assert_eq!(named(&all, "one").relevant_imports, ["from coins import Coin, weigh"]);
    let none: [&str; 0] = [];
    assert_eq!(named(&all, "LIMIT").relevant_imports, none);
    assert_eq!(named(&all, "os").relevant_imports, none);
}

#[test]
fn an_id_is_the_digest_of_path_kind_name_line_scope_and_ordinal() {
    // printf 'a.py\0function\0f\0001\0\0000\0' | sha256sum, the first 32 digits.
    let all = chunks("a.py", "def f():\n    pass\n");
    assert_eq!(all[0].id, "9f85a2f990b53559a2cde82289946f80");
    // Two of one name in one line differ by their ordinals.
    let two = chunks("a.js", "var a = 1, a = 2;\n");
    let ids: BTreeSet<&String> = two.iter().map(|one| &one.id).collect();
    assert_eq!(ids.len(), two.len());
}

#[test]
fn a_comment_above_a_declaration_belongs_to_it() {
    let text = "package shop\n\n// Pay pays a sum.\n// It never fails.\nfunc Pay(sum int) int {\n\treturn sum\n}\n";
    let all = chunks("shop.go", text);
    let pay = named(&all, "Pay");
    assert_eq!((pay.start_line, pay.end_line), (3, 7));
    assert!(pay.full_source.starts_with("// Pay pays a sum.\n"));
    assert_eq!(pay.signature, "func Pay(sum int) int");
}

#[test]
fn secrets_are_masked_in_every_field() {
    let secret = "ghp_1234567890abcdefghijklmnopqrstuvwxyz";
    let text = format!(
        "def login(token=\"{secret}\"):\n    \"\"\"Uses {secret}.\"\"\"\n    return \"{secret}\"\n"
    );
    let said = serde_json::to_string(&chunks("login.py", &text)).unwrap();
    assert!(said.contains("****") && !said.contains(secret), "{said}");
}

#[test]
fn what_is_no_code_or_no_text_has_no_chunks() {
    assert_eq!(File::read("a.json", b"{}").unwrap_err(), NoParts::NotCode);
    let why = NoParts::Unreadable("not valid UTF-8 at byte 4".to_owned());
    assert_eq!(File::read("a.py", b"x = \xff\n").unwrap_err(), why);
    assert_eq!(chunks("a.py", ""), []);
    assert!(File::may_be_code("src/a.rs") && File::may_be_code("bin/tool"));
    assert!(!File::may_be_code("a.json") && !File::may_be_code("a.unknown"));
}

/// The rules of the specification that need no example, on the seeds of every language: every line that is not
/// blank is in a chunk at the top, chunks lie inside those around them, ids are unique, and a second reading gives
/// the same.
#[test]
fn the_rules_hold_for_every_language() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../explore/fuzz/seeds/code");
    let mut read = 0;
    for file in fs::read_dir(seeds).unwrap() {
        let bytes = open::bytes(&file.unwrap().path(), 1 << 20).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // The first line of a seed is the name of its file.
        let (name, text) = text.split_once('\n').unwrap();
        let Ok(file) = File::read(name, text.as_bytes()) else { continue };
        let all = file.chunks(name);
        assert_eq!(all, File::read(name, text.as_bytes()).unwrap().chunks(name), "{name}");
        let ids: BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids.len(), all.len(), "{name}");
        for (number, line) in (1_u32..).zip(text.lines()) {
            let covers = |one: &&Chunk| one.start_line <= number && number <= one.end_line;
            let is_covered = all.iter().filter(covers).any(|one| one.depth == 0);
            assert!(line.trim().is_empty() || is_covered, "{name}:{number}: {line}");
        }
        for one in &all {
            assert!(one.start_line <= one.end_line, "{name} {}", one.name);
            let Some(around) = &one.parent_chunk_id else { continue };
            let around = all.iter().find(|other| other.id == *around).unwrap();
            assert!(around.start_line <= one.start_line && one.end_line <= around.end_line);
            assert_eq!(around.depth + 1, one.depth);
            assert!(around.child_chunk_ids.contains(&one.id));
        }
        read += 1;
    }
    assert!(read >= 40, "{read} seeds were read");
}

#[test]
fn a_name_that_every_line_imports_has_few_imports() {
    let text = format!("{}def f():\n    return a\n", "import a\n".repeat(20_000));
    let file = File::read("a.py", text.as_bytes()).unwrap();
    let last = file.parts().last().unwrap();
    assert_eq!((last.name.as_str(), last.imports.first()), ("f", Some(&1)));
    assert!(last.imports.len() < 100, "{}", last.imports.len());
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let all = chunks("a.cs", "\u{feff}// Pays.\n\nclass Purse { }\n");
    assert_eq!((all[0].node_kind, all[0].full_source.as_str()), ("comment", "// Pays.\n"));
}

#[test]
fn a_comment_is_not_looked_for_in_the_part_before() {
    let text = "class Purse:\n    def pay(self):\n        pass\n    print(\"Spends\")\ndef spend():\n    \"\"\"Spends\"\"\"\n";
    let all = chunks("a.py", text);
    assert_eq!((named(&all, "Purse").end_line, named(&all, "spend").start_line), (4, 5));
}

#[test]
fn one_long_line_and_deep_nesting_have_few_chunks() {
    let line = "function f(){}".repeat(20_000);
    assert!(chunks("a.js", &line).len() <= 9);
    let deep = format!("{}{}", "function f(){\n".repeat(500), "}\n".repeat(500));
    let all = chunks("deep.js", &deep);
    assert!(all.iter().all(|one| one.depth < 64), "{}", all.len());
}
