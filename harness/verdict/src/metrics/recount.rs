//! Token counts of a recorded text, made again without the engine.
//!
//! The vocabulary and the splitting are those of the published `tiktoken-rs`; the engine counts with
//! tables of its own.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

static CL100K: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::cl100k_base().ok());

/// Texts shorter than this many code points are counted exactly (Aider's `RepoMap.token_count`).
const EXACT_BELOW: usize = 200;
/// About this many lines of a longer text are counted.
const SAMPLED_LINES: usize = 100;

/// The count of a text in tokens. `None` if the vocabulary cannot be read.
pub fn exact(text: &str) -> Option<u64> {
    Some(CL100K.as_ref()?.encode_ordinary(text).len() as u64)
}

/// The comparator's estimate of a text in tokens: the exact count of a short text; otherwise the count of
/// every n-th line, scaled by code points in the comparator's order of operations. `None` if the vocabulary
/// cannot be read.
pub fn estimate(text: &str) -> Option<f64> {
    let counter = CL100K.as_ref()?;
    let count = |text: &str| counter.encode_ordinary(text).len() as f64;
    let length = text.chars().count();
    if length < EXACT_BELOW {
        return Some(count(text));
    }
    let lines = python_lines(text);
    let step = (lines.len() / SAMPLED_LINES).max(1);
    let sample: String = lines.into_iter().step_by(step).collect();
    Some(count(&sample) / sample.chars().count() as f64 * length as f64)
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
    use super::{estimate, python_lines, safety};

    // Expected counts are those of tiktoken 0.12 for cl100k_base.
    #[test]
    fn a_short_text_is_counted_exactly() {
        assert_eq!(estimate(""), Some(0.0));
        assert_eq!(estimate("hello world"), Some(2.0));
        assert_eq!(estimate("<|endoftext|>"), Some(7.0));
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
