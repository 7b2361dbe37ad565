//! What a sign-off must consist of. The protocol decides this, not the bundle: a plan that asks for
//! less is refused, and so is a recording that answers something else than its unit asks.
//!
//! [`Composition`] is `composition.toml` of the protocol, one [`SignOff`] for each set and profile.
//! [`plan`](fn@plan) checks a plan against it, [`recordings`](fn@recordings) checks every recording
//! against its unit.

mod baselines;
mod comparator;
mod error;
mod frozen;
mod plan;
mod recordings;
mod statement;
mod volt;

use std::{collections::BTreeMap, path::Path};

use record::{Digest, GateName, Plan, PlannedCorpus, Profile, Schema, Set, protocol::COMPOSITION};
use serde::{Deserialize, Serialize};

use crate::protocol::{ProtocolError, read_toml};

pub use error::CompositionError;
pub use frozen::frozen;
pub use plan::plan;
pub use recordings::recordings;
pub use statement::{VOLT, statement};

const HEAD: &str = "# What a sign-off must consist of, by set and profile. Written by `parity protocol compose --write`;\n\
    # `parity verify` refuses a bundle that consists of anything else.\n";

/// What each sign-off must consist of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// One for each set and profile.
    pub sign_off: Vec<SignOff>,
}

/// What a sign-off over one set in one profile must consist of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignOff {
    /// The set of corpora.
    pub set: Set,
    /// The profile.
    pub profile: Profile,
    /// The gates, in order.
    pub gates: Vec<GateName>,
    /// Budgets in tokens.
    pub budgets: Vec<u64>,
    /// The further budget of the first case of each corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wide_budget: Option<u64>,
    /// Files that the plan must rest on, sorted. Their digests are those of the verifier's checkout.
    pub rests_on: Vec<String>,
    /// The corpora, by name.
    pub corpora: BTreeMap<String, Required>,
}

/// What must be asked about one corpus. The digest decides; the counts are for readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// True if a run may skip it, and say so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Commit id of its repository.
    pub commit: String,
    /// Number of cases.
    pub cases: usize,
    /// Number of repeated maps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u64,
    /// Number of call sequences.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub sequences: usize,
    /// Number of trials.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub trials: usize,
    /// Least number of seeded runs of the comparator.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub raw_seeds: u64,
    /// Number of files to explore.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub explorations: usize,
    /// Number of tasks.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tasks: usize,
    /// Number of models.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub models: usize,
    /// Number of files that questions are about.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub summaries: usize,
    /// Number of places to navigate from.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub navigation: usize,
    /// Number of scenarios of the store.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub scenarios: usize,
    /// sha256 of the planned corpus as JSON, without the number of seeded runs.
    pub sha256: Digest,
}

impl Composition {
    /// Reads the composition below `root`.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn open(root: &Path) -> Result<Self, ProtocolError> {
        read_toml(&root.join(COMPOSITION))
    }

    /// The composition as the text of its file.
    ///
    /// # Errors
    /// A number is too large for TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        Ok(format!("{HEAD}{}", toml::to_string(self)?))
    }

    /// The sign-off over a set in a profile.
    pub fn of(&self, set: Set, profile: Profile) -> Option<&SignOff> {
        self.sign_off.iter().find(|one| one.set == set && one.profile == profile)
    }
}

impl SignOff {
    /// What a plan of a whole set consists of.
    ///
    /// # Errors
    /// A corpus cannot be written as JSON.
    pub fn of_plan(plan: &Plan) -> Result<Self, serde_json::Error> {
        let corpora = plan.corpora.iter();
        Ok(Self {
            set: plan.set,
            profile: plan.profile,
            gates: plan.gates.clone(),
            budgets: plan.budgets.clone(),
            wide_budget: plan.wide_budget,
            // A run need not ask a checkout of Volt, so the files that say how it is asked are not demanded.
            rests_on: plan
                .rests_on
                .keys()
                .filter(|file| Path::new(file).parent() != Some(Path::new(record::volt::FOLDER)))
                .cloned()
                .collect(),
            corpora: corpora
                .map(|corpus| Ok((corpus.name.clone(), Required::of(corpus)?)))
                .collect::<Result<_, serde_json::Error>>()?,
        })
    }
}

impl Required {
    /// What a planned corpus consists of.
    fn of(corpus: &PlannedCorpus) -> Result<Self, serde_json::Error> {
        let unseeded = PlannedCorpus { raw_seeds: 0, ..corpus.clone() };
        Ok(Self {
            optional: corpus.optional,
            commit: corpus.commit.clone(),
            cases: corpus.cases.len(),
            repeats: corpus.repeats,
            sequences: corpus.sequences.len(),
            trials: corpus.trials.len(),
            raw_seeds: corpus.raw_seeds,
            explorations: corpus.explorations.len(),
            tasks: corpus.tasks.len(),
            models: corpus.models.len(),
            summaries: corpus.summaries.len(),
            navigation: corpus.navigation.len(),
            scenarios: corpus.scenarios.len(),
            sha256: Digest::of(serde_json::to_vec(&unseeded)?),
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
const fn is_empty(number: &usize) -> bool {
    *number == 0
}
