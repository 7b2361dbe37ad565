//! The committed ledger: digests and metrics of the comparator's answers about locked corpora.

use serde::{Deserialize, Serialize};
use verdict::sides::LayerDigests;

/// The ledger of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Schema of this file.
    pub schema_version: u32,
    /// The protocol that its budgets are of; absent in ledgers from before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// The comparator's commit.
    pub comparator_commit: String,
    /// sha256 of the comparator tuple without its environment.
    pub tuple_sha256: String,
    /// Version of the interpreter that the recordings come from.
    pub python_version: String,
    /// One row per corpus, case and budget.
    pub rows: Vec<LedgerRow>,
}

/// What the comparator answered about one case, by digests and numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRow {
    /// Corpus.
    pub corpus: String,
    /// Commit of the materialised repository.
    pub commit: String,
    /// Case.
    pub case: String,
    /// Budget in tokens.
    pub budget: u64,
    /// Digest of the recording's content without times and machine-specific paths.
    pub recording_sha256: String,
    /// The layers.
    pub layers: LayerDigests,
    /// Estimated tokens of the map.
    pub token_count: Option<f64>,
    /// Number of entries in the map.
    pub postfit: u64,
}
