//! The status of the protocol in force: whether it is frozen and unchanged, and under which version each result was
//! made.

mod known;
mod results;
mod text;

use std::{collections::BTreeSet, path::Path};

use record::{exit, protocol::NAME};
use serde::Serialize;
use verdict::freeze::{Freeze, FreezeError, is_frozen};

use super::{HistoryError, walk};
use crate::Failure;

pub use results::{Made, Results, Standing};

/// The status of the protocol in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Its name.
    pub protocol: String,
    /// Whether it is frozen. A draft may change, so no result that was made under it counts.
    pub frozen: bool,
    /// Number of frozen files.
    pub files: usize,
    /// The commit that froze it; absent if this clone does not have its history.
    pub frozen_by: Option<String>,
    /// Why the history could not be walked.
    pub no_history: Option<String>,
    /// Files that differ from the freeze.
    pub differs: Vec<Differing>,
    /// Changes of frozen files by commits, in sentences.
    pub changed_by: Vec<String>,
    /// Each result, in the order of their list.
    pub results: Vec<Made>,
}

/// A file that differs from the freeze.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub what: Wrong,
}

/// What is wrong with a file of a frozen protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    /// Its digest differs.
    Changed,
    /// It is missing.
    Missing,
    /// The freeze does not have it.
    NotFrozen,
}

impl Status {
    /// The status of the protocol in force below `root`, with its results.
    ///
    /// # Errors
    /// The freeze or the list of results cannot be read.
    pub fn of(root: &Path) -> Result<Self, Failure> {
        let freeze = match Freeze::open(root) {
            Ok(freeze) => Some(freeze),
            Err(FreezeError::Missing) => None,
            Err(error) => return Err(error.into()),
        };
        let differs = match &freeze {
            Some(freeze) => differing(freeze, &Freeze::of(root)?),
            None => Vec::new(),
        };
        let (walk, no_history) = match walk(root) {
            Ok(walk) => (Some(walk), None),
            // A freeze that is not committed yet has no history; this is not an error.
            Err(HistoryError::NotFrozen) => (None, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let results = Results::open(root)?.look(root, freeze.as_ref())?;
        Ok(Self {
            protocol: NAME.to_owned(),
            frozen: freeze.is_some(),
            files: freeze.map_or(0, |freeze| freeze.files.len()),
            frozen_by: walk.as_ref().map(|walk| walk.frozen_by.clone()),
            no_history,
            differs,
            changed_by: walk
                .map(|walk| walk.changes.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            results,
        })
    }

    /// 21 if something frozen changed, else 11 if the protocol is a draft or a result must be made again, else 0.
    pub fn exit_code(&self) -> u8 {
        if !(self.differs.is_empty() && self.changed_by.is_empty()) {
            exit::DIGEST
        } else if !self.frozen || self.results.iter().any(Made::is_due) {
            exit::INSUFFICIENT
        } else {
            exit::PASS
        }
    }
}

/// The files that differ from the freeze, sorted.
fn differing(frozen: &Freeze, found: &Freeze) -> Vec<Differing> {
    let files: BTreeSet<&String> = frozen.files.keys().chain(found.files.keys()).collect();
    let wrong = |file: &&String| match (frozen.files.get(*file), found.files.get(*file)) {
        (Some(was), Some(is)) => (was != is).then_some(Wrong::Changed),
        (Some(_), None) => Some(Wrong::Missing),
        (None, _) => is_frozen(file).then_some(Wrong::NotFrozen),
    };
    let differing = |file: &String, what| Differing { file: file.clone(), what };
    files.iter().filter_map(|file| Some(differing(file, wrong(file)?))).collect()
}
