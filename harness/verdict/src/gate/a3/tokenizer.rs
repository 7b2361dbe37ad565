//! Which models may be scored: `tokenizer_support.v1.json` of the protocol.

use serde::Deserialize;

/// The families of models, most specific first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenizerSupport {
    /// Schema of the file.
    pub schema_version: u32,
    /// What the file says, in words.
    pub about: Vec<String>,
    /// The comparator that it was measured from: package and version.
    pub comparator: std::collections::BTreeMap<String, String>,
    /// The families.
    pub families: Vec<TokenizerFamily>,
}

/// Models that the comparator counts with the same tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenizerFamily {
    /// Name of the family.
    pub model_family: String,
    /// Models that belong to it by their whole name.
    pub names: Vec<String>,
    /// Parts of a name, in lower case, each of which makes a model belong to it.
    pub fragments: Vec<String>,
    /// The tokenizer that the comparator counts with.
    pub tokenizer_id: String,
    /// Its libraries and their versions.
    pub tokenizer_version: String,
    /// True if runs for these models may be scored.
    pub supported: bool,
    /// The reason for this row, in words.
    pub why: String,
}

impl TokenizerSupport {
    /// The family of a model: the first that it belongs to.
    pub fn family(&self, model: &str) -> Option<&TokenizerFamily> {
        let lower = model.to_lowercase();
        self.families.iter().find(|family| {
            family.names.iter().any(|name| name == model)
                || family.fragments.iter().any(|fragment| lower.contains(fragment))
        })
    }

    /// Why a run for this model is invalid, if it is.
    pub fn refusal(&self, model: &str) -> Option<String> {
        match self.family(model) {
            Some(family) if family.supported => None,
            Some(family) => Some(format!(
                "the comparator counts {model} with {}, which is not available: {}",
                family.tokenizer_id, family.why
            )),
            None => Some(format!("no tokenizer is known for {model}")),
        }
    }
}
