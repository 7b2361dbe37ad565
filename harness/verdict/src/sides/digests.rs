//! Digests of a case's layers: the only form in which those of a corpus that is not ours may be committed.

use record::digest::sha256;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Layers;

/// sha256 of each layer that must be equal bit for bit. Ranks are left out: they may differ
/// within rounding between versions of the comparator's interpreter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerDigests {
    /// The map's text.
    pub text: String,
    /// Every probe: cut, estimate, error, kept.
    pub search: String,
    /// The candidates up to the largest probed cut.
    pub prefit: String,
    /// Files and identifiers that the turn mentions, chat files and target.
    pub context: String,
    /// Listed files and all tags, where recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<String>,
    /// The digest of all edges, as both sides record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<String>,
}

impl LayerDigests {
    /// The digests of one side of a case. `graph` says whether tags and edges are wanted.
    pub fn of(layers: &Layers, graph: bool) -> Self {
        let search = layers.last.probes();
        let ranking = layers.ranking.as_ref();
        let prefit: Vec<_> = ranking
            .map_or(&[][..], |ranking| &ranking.prefit)
            .iter()
            .take(layers.largest_probe())
            .map(|entry| (entry.stage, &entry.file, &entry.tag))
            .collect();
        let edges = ranking.and_then(|ranking| ranking.edges.as_ref());
        let last = &layers.last;
        Self {
            text: sha256(&layers.text),
            search: digest(&json!(search)),
            prefit: digest(&json!(prefit)),
            context: digest(&json!([
                last.chat_files,
                last.mentioned_fnames,
                last.mentioned_idents,
                last.target_tokens,
                layers.attempts(),
            ])),
            tags: layers
                .tags
                .as_ref()
                .filter(|_| graph)
                .map(|tags| digest(&json!([layers.tracked, tags]))),
            edges: edges.filter(|_| graph).map(|edges| edges.sha256.clone()),
        }
    }
}

fn digest(value: &serde_json::Value) -> String {
    sha256(value.to_string())
}
