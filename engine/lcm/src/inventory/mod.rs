//! The inventory of all paths: one document of what is registered and what is really taken.
//!
//! [`ARTIFACT`] is the committed inventory of this version. [`differences`] accepts no gap: a path
//! that is registered, taken or inventoried must be all three.

mod exercise;

use std::collections::BTreeSet;

use base::profile::Profile;
use serde::{Deserialize, Serialize};

pub use exercise::exercise;

use crate::{
    path::{ConfigGate, PathKind, PathRow, Registry},
    trace::Trace,
};

/// The committed inventory.
pub const ARTIFACT: &str =
    include_str!("../../../../protocols/runtime/runtime_ingestion_paths.v1.json");

/// All paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inventory {
    /// Version of the inventory. It changes when a path is added or removed.
    pub version: u32,
    /// The day on which this version was made.
    pub generated_at: String,
    /// How the paths were found.
    pub discovery_method: String,
    /// The profiles that it holds for.
    pub profile: String,
    /// The paths.
    pub paths: Vec<Entry>,
}

/// A path, with the fields of its [`PathRow`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// Which way it leads.
    pub path_kind: PathKind,
    /// The function that runs it.
    pub entrypoint: String,
    /// When it is taken.
    pub trigger: String,
    /// Whether this program runs it.
    pub in_scope: bool,
    /// Whether it leaves an exploration in the store in the parity profile.
    pub persists_exploration_parity: bool,
    /// Whether it does in the enhancement profile.
    pub persists_exploration_enhanced: bool,
    /// The settings that it obeys.
    pub config_gates: Vec<ConfigGate>,
    /// What it does.
    pub description: String,
    /// Where the comparator does the same, if it does.
    pub provenance: Option<String>,
    /// The profiles in which it was really taken.
    pub traced: BTreeSet<String>,
}

impl Inventory {
    /// The inventory of the registered paths, with the profiles in which each was taken. A path
    /// that was taken without being registered is not part of it; [`differences`] reports such a
    /// path.
    pub fn of(registry: &Registry, trace: &Trace) -> Self {
        let entry = |row: &PathRow| Entry {
            id: row.id.clone(),
            path_kind: row.kind(),
            entrypoint: row.entrypoint.clone(),
            trigger: row.trigger.clone(),
            in_scope: row.in_scope,
            persists_exploration_parity: row.persists_exploration.parity,
            persists_exploration_enhanced: row.persists_exploration.enhancement,
            config_gates: row.config_gates.clone(),
            description: row.description.clone(),
            provenance: row.provenance.clone(),
            traced: trace.0.get(&row.id).cloned().unwrap_or_default(),
        };
        Self {
            version: registry.version,
            generated_at: registry.generated_at.clone(),
            discovery_method: "registration table and tracing spans".to_owned(),
            profile: "parity and enhancement".to_owned(),
            paths: registry.paths.iter().map(entry).collect(),
        }
    }
}

/// The disagreements between the registration table, the trace and the inventory, in words; empty
/// if there are none.
pub fn differences(registry: &Registry, trace: &Trace, inventory: &Inventory) -> Vec<String> {
    let mut found = Vec::new();
    let entry = |id: &str| inventory.paths.iter().find(|entry| entry.id == id);
    for row in registry.paths.iter().filter(|row| entry(&row.id).is_none()) {
        found.push(format!("{} is registered and not in the inventory", row.id));
    }
    for path in trace.0.keys() {
        if registry.row(path).is_none() {
            found.push(format!("{path} is taken and not registered"));
        }
        if entry(path).is_none() {
            found.push(format!("{path} is taken and not in the inventory"));
        }
    }
    let made = Inventory::of(registry, trace);
    for entry in &inventory.paths {
        let Some(now) = made.paths.iter().find(|now| now.id == entry.id) else {
            found.push(format!("{} is in the inventory and not registered", entry.id));
            continue;
        };
        for profile in [Profile::Parity, Profile::Enhancement].map(Profile::as_str) {
            if entry.in_scope && !now.traced.contains(profile) {
                found.push(format!("{} is not taken in the {profile} profile", entry.id));
            }
        }
        if now != entry {
            found.push(format!("{} is described differently in the inventory", entry.id));
        }
    }
    let heads = |inventory: &Inventory| Inventory { paths: Vec::new(), ..inventory.clone() };
    if heads(&made) != heads(inventory) {
        found.push("the head of the inventory is another".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ARTIFACT, Inventory, differences, exercise};
    use crate::path::Registry;

    fn artifact() -> Inventory {
        serde_json::from_str(ARTIFACT).unwrap()
    }

    #[test]
    fn the_committed_inventory_is_what_is_registered_and_what_is_taken() {
        let registry = Registry::built_in().unwrap();
        let trace = exercise().unwrap();
        assert_eq!(differences(registry, &trace, &artifact()), [""; 0]);
    }

    #[test]
    fn a_path_that_is_missing_anywhere_is_named() {
        let registry = Registry::built_in().unwrap();
        let trace = exercise().unwrap();
        let id = "lcm.tool_output.create";
        let named = |found: Vec<String>, what: &str| {
            let said = format!("{id} {what}");
            assert!(found.iter().any(|line| line.starts_with(&said)), "{said}: {found:?}");
        };

        let mut fewer = registry.clone();
        fewer.paths.retain(|row| row.id != id);
        named(differences(&fewer, &trace, &artifact()), "is taken and not registered");
        named(differences(&fewer, &trace, &artifact()), "is in the inventory and not registered");

        let mut untraced = trace.clone();
        untraced.0.remove(id);
        named(differences(registry, &untraced, &artifact()), "is not taken in the parity profile");

        let mut shorter = artifact();
        shorter.paths.retain(|entry| entry.id != id);
        named(differences(registry, &trace, &shorter), "is registered and not in the inventory");
        named(differences(registry, &trace, &shorter), "is taken and not in the inventory");

        let mut flipped = artifact();
        flipped.paths[0].persists_exploration_parity = true;
        named(differences(registry, &trace, &flipped), "is described differently");
    }
}
