//! Counts of the Claude tokenizer equal those of the comparator's library `tokenizers` 0.22.2.
//!
//! `counts.json` has texts with the counts that this library gave: edges of the rules, and mixtures of
//! fragments that meet at them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[test]
fn texts_count_as_in_the_comparators_library() {
    let counts = include_str!("../../vocabulary/counts.json");
    let counts: Vec<(String, usize)> = serde_json::from_str(counts).unwrap();
    assert!(counts.len() > 400);
    for (text, count) in counts {
        assert_eq!(tokenizer::claude::count(&text), count, "{text:?}");
    }
}

#[test]
fn long_pieces_take_no_quadratic_time() {
    // The count is that of the same library.
    assert_eq!(tokenizer::claude::count(&"abcdefghij".repeat(20_000)), 40_000);
}
