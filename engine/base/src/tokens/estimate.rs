//! The comparator's sampled estimate, and the conservative count that keeps a hard budget.

use super::{Tokenizer, by_length::count_by_length};
use crate::text::{characters, lines::lines_with_ends};

/// Texts shorter than this many code points are counted exactly.
const EXACT_BELOW: usize = 200;
/// About this many lines are sampled.
const SAMPLED_LINES: usize = 100;
/// The factor by which the safety count raises the count by length.
const SAFETY_MARGIN: f64 = 1.15;

/// Aider's `RepoMap.token_count`: exact below 200 code points, else every `lines/100`-th line is
/// counted and scaled up by code points, in exactly this order of floating-point operations.
pub fn estimate(tokenizer: Tokenizer, text: &str) -> f64 {
    estimate_by(&mut |text| tokenizer.count(text), text)
}

/// As [`estimate`], with a function that gives the number of tokens of a text.
pub fn estimate_by(tokens: &mut dyn FnMut(&str) -> usize, text: &str) -> f64 {
    let length = characters::length(text);
    if length < EXACT_BELOW {
        return tokens(text) as f64;
    }
    let count = lines_with_ends(text).count();
    let step = (count / SAMPLED_LINES).max(1);
    let sample: String = lines_with_ends(text).step_by(step).collect();
    tokens(&sample) as f64 / characters::length(&sample) as f64 * length as f64
}

/// The safety count in tokens (the reference's A3): the greater of the estimate and of the count by
/// length times its margin. A map counts as text of mixed languages.
pub fn safety_count(estimate: f64, text: &str) -> f64 {
    estimate.max((count_by_length(text, None) * SAFETY_MARGIN).ceil())
}

#[cfg(test)]
mod tests {
    use super::{Tokenizer, estimate, safety_count};

    // Expected counts are tiktoken 0.12's for cl100k_base.
    #[test]
    fn short_texts_are_counted_exactly() {
        let counter = Tokenizer::Cl100k;
        assert_eq!(estimate(counter, ""), 0.0);
        assert_eq!(estimate(counter, "hello world"), 2.0);
        assert_eq!(counter.count("<|endoftext|>"), 7);
    }

    #[test]
    fn up_to_199_lines_the_sample_is_the_text() {
        let counter = Tokenizer::Cl100k;
        let text = "some words here\n".repeat(150);
        assert!((estimate(counter, &text) - counter.count(&text) as f64).abs() < 1e-9);
    }

    #[test]
    fn sampling_can_alias_with_an_alternating_text() {
        let counter = Tokenizer::Cl100k;
        let text = "⋮\na rather long line of words that costs many tokens\n".repeat(120);
        assert!(estimate(counter, &text) > 3.0 * counter.count(&text) as f64);
    }

    #[test]
    fn the_safety_count_never_falls_below_the_estimate() {
        assert_eq!(safety_count(50.0, "abc"), 50.0);
        assert_eq!(safety_count(0.0, &"x".repeat(35)), 12.0);
    }
}
