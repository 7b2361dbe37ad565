//! The results that are made under a protocol, as `results.toml` lists them, and the version of each.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use record::{exit, protocol::NAME};
use serde::{Deserialize, Serialize};
use verdict::{freeze::Freeze, protocol::read_toml};

use super::known;
use crate::{Failure, protocol::files};

/// The list, relative to the checkout.
const FILE: &str = "protocols/exports/results.toml";

/// The list of results.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    result: Vec<Row>,
}

/// One result, or a folder of them. The comment of the file documents the keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    what: String,
    says: Option<Says>,
    of: Option<String>,
    #[serde(default)]
    rests_on: Vec<String>,
    made_by: Option<String>,
    #[serde(default)]
    local: bool,
    without: Option<String>,
}

/// How a result states the version under which it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Says {
    Path,
    Stated,
    Commit,
    Digest,
    Plan,
}

/// A result with the version under which it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Made {
    /// The result.
    pub what: String,
    /// The versions under which its files were made; empty if they are not known.
    pub made_under: BTreeSet<String>,
    /// How they were found.
    pub known_by: String,
    /// Whether it counts under the protocol in force.
    pub standing: Standing,
    /// Whether it belongs to this checkout alone and is never committed.
    pub local: bool,
    /// The command that makes it again.
    pub made_by: String,
}

/// Whether a result counts under the protocol in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It was made under that version, or the values that it depends on are the same.
    Current,
    /// It was made under another version, and depends on values that changed.
    Stale,
    /// It is missing.
    Missing,
    /// The version under which it was made is unknown.
    Unknown,
}

impl Made {
    /// Whether it must be made again. A local result may be missing.
    pub fn is_due(&self) -> bool {
        match self.standing {
            Standing::Current => false,
            Standing::Missing => !self.local,
            Standing::Stale | Standing::Unknown => true,
        }
    }
}

impl Results {
    /// Reads the list below `root`.
    ///
    /// # Errors
    /// It is missing or malformed, or a row lacks what it needs.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        let failed = |why: String| Failure::new(exit::SETUP, why);
        let results: Self =
            read_toml(&root.join(FILE)).map_err(|error| failed(error.to_string()))?;
        for row in &results.result {
            let whole = row.says.is_some() == row.made_by.is_some()
                && row.says.is_some() != row.without.is_some()
                && (row.says == Some(Says::Digest)) == row.of.is_some();
            if !whole {
                return Err(failed(format!("{FILE}: the row of {} lacks a key", row.what)));
            }
        }
        Ok(results)
    }

    /// Whether a row names this path or a folder above it.
    pub fn names(&self, path: &str) -> bool {
        self.row(path).is_some()
    }

    /// The row for a path: the longest one that names the path or a folder above it.
    fn row(&self, path: &str) -> Option<&Row> {
        let of =
            |row: &&Row| path == row.path() || row.is_folder() && path.starts_with(&row.path());
        self.result.iter().filter(of).max_by_key(|row| row.what.len())
    }

    /// The results below `root`, each with its version.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn look(&self, root: &Path, freeze: Option<&Freeze>) -> Result<Vec<Made>, Failure> {
        let judged = self.result.iter().filter_map(|row| Some((row, row.says?)));
        judged.map(|(row, says)| self.made(root, freeze, row, says)).collect()
    }

    fn made(
        &self,
        root: &Path,
        freeze: Option<&Freeze>,
        row: &Row,
        says: Says,
    ) -> Result<Made, Failure> {
        let files = self.files(root, row)?;
        let mut made = Made {
            what: row.path(),
            made_under: BTreeSet::new(),
            known_by: String::new(),
            standing: Standing::Missing,
            local: row.local,
            made_by: row.made_by.clone().unwrap_or_default(),
        };
        if files.is_empty() {
            return Ok(made);
        }
        let one = |version: &str| BTreeSet::from([version.to_owned()]);
        (made.made_under, made.known_by) = match says {
            Says::Path => (one(NAME), "its path".to_owned()),
            Says::Commit => known::by_commit(root, &row.path()),
            Says::Stated => known::stated(root, &row.path(), &files)?,
            Says::Digest => known::by_digest(root, row.of.as_deref().unwrap_or_default(), &files)?,
            Says::Plan => known::by_plan(&files, freeze),
        };
        made.standing = if made.made_under.is_empty() {
            Standing::Unknown
        } else if made.made_under == one(NAME) {
            Standing::Current
        } else if !row.rests_on.is_empty() && known::same(root, &made.made_under, &row.rests_on) {
            let keys = row.rests_on.join(", ");
            made.known_by = format!("{}; what it rests on is the same: {keys}", made.known_by);
            Standing::Current
        } else {
            Standing::Stale
        };
        Ok(made)
    }

    /// The files of a row, without those of narrower rows, sorted.
    fn files(&self, root: &Path, row: &Row) -> Result<Vec<PathBuf>, Failure> {
        let own = |name: &String| self.row(name).is_some_and(|other| other.what == row.what);
        let files = files::below(root, &[row.path()])?.into_iter();
        Ok(files.filter(own).map(|name| root.join(name)).collect())
    }
}

impl Row {
    fn path(&self) -> String {
        self.what.replace("{protocol}", NAME)
    }

    fn is_folder(&self) -> bool {
        self.what.ends_with('/')
    }
}
