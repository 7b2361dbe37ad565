//! The exact tokenizer-backed count.

/// The tokenizer that the comparator uses for all but a few models, measured on its release.
pub const TOKENIZER_ID: &str = "cl100k_base";

/// Counts tokens of `cl100k_base`, the comparator's encoding for all but a few models. Special
/// tokens are treated as ordinary text.
#[derive(Debug, Clone, Copy)]
pub struct Counter;

impl Counter {
    /// Number of tokens of a text.
    pub fn count(&self, text: &str) -> usize {
        tokenizer::count(text)
    }
}
