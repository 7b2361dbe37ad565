//! The exact tokenizer-backed counts.

use super::TokenizerFamily;

/// A tokenizer that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tokenizer {
    /// `cl100k_base`, with which the comparator counts all but a few models, measured on its release.
    /// Special tokens are treated as ordinary text.
    Cl100k,
    /// The older Claude tokenizer, with which the comparator counts bare Claude names. A special token is
    /// one token.
    Claude,
}

impl Tokenizer {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Cl100k, Self::Claude];

    /// Its name in `tokenizer_support.v1.json` of the protocol.
    pub fn id(self) -> &'static str {
        match self {
            Self::Cl100k => "cl100k_base",
            Self::Claude => "anthropic_tokenizer",
        }
    }

    /// The tokenizer that the comparator counts a model with, by its full name; `None` if it is not built in.
    pub fn of(model: &str) -> Option<Self> {
        let family = TokenizerFamily::of(model)?;
        Self::ALL.into_iter().find(|tokenizer| tokenizer.id() == family.tokenizer_id)
    }

    /// Number of tokens of a text.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Cl100k => tokenizer::count(text),
            Self::Claude => tokenizer::claude::count(text),
        }
    }
}

/// Counts tokens of `cl100k_base`, where it does not matter which model reads the text. Special tokens
/// are treated as ordinary text.
#[derive(Debug, Clone, Copy)]
pub struct Counter;

impl Counter {
    /// Number of tokens of a text.
    pub fn count(&self, text: &str) -> usize {
        Tokenizer::Cl100k.count(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Tokenizer;

    // Measured from the comparator's own choice, which a test of the harness checks again.
    #[test]
    fn bare_anthropic_names_have_a_tokenizer_of_their_own() {
        for model in ["gpt-4o", "claude-3-opus-latest", "anthropic/claude-sonnet-4-5", "no-such"] {
            assert_eq!(Tokenizer::of(model), Some(Tokenizer::Cl100k), "{model}");
        }
        for model in ["claude-sonnet-4-5", "sonnet"] {
            assert_eq!(Tokenizer::of(model), Some(Tokenizer::Claude), "{model}");
        }
        for model in ["Meta/Llama-3-8b", "replicate/any"] {
            assert_eq!(Tokenizer::of(model), None, "{model}");
        }
    }
}
