//! The part of the comparator tuple that the source tree pins, known before anything is installed.

use std::collections::BTreeMap;

use record::receipt::Package;
use serde::{Deserialize, Serialize};

use super::definition::Definition;

/// The comparator that a map is compared with. The recording of a run adds what must be measured: the
/// interpreter, the driver and the environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedTuple {
    /// What is measured: the constructor behind the command line.
    pub entry_point: String,
    /// The released package.
    pub aider_release: Package,
    /// The pinned commit.
    pub aider_commit_sha: String,
    /// The package that renders trees.
    pub grep_ast_provenance: Package,
    /// Encoding name.
    pub tokenizer_id: String,
    /// Libraries and their versions.
    pub tokenizer_version: String,
    /// Digest of the hash-locked requirements.
    pub lock_sha256: String,
    /// Digests of the source files that determine the map.
    pub sources_sha256: BTreeMap<String, String>,
}

impl PinnedTuple {
    /// The pins of the definition that this program was built with.
    ///
    /// # Errors
    /// `comparator.toml` was malformed when the program was built.
    pub fn embedded() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("../../../comparators/aider/comparator.toml")).map(Self::of)
    }

    fn of(definition: Definition) -> Self {
        let Definition { expected, wheel, .. } = definition;
        Self {
            entry_point: definition.entry_point,
            aider_release: Package { wheel_sha256: Some(wheel.sha256), ..expected.aider_release },
            aider_commit_sha: definition.aider_commit_sha,
            grep_ast_provenance: expected.grep_ast_provenance,
            tokenizer_id: expected.tokenizer.id,
            tokenizer_version: expected.tokenizer.version,
            lock_sha256: definition.install.lock_sha256.into(),
            sources_sha256: expected.sources_sha256,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PinnedTuple;
    use crate::comparator::tuple::tests::complete;

    #[test]
    fn the_pins_are_those_of_the_complete_tuple() {
        let (pinned, tuple) = (PinnedTuple::embedded().unwrap(), complete());
        let (pinned, tuple) =
            (serde_json::to_value(pinned).unwrap(), serde_json::to_value(tuple).unwrap());
        for (member, value) in pinned.as_object().unwrap() {
            assert_eq!(Some(value), tuple.get(member), "{member}");
        }
    }
}
