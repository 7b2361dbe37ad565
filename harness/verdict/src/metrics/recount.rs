//! Token counts of a recorded text, made again without the engine.
//!
//! The vocabularies are those of the published `tiktoken-rs` and `claude-tokenizer`, and `tiktoken-rs` counts with
//! both; the engine counts with code of its own. Both sides share the vocabulary of Claude as data, and the library
//! of normal forms.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;
use unicode_normalization_alignments::UnicodeNormalization as _;

static CL100K: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::cl100k_base().ok());
static CLAUDE: LazyLock<Option<CoreBPE>> = LazyLock::new(claude);

/// How the Claude tokenizer splits a text: the byte-level rules of the library `tokenizers`.
const CLAUDE_PIECES: &str =
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// Texts shorter than this many code points are counted exactly (Aider's `RepoMap.token_count`).
const EXACT_BELOW: usize = 200;
/// About this many lines of a longer text are counted.
const SAMPLED_LINES: usize = 100;

/// A tokenizer that the verifier counts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokenizer {
    /// `cl100k_base`; special tokens are ordinary text.
    Cl100k,
    /// The older one of Claude; a special token is one token.
    Claude,
}

impl Tokenizer {
    /// The tokenizer with a name of `tokenizer_support.v1.json`; `None` if the verifier does not have it.
    pub fn with_id(id: &str) -> Option<Self> {
        match id {
            "cl100k_base" => Some(Self::Cl100k),
            "anthropic_tokenizer" => Some(Self::Claude),
            _ => None,
        }
    }

    /// The count of a text in tokens. `None` if the vocabulary cannot be read.
    pub fn exact(self, text: &str) -> Option<u64> {
        match self {
            Self::Cl100k => Some(CL100K.as_ref()?.encode_ordinary(text).len() as u64),
            Self::Claude => {
                let counter = CLAUDE.as_ref()?;
                let plain = |text: &str| {
                    let normal: String = text.nfkc().map(|(character, _)| character).collect();
                    counter.encode_ordinary(&normal).len() as u64
                };
                // Special tokens are looked for before the text is brought into the normal form.
                let (mut rest, mut count) = (text, 0);
                while let Some((before, after)) = around_special(rest) {
                    count += plain(before) + 1;
                    rest = after;
                }
                Some(count + plain(rest))
            }
        }
    }

    /// The comparator's estimate of a text in tokens: the exact count of a short text; otherwise the count of
    /// every n-th line, scaled by code points in the comparator's order of operations. `None` if the vocabulary
    /// cannot be read.
    pub fn estimate(self, text: &str) -> Option<f64> {
        let count = |text: &str| self.exact(text).map(|count| count as f64);
        let length = text.chars().count();
        if length < EXACT_BELOW {
            return count(text);
        }
        let lines = python_lines(text);
        let step = (lines.len() / SAMPLED_LINES).max(1);
        let sample: String = lines.into_iter().step_by(step).collect();
        Some(count(&sample)? / sample.chars().count() as f64 * length as f64)
    }
}

/// The Claude tokenizer. Its special tokens are no part of it.
fn claude() -> Option<CoreBPE> {
    let tokens = vocabulary::tokens().zip(0_u32..).skip(vocabulary::SPECIAL.into());
    let ranks = tokens.map(|(token, rank)| (token.to_vec(), rank)).collect();
    CoreBPE::new(ranks, std::iter::empty::<(String, u32)>().collect(), CLAUDE_PIECES).ok()
}

/// What is before and what is after the first special token of Claude in a text.
fn around_special(text: &str) -> Option<(&str, &str)> {
    let special = vocabulary::tokens().take(vocabulary::SPECIAL.into());
    let found = special.filter_map(|token| text.split_once(std::str::from_utf8(token).ok()?));
    found.min_by_key(|(before, _)| before.len())
}

/// The count of a text in tokens of `cl100k_base`. `None` if the vocabulary cannot be read.
pub fn exact(text: &str) -> Option<u64> {
    Tokenizer::Cl100k.exact(text)
}

/// The comparator's estimate of a text in tokens of `cl100k_base`. `None` if the vocabulary cannot be read.
pub fn estimate(text: &str) -> Option<f64> {
    Tokenizer::Cl100k.estimate(text)
}

/// The conservative count, in tokens, of a text whose estimate is known: its bytes at 3.5 per token, rounded
/// up, plus 15 %, or the estimate if that is larger.
pub fn safety(estimate: f64, text: &str) -> f64 {
    let heuristic = (text.len() as u64 * 2).div_ceil(7);
    // In integers, because 1.15 has no exact float, which could change the result of rounding up.
    let padded = (heuristic * 115).div_ceil(100);
    estimate.max(padded as f64)
}

/// The lines of a text with their line endings, as Python's `str.splitlines(keepends=True)` splits them.
fn python_lines(text: &str) -> Vec<&str> {
    let ends_line = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'
                ..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().find(|(_, c)| ends_line(*c)).map_or(rest.len(), |(at, c)| {
            let both = rest.get(at..).is_some_and(|end| end.starts_with("\r\n"));
            at + if both { 2 } else { c.len_utf8() }
        });
        let (line, after) = rest.split_at(end);
        lines.push(line);
        rest = after;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Tokenizer, estimate, python_lines, safety};

    // Expected counts are those of tiktoken 0.12 for cl100k_base.
    #[test]
    fn a_short_text_is_counted_exactly() {
        assert_eq!(estimate(""), Some(0.0));
        assert_eq!(estimate("hello world"), Some(2.0));
        assert_eq!(estimate("<|endoftext|>"), Some(7.0));
    }

    // Expected counts are those of the comparator's library `tokenizers` 0.22.2.
    #[test]
    fn the_claude_tokenizer_counts_as_the_comparators_library() {
        let counts = include_str!("../../../../engine/vocabulary/counts.json");
        let counts: Vec<(String, u64)> = serde_json::from_str(counts).unwrap();
        assert!(counts.len() > 400);
        let differ = |(text, count): &&(String, u64)| Tokenizer::Claude.exact(text) != Some(*count);
        assert_eq!(counts.iter().find(differ), None);
        // The two tokenizers must not be taken for each other.
        let others = counts.iter().filter(|(text, count)| super::exact(text) != Some(*count));
        assert!(others.count() > 200);
    }

    #[test]
    fn of_a_long_text_every_nth_line_is_counted() {
        let text = "⋮\na rather long line of words that costs many tokens\n".repeat(120);
        let sampled = "⋮\n".repeat(120);
        let per_character = estimate(&sampled[..4]).unwrap() / 2.0;
        let expected = text.chars().count() as f64 * per_character;
        assert!(
            (estimate(&text).unwrap() - expected).abs() / expected < 0.5,
            "only the even lines"
        );
    }

    #[test]
    fn lines_end_where_python_ends_them() {
        assert_eq!(python_lines("a\r\nb\u{2028}c\u{1c}d"), ["a\r\n", "b\u{2028}", "c\u{1c}", "d"]);
        assert_eq!(python_lines("a\n\n"), ["a\n", "\n"]);
    }

    #[test]
    fn the_safety_count_is_never_below_the_estimate() {
        assert_eq!(safety(50.0, "abc"), 50.0);
        assert_eq!(safety(0.0, &"x".repeat(35)), 12.0);
    }
}
