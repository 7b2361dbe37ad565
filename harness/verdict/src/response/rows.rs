//! The parts of an answer: cases, attempts, rankings and their rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ErrorDetail;
use crate::sides::{Edge, PrefitEntry};

/// One case: one call of the comparator's map.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Case {
    /// The id given in the request.
    pub id: String,
    /// The command line Aider was given.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// The steps of the fallback chain, in order.
    pub attempts: Vec<Attempt>,
    /// The map of the last attempt; absent when there is none.
    pub listing: Option<String>,
    /// The map with the comparator's prompt prefix.
    #[serde(default)]
    pub text: Option<String>,
    /// Whether the map came from the comparator's cache.
    #[serde(default)]
    pub cached: bool,
    /// How the comparator understood its flags.
    #[serde(default)]
    pub repo_map: Option<BTreeMap<String, serde_json::Value>>,
    /// Wall time in seconds.
    #[serde(default, skip_serializing)]
    pub seconds: Option<f64>,
    pub(super) error: Option<ErrorDetail>,
}

/// One step of the fallback chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attempt {
    /// Files in the chat, relative to the root, sorted.
    pub chat_files: Vec<String>,
    /// Mentioned files, sorted.
    pub mentioned_fnames: Vec<String>,
    /// Mentioned identifiers, sorted.
    pub mentioned_idents: Vec<String>,
    /// How many other files there were.
    #[serde(default)]
    pub other_files_count: Option<u64>,
    /// Whether the map came from the cache.
    #[serde(default)]
    pub cached: bool,
    /// An exception the comparator caught.
    pub exception: Option<String>,
    /// The budget in tokens that the fit aimed at.
    pub target_tokens: Option<f64>,
    /// The probes of the fit.
    #[serde(default)]
    pub search: Vec<Probe>,
    /// The map; absent when nothing fitted.
    pub listing: Option<String>,
    /// The exact token count of the map.
    pub exact_token_count: Option<u64>,
    /// The ranking is the same as that of the attempt `case#number`.
    pub ranking_same_as: Option<String>,
    personalization: Option<BTreeMap<String, f64>>,
    #[serde(default)]
    personalization_applied: bool,
    graph: Option<GraphSize>,
    file_ranks: Option<Vec<(String, f64)>>,
    definition_ranks: Option<Vec<(String, String, f64)>>,
    prefit: Option<Vec<PrefitEntry>>,
    edges: Option<Vec<Edge>>,
    #[serde(default)]
    edges_sha256: Option<String>,
}

/// How large the reference graph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSize {
    /// Files.
    pub nodes: u64,
    /// References.
    pub edges: u64,
}

/// One probe of the fit, as the comparator's driver writes it. Gates compare `sides::Probe`, which has
/// a count: evidence of a probe without one is refused.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// How many candidates were rendered.
    pub middle: u64,
    /// The comparator's estimate; absent when rendering failed.
    pub tokens: Option<f64>,
    /// Relative distance from the target.
    pub pct_err: Option<f64>,
    /// Whether it became the best so far.
    pub kept: bool,
}

/// What one attempt ranked; borrowed from the attempt that computed it.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    /// Personalised files.
    pub personalization: &'a BTreeMap<String, f64>,
    /// Whether the personalisation could be used.
    pub personalization_applied: bool,
    /// Size of the graph.
    pub graph: GraphSize,
    /// Rank of each file, in graph order.
    pub file_ranks: &'a [(String, f64)],
    /// Rank of each definition (file, identifier), best first.
    pub definition_ranks: &'a [(String, String, f64)],
    /// The list that the fit cuts.
    pub prefit: &'a [PrefitEntry],
    /// Edges (from, to, identifier, weight) in graph order, when asked for and few.
    pub edges: Option<&'a [Edge]>,
    /// Digest of all edges, when asked for.
    pub edges_sha256: Option<&'a str>,
}

impl Attempt {
    /// The ranking this attempt computed itself.
    pub(super) fn own_ranking(&self) -> Option<Ranking<'_>> {
        Some(Ranking {
            personalization: self.personalization.as_ref()?,
            personalization_applied: self.personalization_applied,
            graph: self.graph?,
            file_ranks: self.file_ranks.as_deref()?,
            definition_ranks: self.definition_ranks.as_deref()?,
            prefit: self.prefit.as_deref()?,
            edges: self.edges.as_deref(),
            edges_sha256: self.edges_sha256.as_deref(),
        })
    }
}
