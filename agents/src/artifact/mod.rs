//! `repomap_artifact_v1`: a map as a file that other programs read.

mod made;
mod publish;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Job, Problem, clock};

pub use publish::LATEST;

/// The schema version of every artifact.
pub const SCHEMA_VERSION: &str = "repomap_artifact_v1";

/// A map with what it was made from, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// Whether there is a map.
    pub ok: bool,
    /// Time at which it was made, in UTC to the second (ISO 8601).
    pub generated_at: String,
    /// How it was made, and from what.
    pub provenance: Provenance,
    /// Sizes of the map and of what it was made from.
    pub stats: Stats,
    /// The files of the graph, highest score first; files with equal scores are sorted by path.
    pub ranking: Vec<Ranked>,
    /// The map; empty if there is none.
    pub text: String,
    /// What failed: present if there is no map, or if the map is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

/// How an artifact was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// How files were ranked.
    pub method: Method,
    /// The absolute root of the work tree.
    pub source_root: String,
    /// The folders that were mapped, relative to the root; `.` for all of it.
    pub scope: Vec<String>,
    /// The files that the caller works on, relative to the root: chat files, then mentioned ones.
    pub focus_files: Vec<String>,
    /// The session that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Time that it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Time that it was allowed to take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The version of this program.
    pub generator_version: String,
}

/// How files were ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By the references between the definitions of their syntax trees.
    AstPagerank,
    /// Not at all: there is no map.
    None,
}

/// Sizes of an artifact and of what it was made from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Files with definitions or references.
    pub files_parsed: u64,
    /// Definitions in them.
    pub symbols_found: u64,
    /// References between files; parallel references count separately.
    pub graph_edges: u64,
    /// Bytes of the map.
    pub byte_count: u64,
    /// Tokens of the map (`cl100k_base`).
    pub token_count: u64,
}

/// One ranked file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its path, relative to the root.
    pub path: String,
    /// Its share of the rank of all files.
    pub score: f64,
    /// The names in it that other files refer to, highest rank first; at most [`MOST_SYMBOLS`].
    pub symbols: Vec<String>,
}

/// Maximum number of names listed for a ranked file; the map itself has no such limit.
pub const MOST_SYMBOLS: usize = 20;

impl Artifact {
    /// The artifact of a failure.
    pub fn of_failure(job: &Job, problem: &Problem, duration_ms: Option<u64>) -> Self {
        let root = job.root.canonicalize().unwrap_or_else(|_| job.root.clone());
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            ok: false,
            generated_at: clock::now(),
            provenance: Provenance {
                method: Method::None,
                source_root: root.to_string_lossy().into_owned(),
                scope: vec![".".to_owned()],
                focus_files: Vec::new(),
                session_id: job.session_id.clone(),
                duration_ms,
                timeout_ms: job.timeout_ms,
                generator_version: GENERATOR_VERSION.to_owned(),
            },
            stats: Stats::default(),
            ranking: Vec::new(),
            text: String::new(),
            error: Some(problem.in_artifact()),
        }
    }

    /// Writes the artifact into a folder; see `publish.rs`.
    ///
    /// # Errors
    /// `latest.json` cannot be written.
    pub fn publish(&self, folder: &Path) -> Result<(), Problem> {
        publish::publish(self, folder)
    }
}

/// The version of this program, as artifacts name it.
const GENERATOR_VERSION: &str = env!("CARGO_PKG_VERSION");
