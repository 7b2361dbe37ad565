//! The JSON that `parity map --trace` prints, as gates read it.

use std::collections::BTreeMap;

use record::{Profile, ProfileObject, Tag};
use serde::{Deserialize, Deserializer};

use crate::sides::{
    AttemptLayers, CallSide, Counters, Edge, Edges, Layers, PrefitEntry, Probe, RankedAttempt,
    RankingLayers, SequenceSide, Step,
};

/// One map with its trace.
#[derive(Debug, Deserialize)]
pub struct MapDocument {
    /// Schema of the document.
    pub schema_version: u32,
    /// The profile object that it ran under.
    pub profile: ProfileObject,
    /// The map.
    pub text: String,
    /// The comparator's estimate of the map, in tokens.
    pub token_count: f64,
    /// The conservative token count of the map.
    pub safety_token_count: f64,
    /// Effective multiplier for an empty chat.
    pub map_mul_no_files_effective: f64,
    /// True if a session served a map that it had made before.
    #[serde(default)]
    pub cached: bool,
    /// The refresh mode in force.
    #[serde(default)]
    pub refresh: String,
    #[serde(default)]
    attempts: Vec<Attempt>,
    #[serde(default)]
    tracked: Option<Vec<String>>,
    #[serde(default)]
    tags: Option<BTreeMap<String, Vec<Tag>>>,
}

#[derive(Debug, Deserialize)]
struct Attempt {
    chat_files: Vec<String>,
    mentioned_fnames: Vec<String>,
    mentioned_idents: Vec<String>,
    target_tokens: Option<f64>,
    search: Vec<Probe>,
    #[serde(default)]
    listing: Listing,
    #[serde(default)]
    cached: bool,
    #[serde(default)]
    exception: Option<String>,
    #[serde(default)]
    personalization: Option<BTreeMap<String, f64>>,
    #[serde(default)]
    file_ranks: Option<Vec<(String, f64)>>,
    #[serde(default)]
    definition_ranks: Option<Vec<(String, String, f64)>>,
    #[serde(default)]
    prefit: Option<Vec<PrefitEntry>>,
    #[serde(default)]
    graph: Option<GraphSize>,
    #[serde(default)]
    edges: Option<Vec<Edge>>,
    #[serde(default)]
    edges_sha256: Option<String>,
    #[serde(default)]
    postfit: Option<Vec<PrefitEntry>>,
}

#[derive(Debug, Deserialize)]
struct GraphSize {
    edges: u64,
}

/// The document cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It is not the JSON that is expected.
    #[error("the map document is not readable: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It has no attempt, or was recorded under the wrong profile.
    #[error("the map document cannot be scored: {0}")]
    Unusable(String),
}

/// The map of an attempt.
#[derive(Debug, Default)]
enum Listing {
    /// Absent: it is the text of the document, which a session does not repeat.
    #[default]
    Text,
    /// As the attempt has it; null if it made none.
    Told(Option<String>),
}

impl<'de> Deserialize<'de> for Listing {
    fn deserialize<D: Deserializer<'de>>(field: D) -> Result<Self, D::Error> {
        Option::deserialize(field).map(Self::Told)
    }
}

impl Listing {
    fn of(self, text: &str) -> Option<String> {
        match self {
            Self::Text => Some(text.to_owned()),
            Self::Told(listing) => listing,
        }
    }
}

impl MapDocument {
    /// Reads a document and checks that it was recorded under a profile, without any leakage
    /// of enhancements into parity.
    pub fn parse(bytes: &[u8], profile: Profile) -> Result<Self, DocumentError> {
        let document: Self = serde_json::from_slice(bytes)?;
        match document.profile.refusal(profile) {
            Some(why) => Err(DocumentError::Unusable(why)),
            None => Ok(document),
        }
    }

    /// The layers of the document.
    pub fn layers(self) -> Result<Layers, DocumentError> {
        let mut attempts = self.attempts;
        let none = || DocumentError::Unusable("it has no attempt".to_owned());
        let last = attempts.pop().ok_or_else(none)?;
        let postfit = last.postfit.clone();
        let RankedAttempt { layers: last, ranking, .. } = last.layers(&self.text);
        Ok(Layers {
            tracked: self.tracked,
            tags: self.tags,
            earlier: attempts.into_iter().map(|attempt| attempt.layers(&self.text)).collect(),
            last,
            ranking,
            text: self.text,
            postfit,
            counters: Some(Counters { parity: self.token_count, safety: self.safety_token_count }),
        })
    }
}

impl Attempt {
    /// The parts of it that gates compare; `text` is that of the document.
    fn layers(self, text: &str) -> RankedAttempt {
        let ranking = self.prefit.map(|prefit| RankingLayers {
            personalization: self.personalization.unwrap_or_default(),
            file_ranks: self.file_ranks.unwrap_or_default(),
            definition_ranks: self.definition_ranks.unwrap_or_default(),
            prefit,
            edges: self.graph.zip(self.edges_sha256).map(|(graph, sha256)| Edges {
                count: graph.edges,
                sha256,
                listed: self.edges,
            }),
        });
        RankedAttempt {
            cached: self.cached,
            failed: self.exception.is_some(),
            ranking,
            layers: AttemptLayers {
                chat_files: self.chat_files,
                mentioned_fnames: self.mentioned_fnames,
                mentioned_idents: self.mentioned_idents,
                target_tokens: self.target_tokens,
                search: self.search,
                listing: self.listing.of(text),
            },
        }
    }
}

/// Reads what a session printed: one document on each line.
pub fn session_documents(
    bytes: &[u8],
    profile: Profile,
) -> Result<Vec<MapDocument>, DocumentError> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| MapDocument::parse(line, profile))
        .collect()
}

/// What a session did, call by call, as gate A4 compares it.
pub fn session_side(documents: &[MapDocument]) -> SequenceSide {
    let step = |attempt: &Attempt| match attempt {
        attempt if attempt.cached => Step::Served,
        attempt if attempt.exception.is_some() => Step::Failed,
        attempt if attempt.target_tokens.is_some() => Step::Computed,
        _ => Step::Skipped,
    };
    SequenceSide {
        refresh: documents.first().map(|first| first.refresh.clone()).unwrap_or_default(),
        calls: documents
            .iter()
            .map(|document| CallSide {
                text: document.text.clone(),
                cached: document.cached,
                steps: document.attempts.iter().map(step).collect(),
            })
            .collect(),
    }
}
