//! Counts equal those of tiktoken-rs, on this repository's files and on generated text.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path};

/// Fragments that meet at every edge of the splitting rules.
const FRAGMENTS: &[&str] = &[
    "a",
    "Z",
    "don",
    "'",
    "'s",
    "'LL",
    "'ſ",
    "'re",
    "'v",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{85}",
    "0",
    "12",
    "3456",
    "²",
    "Ⅷ",
    "é",
    "e\u{301}",
    "ß",
    "中文",
    "日本",
    "😀",
    "👩‍👩",
    "│",
    "⋮\n",
    "{",
    "}",
    "();",
    "->",
    "::",
    "_",
    "__init__",
    "\u{0}",
    "\u{7f}",
    "\u{feff}",
    "ǅ",
    "ʰ",
    "௧",
    "/* */",
    "\"",
    "#!",
    "return",
    "getElementById",
    "=",
    "        ",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "0x1F",
    "\u{1e4d0}",
    "𞤢",
    "🬀",
];

/// A fixed sequence of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn generated_texts_count_as_in_the_reference() {
    let reference = tiktoken_rs::cl100k_base().unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let text: String = (0..random.below(24))
            .map(|_| FRAGMENTS.get(random.below(FRAGMENTS.len())).copied().unwrap_or_default())
            .collect();
        let expected = reference.encode_ordinary(&text).len();
        assert_eq!(tokenizer::count(&text), expected, "{text:?}");
    }
}

#[test]
fn every_character_counts_as_in_the_reference() {
    let reference = tiktoken_rs::cl100k_base().unwrap();
    // A letter before and a number behind show which class the character has.
    for character in (0..=u32::from(char::MAX)).step_by(3).filter_map(char::from_u32) {
        let text = format!("q{character}q {character}7{character}{character}\n");
        let expected = reference.encode_ordinary(&text).len();
        assert_eq!(tokenizer::count(&text), expected, "U+{:04X}", u32::from(character));
    }
}

#[test]
fn our_own_files_count_as_in_the_reference() {
    let reference = tiktoken_rs::cl100k_base().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harness/verdict/src/bundle");
    let mut counted = 0;
    for entry in fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(tokenizer::count(&text), reference.encode_ordinary(&text).len());
        counted += 1;
    }
    assert!(counted > 5, "only {counted} files were found");
}

#[test]
fn long_pieces_take_no_quadratic_time() {
    let reference = tiktoken_rs::cl100k_base().unwrap();
    let text = "abcdefghij".repeat(20_000);
    assert_eq!(tokenizer::count(&text), reference.encode_ordinary(&text).len());
}
