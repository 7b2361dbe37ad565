//! What the comparator answered to a sequence of calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Attempt, ErrorDetail};

/// One sequence of calls to one coder of the comparator.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sequence {
    /// The id given in the request.
    pub id: String,
    /// The command line Aider was given.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// How the comparator understood its flags.
    #[serde(default)]
    pub repo_map: Option<BTreeMap<String, serde_json::Value>>,
    /// The calls that were answered, in order.
    pub calls: Vec<Call>,
    /// Why there are no more calls, if the comparator failed.
    pub error: Option<ErrorDetail>,
}

/// One call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call {
    /// The map of the last attempt; absent when there is none.
    pub listing: Option<String>,
    /// Whether the answer, which may be that there is no map, came from the comparator's cache.
    pub cached: bool,
    /// The steps of the fallback chain, in order.
    pub attempts: Vec<SequenceAttempt>,
}

/// One step of the fallback chain, and whether it came as far as asking the cache.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SequenceAttempt {
    /// False if the step ended before: no budget, or no other file.
    pub asked_cache: bool,
    /// The step itself.
    #[serde(flatten)]
    pub attempt: Attempt,
}

impl Sequence {
    /// The refresh mode in force.
    pub fn refresh(&self) -> Option<&str> {
        self.repo_map.as_ref()?.get("refresh")?.as_str()
    }
}
