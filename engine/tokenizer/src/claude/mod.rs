//! Counts tokens of the older Claude tokenizer, with which the comparator counts bare Claude names.
//!
//! The vocabulary is that of the crate `vocabulary`; `docs/decisions/0026-models.md` says where it comes
//! from and what the counts were compared with. Special tokens are one token each. The text between them is
//! brought into the normal form NFKC and split into `pieces`, whose bytes are merged pairwise.

mod merge;
mod pieces;

use unicode_normalization_alignments::UnicodeNormalization as _;

use super::memo::Memo;

/// The special tokens: they are looked for before anything else is done with a text.
const SPECIAL: [&str; 5] = ["<EOT>", "<META>", "<META_START>", "<META_END>", "<SOS>"];

/// Number of tokens of a text. Takes O(n log n) time.
pub fn count(text: &str) -> usize {
    let (mut rest, mut tokens) = (text, 0);
    while let Some((before, special)) = next_special(rest) {
        tokens += count_plain(rest.get(..before).unwrap_or_default()) + 1;
        rest = rest.get(before + special..).unwrap_or_default();
    }
    tokens + count_plain(rest)
}

/// Where the next special token begins, and its length in bytes.
fn next_special(text: &str) -> Option<(usize, usize)> {
    text.match_indices('<').find_map(|(at, _)| {
        let here = text.get(at..)?;
        SPECIAL.iter().find(|token| here.starts_with(**token)).map(|token| (at, token.len()))
    })
}

/// Number of tokens of a text without special tokens.
fn count_plain(text: &str) -> usize {
    // No ASCII character has another normal form.
    if text.is_ascii() {
        return count_normal(text);
    }
    count_normal(&text.nfkc().map(|(character, _)| character).collect::<String>())
}

/// Number of tokens of a text in the normal form.
fn count_normal(text: &str) -> usize {
    let mut memo = Memo::of(text, |piece, _| merge::tokens(piece));
    pieces::pieces(text).map(|piece| memo.tokens(piece.as_bytes())).sum()
}
