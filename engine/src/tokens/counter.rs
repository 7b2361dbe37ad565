//! The exact tokenizer-backed count.

use std::sync::OnceLock;

use tiktoken_rs::CoreBPE;

/// The tokenizer of the comparator for every model but a few (`facts` of the comparator, 2).
pub const TOKENIZER_ID: &str = "cl100k_base";

/// The tokenizer cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("the tokenizer {TOKENIZER_ID} cannot be loaded: {0}")]
pub struct TokenizerError(String);

/// Counts tokens of `cl100k_base`, special tokens being ordinary text.
#[derive(Clone, Copy)]
pub struct Counter {
    bpe: &'static CoreBPE,
}

impl std::fmt::Debug for Counter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(TOKENIZER_ID)
    }
}

impl Counter {
    /// Loads the tokenizer, which takes tenths of a second the first time and nothing later.
    pub fn load() -> Result<Self, TokenizerError> {
        static BPE: OnceLock<Result<CoreBPE, String>> = OnceLock::new();
        BPE.get_or_init(|| tiktoken_rs::cl100k_base().map_err(|error| error.to_string()))
            .as_ref()
            .map(|bpe| Self { bpe })
            .map_err(|error| TokenizerError(error.clone()))
    }

    /// Number of tokens of a text.
    pub fn count(&self, text: &str) -> usize {
        self.bpe.encode_ordinary(text).len()
    }
}
