//! Compares two versions of the protocol, in words and in numbers.

mod kind;
mod labels;
mod sign_offs;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use record::exit;
use serde::Serialize;

use super::{
    Version,
    values::{self, Difference},
};
use crate::Failure;

pub use kind::Kind;
pub use labels::LabelChange;
pub use sign_offs::SignOffChange;

/// Files whose values are not listed: the composition, which is compared by sign-off, and the freeze, which follows
/// from all other files.
const GENERATED: [&str; 2] = [sign_offs::FILE, "freeze.toml"];

/// What changed from one version to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// The version before.
    pub before: Side,
    /// The version after.
    pub after: Side,
    /// Files that were added, removed or changed, by path.
    pub files: Vec<FileChange>,
    /// Number of files that are the same.
    pub same_files: usize,
    /// Languages and formats whose labels changed.
    pub labels: Vec<LabelChange>,
    /// Number of languages and formats whose labels are the same.
    pub same_labels: usize,
    /// Sign-offs whose contents changed.
    pub sign_offs: Vec<SignOffChange>,
    /// Corpora that only sign-offs of the version after have.
    pub corpora_added: Vec<String>,
    /// Corpora that only sign-offs of the version before have.
    pub corpora_gone: Vec<String>,
    /// What could not be compared, in sentences.
    pub not_compared: Vec<String>,
}

/// One of the two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Its name.
    pub protocol: String,
    /// Where it was read from.
    pub from: String,
    /// Whether all its files were there.
    pub whole: bool,
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileChange {
    /// Its path in the folder of the version.
    pub file: String,
    /// What it contains.
    pub about: &'static str,
    /// What happened to it.
    pub change: FileState,
    /// Number of its values, if it was added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<usize>,
    /// The values that changed; empty if only comments or the layout did.
    pub changes: Vec<ValueChange>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// The version before does not have it.
    Added,
    /// The version after does not have it.
    Removed,
    /// Its bytes differ.
    Changed,
}

/// A value that changed, and its purpose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueChange {
    /// The value.
    #[serde(flatten)]
    pub difference: Difference,
    /// Its purpose.
    pub kind: Kind,
    /// The direction of the change; absent if nothing is judged by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<super::floors::Turn>,
}

impl Diff {
    /// Compares two versions.
    ///
    /// # Errors
    /// A table or a file of labels cannot be read.
    pub fn of(before: &Version, after: &Version) -> Result<Self, Failure> {
        let mut diff = Self {
            before: side(before),
            after: side(after),
            files: Vec::new(),
            same_files: 0,
            labels: Vec::new(),
            same_labels: 0,
            sign_offs: Vec::new(),
            corpora_added: Vec::new(),
            corpora_gone: Vec::new(),
            not_compared: Vec::new(),
        };
        // What is not there cannot have been removed or added.
        let both = before.whole && after.whole;
        let files: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
        for file in files {
            let (was, is) = (before.files.get(file), after.files.get(file));
            if was == is {
                diff.same_files += 1;
            } else if both || (was.is_some() && is.is_some()) {
                diff.files.push(changed(file, was, is)?);
            }
        }
        if both {
            diff.compose(before, after)?;
        } else {
            let part = if before.whole { after } else { before };
            diff.not_compared.push(format!(
                "{} has only {} of the files of {}: files that it lacks, labels and sign-offs are not compared. \
                 `--at COMMIT` reads an older version from git",
                part.from,
                part.files.len(),
                part.name,
            ));
        }
        if both && !before.labels.is_empty() && !after.labels.is_empty() {
            (diff.labels, diff.same_labels) = labels::compare(&before.labels, &after.labels)?;
        } else if both {
            diff.not_compared
                .push("one of the two has no labels: labels are not compared".to_owned());
        }
        Ok(diff)
    }

    /// Compares the contents of the sign-offs.
    fn compose(&mut self, before: &Version, after: &Version) -> Result<(), Failure> {
        let (was, is) = (sign_offs::read(before)?, sign_offs::read(after)?);
        self.sign_offs = sign_offs::compare(&was, &is);
        let corpora = |all: &BTreeMap<String, sign_offs::SignOff>| -> BTreeSet<String> {
            all.values().flat_map(|one| one.corpora.iter().cloned()).collect()
        };
        let (was, is) = (corpora(&was), corpora(&is));
        self.corpora_added = is.difference(&was).cloned().collect();
        self.corpora_gone = was.difference(&is).cloned().collect();
        Ok(())
    }
}

fn side(version: &Version) -> Side {
    Side { protocol: version.name.clone(), from: version.from.clone(), whole: version.whole }
}

/// What changed about one file.
fn changed(file: &str, was: Option<&Vec<u8>>, is: Option<&Vec<u8>>) -> Result<FileChange, Failure> {
    let parsed = |bytes: Option<&Vec<u8>>| {
        bytes
            .and_then(|bytes| values::parse(file, bytes))
            .transpose()
            .map_err(|why| damaged(file, &why))
    };
    let change = match (was, is) {
        (None, _) => FileState::Added,
        (_, None) => FileState::Removed,
        _ => FileState::Changed,
    };
    let mut told = FileChange {
        file: file.to_owned(),
        about: kind::about(file),
        change,
        values: None,
        changes: Vec::new(),
    };
    if GENERATED.contains(&file) {
        return Ok(told);
    }
    let (was, is) = (parsed(was)?, parsed(is)?);
    match (&was, &is) {
        (Some(_), Some(_)) => {
            let found = values::differences(was.as_ref(), is.as_ref());
            told.changes = found.into_iter().map(|one| kind::explained(file, one)).collect();
        }
        (Some(one), None) | (None, Some(one)) => told.values = Some(values::count(one)),
        (None, None) => {}
    }
    Ok(told)
}

fn damaged(file: &str, why: &str) -> Failure {
    Failure::new(exit::SETUP, format!("{file} cannot be used: {why}"))
}
