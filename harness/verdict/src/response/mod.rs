//! The driver's answer: one JSON object, checked before any value of it is used.

mod outcome;
mod rows;
mod sequence;

use std::collections::{BTreeMap, BTreeSet};

use record::{
    Digest, Tag,
    receipt::{MeasuredEnvironment, MeasuredTuple, Receipt},
};
use serde::{Deserialize, Serialize};

pub use outcome::{Failure, classify, classify_each};
pub use rows::{Attempt, Case, GraphSize, Probe, Ranking};
pub use sequence::{Call, Sequence, SequenceAttempt};

/// The answer format this program reads.
pub const SCHEMA_VERSION: u32 = 1;

/// Why an answer cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// The bytes are not the JSON object they should be.
    #[error("the answer is not readable: {0}")]
    Unreadable(String),
    /// Two cases share an id, so neither can be named.
    #[error("the answer has two cases called {0:?}")]
    DuplicateCase(String),
    /// A reference to another attempt leads nowhere.
    #[error("attempt {from} refers to {to}, which has no ranking")]
    DanglingRanking {
        /// The attempt with the reference, as `case#number`.
        from: String,
        /// What it refers to.
        to: String,
    },
    /// The comparator failed as a whole.
    #[error("the comparator failed ({kind}): {message}")]
    Failed {
        /// The driver's stable name of the failure.
        kind: String,
        /// What it says.
        message: String,
    },
    /// One case failed.
    #[error("case {id:?} failed in the comparator ({kind}): {message}")]
    CaseFailed {
        /// The case.
        id: String,
        /// The driver's stable name of the failure.
        kind: String,
        /// What it says.
        message: String,
    },
    /// There is no such case.
    #[error("the answer has no case {0:?}")]
    NoSuchCase(String),
    /// The comparator tried to reach the network, so it did not run as it is pinned.
    #[error("the comparator tried to reach the network: {0}")]
    Network(String),
}

/// A failure as the driver reports it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ErrorDetail {
    /// Stable name, such as `case_failed`.
    pub kind: String,
    /// What happened.
    pub message: String,
}

/// An answer that may be used: every reference in it resolves and every number is finite.
#[derive(Debug, Clone)]
pub struct Response {
    /// What the driver measured of itself and of the comparator.
    pub receipt: Receipt,
    /// `canonical` or `raw`.
    pub mode: String,
    /// The hash seed.
    pub seed: String,
    /// The model whose tokenizer counted.
    pub model: String,
    /// Tags per file, when asked for.
    pub tags: Option<BTreeMap<String, Vec<Tag>>>,
    /// The file universe, when asked for.
    pub tracked: Option<Vec<String>>,
    /// Time and memory that the run took.
    pub timing: Timing,
    cases: Vec<Case>,
    sequences: Vec<Sequence>,
}

#[derive(Deserialize)]
struct Envelope {
    schema_version: u32,
    error: Option<ErrorDetail>,
    #[serde(default)]
    network_attempts: Vec<String>,
}

/// What an answer says about who gave it, and to what question.
#[derive(Debug, Clone)]
pub struct Head {
    /// What the driver measured of itself and of the comparator.
    pub receipt: Receipt,
    /// `canonical` or `raw`.
    pub mode: String,
    /// The hash seed.
    pub seed: String,
    /// The model whose tokenizer counted.
    pub model: String,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    mode: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    model: String,
}

impl Head {
    /// Reads the head of an answer, whatever follows it, in a fraction of the time of [`Response::parse`].
    ///
    /// # Errors
    /// The bytes are not a JSON object, or are one that does not say who gave the answer.
    pub fn parse(bytes: &[u8]) -> Result<Self, ResponseError> {
        let unreadable = |error: serde_json::Error| ResponseError::Unreadable(error.to_string());
        let Asked { mode, seed, model } = serde_json::from_slice(bytes).map_err(unreadable)?;
        let receipt = serde_json::from_slice(bytes).map_err(unreadable)?;
        Ok(Self { receipt, mode, seed, model })
    }
}

#[derive(Deserialize)]
struct Body {
    tuple: MeasuredTuple,
    environment: MeasuredEnvironment,
    versions: BTreeMap<String, String>,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    model: String,
    cases: Vec<Case>,
    tags: Option<BTreeMap<String, Vec<Tag>>>,
    tracked: Option<Vec<String>>,
    #[serde(default)]
    sequences: Vec<Sequence>,
    #[serde(default)]
    timing: Timing,
}

/// Durations in seconds and memory in bytes, as the driver measured them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// Starting and importing.
    pub import: f64,
    /// Constructing coders.
    pub main: f64,
    /// Computing maps.
    pub map: f64,
    /// Everything.
    pub total: f64,
    /// CPU time, user and system.
    pub cpu: f64,
    /// Peak resident memory of the comparator process.
    pub max_rss_bytes: Option<u64>,
}

impl Response {
    /// Reads an answer; anything but one complete, consistent object is an error.
    pub fn parse(bytes: &[u8]) -> Result<Self, ResponseError> {
        let unreadable = |error: serde_json::Error| ResponseError::Unreadable(error.to_string());
        // Otherwise, values that are skipped would not be checked.
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ResponseError::Unreadable(error.to_string()))?;
        // The envelope first: a failed driver sends little more than its error.
        let envelope: Envelope = serde_json::from_str(text).map_err(unreadable)?;
        if envelope.schema_version != SCHEMA_VERSION {
            let found = envelope.schema_version;
            return Err(ResponseError::Unreadable(format!(
                "its schema_version is {found}, this program reads {SCHEMA_VERSION}"
            )));
        }
        // A failed case is an error where it is used, so that the other cases are not lost.
        if let Some(error) = envelope.error.filter(|error| error.kind != "case_failed") {
            return Err(ResponseError::Failed { kind: error.kind, message: error.message });
        }
        if let Some(first) = envelope.network_attempts.into_iter().next() {
            return Err(ResponseError::Network(first));
        }
        let body: Body = serde_json::from_str(text).map_err(unreadable)?;
        let response = Self {
            receipt: Receipt {
                tuple: body.tuple,
                environment: body.environment,
                versions: body.versions,
            },
            mode: body.mode,
            seed: body.seed,
            model: body.model,
            tags: body.tags,
            tracked: body.tracked,
            timing: body.timing,
            cases: body.cases,
            sequences: body.sequences,
        };
        response.check()?;
        Ok(response)
    }

    /// All case ids, in the order of the request.
    pub fn case_ids(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().map(|case| case.id.as_str())
    }

    /// The case called `id`; a case that failed in the comparator is an error, never a result.
    pub fn case(&self, id: &str) -> Result<&Case, ResponseError> {
        let case = self.find(id).ok_or_else(|| ResponseError::NoSuchCase(id.to_owned()))?;
        case.error.as_ref().map_or(Ok(case), |error| {
            Err(ResponseError::CaseFailed {
                id: id.to_owned(),
                kind: error.kind.clone(),
                message: error.message.clone(),
            })
        })
    }

    /// The sequence called `id`; one that failed in the comparator is an error.
    pub fn sequence(&self, id: &str) -> Result<&Sequence, ResponseError> {
        let found = self.sequences.iter().find(|sequence| sequence.id == id);
        let found = found.ok_or_else(|| ResponseError::NoSuchCase(id.to_owned()))?;
        found.error.as_ref().map_or(Ok(found), |error| {
            Err(ResponseError::CaseFailed {
                id: id.to_owned(),
                kind: error.kind.clone(),
                message: error.message.clone(),
            })
        })
    }

    /// Whether any case failed in the comparator.
    pub fn has_failed_cases(&self) -> bool {
        self.cases.iter().any(|case| case.error.is_some())
    }

    /// The ranking of an attempt, which may be that of an earlier attempt; absent if the attempt ranked
    /// nothing.
    pub fn ranking<'a>(&'a self, attempt: &'a Attempt) -> Option<Ranking<'a>> {
        match &attempt.ranking_same_as {
            Some(place) => self.attempt_at(place)?.own_ranking(),
            None => attempt.own_ranking(),
        }
    }

    /// The digest of everything that was computed, without durations and the identity of the machine. Two
    /// canonical runs that agree have the same digest, whatever their recordings are called.
    pub fn substance(&self) -> Digest {
        let content = (&self.mode, &self.model, &self.cases, &self.tags, &self.tracked);
        // Text keys and finite numbers always have a JSON form.
        Digest::of(serde_json::to_vec(&content).unwrap_or_default())
    }

    fn find(&self, id: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// The attempt at a place such as `case#0`.
    fn attempt_at(&self, place: &str) -> Option<&Attempt> {
        let (id, number) = place.rsplit_once('#')?;
        self.find(id)?.attempts.get(number.parse::<usize>().ok()?)
    }

    fn check(&self) -> Result<(), ResponseError> {
        let mut seen = BTreeSet::new();
        for case in &self.cases {
            if !seen.insert(&case.id) {
                return Err(ResponseError::DuplicateCase(case.id.clone()));
            }
            for (number, attempt) in case.attempts.iter().enumerate() {
                let Some(to) = &attempt.ranking_same_as else { continue };
                // One step only, so that no chain or cycle is ever followed.
                if self.attempt_at(to).and_then(Attempt::own_ranking).is_none() {
                    let from = format!("{}#{number}", case.id);
                    return Err(ResponseError::DanglingRanking { from, to: to.clone() });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
