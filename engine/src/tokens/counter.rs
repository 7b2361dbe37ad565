//! The exact tokenizer-backed count.

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
