//! Which models are compared: `models.toml` of the protocol.

use record::protocol::MODELS;
use serde::Deserialize;

use crate::protocol::{Protocol, ProtocolError};

/// The models of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelList {
    /// The authored corpus on which they are compared.
    pub corpus: String,
    /// The least number of models that must be equal in everything.
    pub min_equal_models: usize,
    /// Their names, as a user gives them.
    pub models: Vec<String>,
    /// Those that neither side may know.
    pub unknown: Vec<String>,
}

impl ModelList {
    /// Reads the list of a protocol.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        protocol.toml(MODELS)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use super::ModelList;
    use crate::{Protocol, gate::TokenizerSupport};

    #[test]
    fn the_protocol_compares_enough_models_and_none_twice() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let protocol = Protocol::open(&root).unwrap();
        let list = ModelList::open(&protocol).unwrap();
        let names: BTreeSet<&String> = list.models.iter().collect();
        assert_eq!(names.len(), list.models.len());
        assert!(!list.unknown.is_empty() && list.unknown.iter().all(|name| names.contains(name)));
        // The issue asks for 25, without those whose map rests on another tokenizer than that of the runs.
        let support: TokenizerSupport = protocol.json(record::protocol::TOKENIZERS).unwrap();
        let counted = list.models.iter().filter(|name| support.refusal(name).is_none()).count();
        assert!(list.min_equal_models >= 25 && counted >= list.min_equal_models, "{counted}");
    }
}
