//! Which tokenizer the comparator uses for a model.

use std::sync::LazyLock;

use serde::Deserialize;

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
}
