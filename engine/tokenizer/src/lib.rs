//! Counts tokens of the `cl100k_base` encoding. Special tokens are treated as ordinary text.
//!
//! The vocabulary is built into the program as a finished hash table, so that the first count takes
//! microseconds: a map of a small repository takes less time than filling a table of 100,000 tokens
//! would, see `docs/decisions/0006-tokenizer-tables.md`. Text is split into `pieces`, and a piece
//! that is not a token itself is merged pairwise, lowest rank first (byte pair encoding).
//!
//! [`claude`] counts with another vocabulary.

pub mod claude;

mod classes;
mod hash;
mod line_counter;
mod memo;
mod merge;
mod pieces;
mod vocabulary;

pub use line_counter::LineCounter;

use memo::Memo;

/// Number of tokens of a text. Takes O(n log n) time.
pub fn count(text: &str) -> usize {
    let mut memo = Memo::of(text, merge::tokens);
    pieces::pieces(text).map(|piece| memo.tokens(piece.as_bytes())).sum()
}
