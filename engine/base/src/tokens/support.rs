//! Which tokenizer the comparator uses for a model, and whether it is built in here.

use std::sync::LazyLock;

use serde::Deserialize;

use super::counter::TOKENIZER_ID;

/// The families of models, most specific first: `tokenizer_support.v1.json` of the protocol.
static FAMILIES: LazyLock<Vec<TokenizerFamily>> = LazyLock::new(|| {
    let text = include_str!(concat!(
        "../../../../protocols/",
        env!("PROTOCOL"),
        "/tokenizer_support.v1.json"
    ));
    serde_json::from_str::<Matrix>(text).map(|matrix| matrix.families).unwrap_or_default()
});

#[derive(Deserialize)]
struct Matrix {
    families: Vec<TokenizerFamily>,
}

/// Models that the comparator counts with the same tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TokenizerFamily {
    /// Name of the family.
    pub model_family: String,
    /// Full names of the models that belong to it.
    names: Vec<String>,
    /// Lower-case parts of names: a model whose name contains one of them belongs to the family.
    fragments: Vec<String>,
    /// The tokenizer that the comparator counts with.
    pub tokenizer_id: String,
    /// True if we have this tokenizer.
    pub supported: bool,
    /// The reason for `supported`, in words.
    pub why: String,
}

impl TokenizerFamily {
    /// The family of a model; `None` only if the table is damaged, and then nothing is counted.
    pub fn of(model: &str) -> Option<&'static Self> {
        let lower = model.to_lowercase();
        FAMILIES.iter().find(|family| {
            family.names.iter().any(|name| name == model)
                || family.fragments.iter().any(|fragment| lower.contains(fragment))
        })
    }

    /// True if the tokenizer built in here counts as the comparator's does for this family.
    pub fn is_built_in(&self) -> bool {
        self.supported && self.tokenizer_id == TOKENIZER_ID
    }
}

#[cfg(test)]
mod tests {
    use super::TokenizerFamily;

    fn built_in(model: &str) -> bool {
        TokenizerFamily::of(model).unwrap().is_built_in()
    }

    // Measured from the comparator's own choice, which a test of the harness checks again.
    #[test]
    fn bare_anthropic_names_have_a_tokenizer_of_their_own() {
        for model in ["gpt-4o", "claude-3-opus-latest", "anthropic/claude-sonnet-4-5", "no-such"] {
            assert!(built_in(model), "{model}");
        }
        for model in ["claude-sonnet-4-5", "sonnet", "Meta/Llama-3-8b", "replicate/any"] {
            assert!(!built_in(model), "{model}");
        }
    }
}
