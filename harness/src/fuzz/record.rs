//! The result of a search.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::comparator::ComparatorTuple;

/// The record of a search, as it is serialised.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Record {
    /// Schema of this file.
    pub schema_version: u32,
    /// The seed; repository `n`, from 0, is drawn from `seed + n`.
    pub seed: u64,
    /// The set whose corpora provided the text.
    pub set: String,
    /// sha256 of the program that answered on our side.
    pub program_sha256: String,
    /// Commit of the comparator.
    pub comparator_commit: String,
    /// The whole comparator tuple.
    pub comparator_tuple: Option<ComparatorTuple>,
    /// Digest of the locked corpora that provided the text, as in plans. It does not cover the text
    /// from the checkout: authored corpora and seeds.
    pub fixtures_sha256: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Number of repositories that were drawn and made.
    pub tried: u64,
    /// Number of repositories for which both sides gave all maps.
    pub compared: u64,
    /// Number of maps that were compared and are equal.
    pub equal_maps: u64,
    /// Number of files in the repositories, by ending.
    pub files: BTreeMap<String, u64>,
    /// Number of repositories on which the comparator failed, by the kind of failure.
    pub unanswered: BTreeMap<String, u64>,
    /// Number of repositories with a difference that a declared deviation explains, by its id.
    pub declared: BTreeMap<String, u64>,
    /// Number of repositories with a difference that a declared deviation may explain, by its id:
    /// without the files that it covers, no repository can be made, so both sides could not be run.
    pub undecided: BTreeMap<String, u64>,
    /// Number of repositories with any other difference.
    pub different: u64,
    /// The differences that were written down.
    pub findings: Vec<Finding>,
}

/// One difference that no declared deviation explains.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The seed that draws its repository.
    pub seed: u64,
    /// The first layer that differs.
    pub layer: String,
    /// How it differs in the shrunk repository.
    pub note: String,
    /// The folder with the shrunk repository as an authored corpus.
    pub folder: String,
    /// Files before and after shrinking.
    pub files: [usize; 2],
    /// Bytes before and after shrinking.
    pub bytes: [usize; 2],
    /// Whether shrinking was finished.
    pub shrunk: bool,
    /// Whether its text comes from other projects and so must not be committed here.
    pub third_party: bool,
}

impl Record {
    /// Number of repositories of which it is known that both sides agree, or differ as declared.
    pub fn decided(&self) -> u64 {
        self.compared.saturating_sub(self.undecided.values().sum())
    }
}
