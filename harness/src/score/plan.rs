//! What is explored and held against what, decided before anything runs.

use std::collections::BTreeMap;

use record::{GateId, Profile, ProfileObject};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Files of one call of `parity explore`.
pub const BATCH: usize = 100;

/// The plan of a scoring run: everything that its result depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScorePlan {
    /// Schema of this file.
    pub schema_version: u32,
    /// `smoke` or `full`.
    pub set: String,
    /// The whole profile object, the comparator's contracts included.
    pub profile: ProfileObject,
    /// True if only some corpora or languages were asked for.
    pub partial: bool,
    /// Gates.
    pub gates: Vec<GateId>,
    /// Version of the scoring protocol.
    pub scoring_version: u32,
    /// Digest of the scoring protocol.
    pub scoring_sha256: String,
    /// Version of the protocol of formats.
    pub formats_version: u32,
    /// Digest of the protocol of formats.
    pub formats_sha256: String,
    /// Digest of the gold by language or format.
    pub gold_sha256: BTreeMap<String, String>,
    /// Corpora in order of their names.
    pub corpora: Vec<ScoredCorpus>,
    /// Optional corpora that cannot be had here, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, String>,
    /// Digest over all corpora of the run.
    pub fixtures_sha256: String,
    /// sha256 of the program that is measured.
    pub engine_sha256: String,
    /// HEAD's commit of the source that is measured.
    pub source_commit: String,
    /// Tree id of the source as it was, uncommitted changes included.
    pub source_tree: String,
}

/// One corpus of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoredCorpus {
    /// Its name.
    pub name: String,
    /// Commit id of the materialised repository.
    pub commit: String,
    /// Files to explore, sorted.
    pub files: Vec<String>,
}

impl ScorePlan {
    /// The digest that names the run.
    ///
    /// # Errors
    /// It cannot be serialised, which no plan brings about.
    pub fn id(&self) -> Result<String, serde_json::Error> {
        Ok(record::digest::sha256(serde_json::to_vec(self)?))
    }

    /// What is aimed at.
    pub const fn profile_name(&self) -> Profile {
        self.profile.profile
    }

    /// Why the profile object does not allow a score: the reference demands determinism, and that
    /// no parity run has an enhancement tier.
    pub fn refusal(&self) -> Option<String> {
        let tuple = self.profile.comparator_tuple.as_ref();
        let contracts = tuple.and_then(|tuple| tuple.get("volt")).and_then(Value::as_str);
        self.profile.refusal(self.profile_name()).or_else(|| {
            (contracts != Some("contracts"))
                .then(|| "the profile object does not say how the comparator is known".to_owned())
        })
    }

    /// Corpus and files of every call of our program, with the key of its recording.
    pub fn units(&self) -> Vec<(String, &ScoredCorpus, &[String])> {
        let mut units = Vec::new();
        for corpus in &self.corpora {
            for (number, files) in corpus.files.chunks(BATCH).enumerate() {
                units.push((format!("explore/{}/{number}", corpus.name), corpus, files));
            }
        }
        units
    }

    /// Number of files.
    pub fn size(&self) -> usize {
        self.corpora.iter().map(|corpus| corpus.files.len()).sum()
    }
}
