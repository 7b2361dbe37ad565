//! Other tools that show something of a file, which gate U1 compares summaries with.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::PlannedCorpus;

/// The folder of the program that asks them.
pub const FOLDER: &str = "comparators/baselines";
/// The programs and locks that decide what they answer, in a checkout of this project and in evidence.
pub const FILES: [&str; 4] = [
    "comparators/baselines/oracle.toml",
    "comparators/baselines/baselines.js",
    "comparators/baselines/package.json",
    "comparators/baselines/package-lock.json",
];
/// The command, with the folder of the installation as recordings name it.
pub const COMMAND: [&str; 2] = ["node", "$BASELINES/baselines.js"];

/// Budgets of summaries in tokens of `cl100k_base`.
pub const SUMMARY_BUDGETS: [u64; 3] = [500, 1000, 2000];

/// What the other tools show of one file: a line that the program prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baselines {
    /// The file, as it was asked for.
    pub file: String,
    /// sha256 of its content.
    pub sha256: String,
    /// Number of its lines.
    pub lines: u64,
    /// Its first lines, at most 32 KiB of them.
    pub head: String,
    /// Its last lines, at most 32 KiB of them.
    pub tail: String,
    /// Universal Ctags: a line for each tag. Absent if it failed.
    pub ctags: Option<String>,
    /// Repomix with `--compress`. Absent if it failed.
    pub repomix: Option<String>,
}

impl PlannedCorpus {
    /// The request for what the other tools show of the files that questions are about, below `root`.
    pub fn baselines_request(&self, root: &str) -> Value {
        json!({ "root": root, "files": self.summaries })
    }
}
