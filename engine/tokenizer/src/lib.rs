//! Counts tokens of the `cl100k_base` encoding, special tokens being ordinary text.
//!
//! The vocabulary lies in the program as a ready hash table, so that the first count costs
//! microseconds: a map of a small repository takes less time than filling a table of 100,000
//! tokens, see `docs/decisions/0006-tokenizer-tables.md`. Text is split into `pieces`, and a
//! piece that is not a token itself is merged pairwise, lowest rank first (byte pair encoding).

mod classes;
mod hash;
mod memo;
mod merge;
mod pieces;
mod vocabulary;

use memo::Memo;

/// Number of tokens of a text. Takes time in the order of n log n.
pub fn count(text: &str) -> usize {
    let mut memo = Memo::of(text);
    pieces::pieces(text).map(|piece| memo.tokens(piece.as_bytes())).sum()
}
