//! What a search came to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::comparator::ComparatorTuple;

/// The record of a search, as it is written.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Record {
    /// Schema of this file.
    pub schema_version: u32,
    /// The seed; repository `n`, from 0, is drawn from `seed + n`.
    pub seed: u64,
    /// The set whose corpora gave the text.
    pub set: String,
    /// sha256 of the program that answered on our side.
    pub program_sha256: String,
    /// Commit of the comparator.
    pub comparator_commit: String,
    /// The whole comparator tuple.
    pub comparator_tuple: Option<ComparatorTuple>,
    /// Digest of the locked corpora that gave the text, as plans have it. What is taken from the checkout beside
    /// them, authored corpora and seeds, is not in it.
    pub fixtures_sha256: String,
    /// Seconds that it took.
    pub seconds: f64,
    /// Repositories that were drawn and made.
    pub tried: u64,
    /// Repositories of which both sides gave all maps.
    pub compared: u64,
    /// Maps that were compared and are equal.
    pub equal_maps: u64,
    /// Files of the repositories, by ending.
    pub files: BTreeMap<String, u64>,
    /// Repositories on which the comparator failed, by the kind of failure.
    pub unanswered: BTreeMap<String, u64>,
    /// Repositories with a difference that a declared deviation covers, by its id.
    pub declared: BTreeMap<String, u64>,
    /// Repositories with a difference that a declared deviation may cover, by its id: without the files that
    /// it covers, none can be made that both sides could be asked about.
    pub undecided: BTreeMap<String, u64>,
    /// Repositories that differ otherwise.
    pub different: u64,
    /// The differences that were written down.
    pub findings: Vec<Finding>,
}

/// One difference that no row covers.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Seed of its repository alone.
    pub seed: u64,
    /// The first layer that differs.
    pub layer: String,
    /// How it differs, in the small repository.
    pub note: String,
    /// The folder with the small repository as an authored corpus.
    pub folder: String,
    /// Files before and after shrinking.
    pub files: [usize; 2],
    /// Bytes before and after shrinking.
    pub bytes: [usize; 2],
    /// Whether shrinking came to its end.
    pub shrunk: bool,
    /// Whether its text comes from other projects, and so may not be committed here.
    pub third_party: bool,
}

impl Record {
    /// Repositories of which it is known whether both sides agree, or differ as declared.
    pub fn decided(&self) -> u64 {
        self.compared.saturating_sub(self.undecided.values().sum())
    }
}
