//! What a run will do, decided before anything runs. Its digest names the run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Case, Digest, GateName, NavPlace, Profile, Scenario, Schema, Sequence, Set, Task, Trial, View,
    Volt,
};

/// A plan: everything that the results depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Schema of this file.
    pub schema_version: Schema<3>,
    /// The set of corpora that is run.
    pub set: Set,
    /// The profile that is run.
    pub profile: Profile,
    /// True if only some corpora, budgets or gates were asked for, or another comparator than the pinned one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// True if only some corpora, languages or budgets were asked for, so that no gate can demand
    /// that there is enough of everything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub narrowed: bool,
    /// The comparator that is asked in place of the pinned one, in words; absent for the pinned one. Such a
    /// run is partial too: it is reported and never signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpinned: Option<String>,
    /// Gate ids, sorted; all of them must have a verdict.
    pub gates: Vec<GateName>,
    /// Budgets in tokens.
    pub budgets: Vec<u64>,
    /// A further budget in tokens, for the first case of each corpus.
    pub wide_budget: Option<u64>,
    /// The checkout of Volt that explores the same files as our program. Absent if there is none; then Volt's
    /// behaviour is known from contracts alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volt: Option<Volt>,
    /// Corpora in order of their names.
    pub corpora: Vec<PlannedCorpus>,
    /// Optional corpora of the selection that are not available here, with the reason, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, String>,
    /// The same for corpora that would have been explored but not mapped.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unexplored: BTreeMap<String, String>,
    /// Digest over all corpora of the run, see [`fixtures_sha256`].
    pub fixtures_sha256: String,
    /// sha256 of the program that is measured.
    pub engine_sha256: String,
    /// sha256 by path of protocols, locks and comparator files that the run rests on.
    pub rests_on: BTreeMap<String, String>,
    /// HEAD's commit of the source that is measured.
    pub source_commit: String,
    /// Tree id of the source as it was, uncommitted changes included.
    pub source_tree: String,
}

/// One corpus of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedCorpus {
    /// Its name.
    pub name: String,
    /// True if we wrote it, so that its text may be committed.
    pub authored: bool,
    /// True if a run may skip it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Commit id of the materialised repository.
    pub commit: String,
    /// Digest of the row or folder that locks it.
    pub fingerprint: String,
    /// Its cases; none if it is not mapped.
    pub cases: Vec<Case>,
    /// How both sides look at it.
    #[serde(default, skip_serializing_if = "View::is_plain")]
    pub view: View,
    /// Number of repeated runs for the vertical slice; 0 for corpora that are not the slice.
    pub repeats: u64,
    /// Call sequences for A4; empty for corpora that have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<Sequence>,
    /// Trials for A5 of the first case at the first budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
    /// Number of the comparator's seeded runs, seeds from 0; 0 where none are made.
    #[serde(default)]
    pub raw_seeds: u64,
    /// Files to explore, sorted; none if it is not explored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explorations: Vec<String>,
    /// Tasks for E1: every system maps the corpus for each of them at every budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
    /// Names of models for A3: both sides map the corpus for each of them, with the model's own budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Files that questions of U1 are about, sorted: every system shows them at every budget of summaries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<String>,
    /// Places for N1, in the order in which they are asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub navigation: Vec<NavPlace>,
    /// Scenarios of the store of large content for B3; they run in copies of this corpus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<Scenario>,
}

impl PlannedCorpus {
    /// A corpus that nothing is asked about yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            authored: false,
            optional: false,
            commit: String::new(),
            fingerprint: String::new(),
            cases: Vec::new(),
            view: View::default(),
            repeats: 0,
            sequences: Vec::new(),
            trials: Vec::new(),
            raw_seeds: 0,
            explorations: Vec::new(),
            tasks: Vec::new(),
            models: Vec::new(),
            summaries: Vec::new(),
            navigation: Vec::new(),
            scenarios: Vec::new(),
        }
    }
}

impl Plan {
    /// A plan that asks for nothing yet and rests on nothing.
    pub const fn new(set: Set, profile: Profile) -> Self {
        Self {
            schema_version: Schema,
            set,
            profile,
            partial: false,
            narrowed: false,
            unpinned: None,
            gates: Vec::new(),
            budgets: Vec::new(),
            wide_budget: None,
            volt: None,
            corpora: Vec::new(),
            skipped: BTreeMap::new(),
            unexplored: BTreeMap::new(),
            fixtures_sha256: String::new(),
            engine_sha256: String::new(),
            rests_on: BTreeMap::new(),
            source_commit: String::new(),
            source_tree: String::new(),
        }
    }

    /// The digest that names the run: sha256 of the plan's JSON.
    pub fn id(&self) -> Result<Digest, serde_json::Error> {
        Ok(Digest::of(serde_json::to_vec(self)?))
    }

    /// The budgets of the case at a position among those of its corpus.
    pub fn budgets_of(&self, position: usize) -> Vec<u64> {
        budgets_of(position, &self.budgets, self.wide_budget)
    }

    /// Every case of a corpus with every budget that it is mapped at, in the order in which one
    /// process of ours is asked for them.
    pub fn maps_of<'a>(
        &'a self,
        corpus: &'a PlannedCorpus,
    ) -> impl Iterator<Item = (&'a Case, u64)> {
        corpus.cases.iter().enumerate().flat_map(|(position, case)| {
            self.budgets_of(position).into_iter().map(move |budget| (case, budget))
        })
    }

    /// Every task of a corpus with every budget, in the order in which each system is asked for them.
    pub fn tasks_of<'a>(
        &'a self,
        corpus: &'a PlannedCorpus,
    ) -> impl Iterator<Item = (&'a Task, u64)> {
        let budgets = || self.budgets.iter().copied();
        corpus.tasks.iter().flat_map(move |task| budgets().map(move |budget| (task, budget)))
    }

    /// Number of files to explore.
    pub fn explored(&self) -> usize {
        self.corpora.iter().map(|corpus| corpus.explorations.len()).sum()
    }

    /// Number of (corpus, case, budget) triples.
    pub fn size(&self) -> usize {
        self.corpora.iter().map(|corpus| self.maps_of(corpus).count()).sum()
    }
}

/// One digest over corpora, by name and fingerprint.
pub fn fixtures_sha256(corpora: &[PlannedCorpus]) -> String {
    let sorted: BTreeMap<&str, &str> =
        corpora.iter().map(|corpus| (corpus.name.as_str(), corpus.fingerprint.as_str())).collect();
    let lines = sorted.into_iter().map(|(name, fingerprint)| format!("{fingerprint}  {name}\n"));
    Digest::of(lines.collect::<String>()).into()
}

/// The budgets, in tokens, of the case at a position. Only the first case has the wide one, which takes
/// longest.
pub fn budgets_of(position: usize, budgets: &[u64], wide: Option<u64>) -> Vec<u64> {
    budgets.iter().copied().chain(wide.filter(|_| position == 0)).collect()
}
