//! The exact tokenizer-backed count.

/// The tokenizer of the comparator for every model but a few (measured on its release).
pub const TOKENIZER_ID: &str = "cl100k_base";

/// Counts tokens of `cl100k_base`, the comparator's encoding for every model but a few; special
/// tokens are ordinary text.
#[derive(Debug, Clone, Copy)]
pub struct Counter;

impl Counter {
    /// Number of tokens of a text.
    pub fn count(&self, text: &str) -> usize {
        tokenizer::count(text)
    }
}
