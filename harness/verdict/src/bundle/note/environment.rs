//! When, where and how long a run was made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Predicate, is_moment, is_plain};

/// The most units whose durations are kept.
const MAX_UNITS: usize = 50_000;

/// When and where a run was made, as its runner states it. Nothing in it decides a verdict.
// Fields in alphabetical order of their JSON names, see `json::canonical`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Environment {
    /// Larger than in every bundle that the same key sealed before.
    pub counter: u64,
    /// When the evidence was complete, in UTC.
    pub finished_at: String,
    /// The machine.
    pub host: Host,
    /// When this attempt of the run began, in UTC.
    pub started_at: String,
    /// Wall time of each unit in milliseconds, by its key. For a unit from the response cache, it is the time
    /// that the recording took when it was made.
    pub units: BTreeMap<String, u64>,
    /// Versions of the programs that took part, by name.
    pub versions: BTreeMap<String, String>,
    /// Wall time of this attempt from its start to the sealing, in milliseconds.
    pub wall_ms: u64,
}

/// What is known of a machine. Neither its name nor its user is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Host {
    /// Such as `x86_64`.
    pub architecture: String,
    /// Load averages over 1, 5 and 15 minutes when the run was over; empty if the system gives none.
    pub load_after: String,
    /// The same before it began.
    pub load_before: String,
    /// Main memory in bytes; 0 if the system does not tell.
    pub memory_bytes: u64,
    /// Name of the processor; empty if the system does not tell.
    pub processor: String,
    /// Processors that programs can use.
    pub processors: u64,
    /// Name and version of the system.
    pub system: String,
}

impl Predicate for Environment {
    const KIND: &str = "environment";
    const TYPE: &str = "urn:parity:environment:1";

    fn check(&self) -> Result<(), &'static str> {
        let Host { architecture, load_after, load_before, processor, system, .. } = &self.host;
        let named = [architecture, load_after, load_before, processor, system];
        let versions = self.versions.iter().flat_map(|(name, version)| [name, version]);
        if !is_moment(&self.started_at) || !is_moment(&self.finished_at) {
            Err("a date is not of the form 2026-11-23T01:30:00Z")
        } else if self.finished_at < self.started_at {
            Err("it finished before it started")
        } else if self.units.len() > MAX_UNITS {
            Err("more units than a run has")
        } else if !named
            .into_iter()
            .chain(versions)
            .chain(self.units.keys())
            .all(|t| is_plain(t, false))
        {
            Err("a text has a control character")
        } else {
            Ok(())
        }
    }
}

impl Environment {
    /// The day on which the run was over, as `2026-11-23`.
    pub fn day(&self) -> &str {
        self.finished_at.get(..10).unwrap_or_default()
    }
}
