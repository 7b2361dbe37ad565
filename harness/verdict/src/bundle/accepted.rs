//! What a reader accepted last, so that nobody can present an older bundle in place of a newer one.
//!
//! A bundle carries a counter that grows with every bundle of the same key. For each key, set and profile,
//! a file in the reader's configuration directory keeps the highest counter that was accepted. It is
//! written only when a bundle has been verified and the reader asks to accept it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use record::{Schema, write_atomically};
use serde::{Deserialize, Serialize};

use super::{Report, counter};

/// File name in the configuration directory.
pub const FILE: &str = "accepted.json";

/// The bundles that a reader accepted last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Schema of this file.
    schema_version: Schema<1>,
    /// At most one entry for each key, set and profile.
    bundles: Vec<Entry>,
}

/// A bundle that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The key of its runner.
    pub keyid: String,
    /// Its set of corpora.
    pub set: String,
    /// Its profile.
    pub profile: String,
    /// Its counter.
    pub counter: u64,
    /// sha256 of its statement.
    pub statement_sha256: String,
    /// When it was made.
    pub finished_at: String,
    /// The folder that it was in when it was accepted.
    pub path: PathBuf,
}

/// Why a bundle is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptedError {
    /// It is older than the one accepted last.
    #[error(
        "an older bundle than the one that you accepted: its counter is {found}, you accepted {accepted} (of \
         {finished_at}); --older verifies it all the same"
    )]
    Older {
        /// Its counter.
        found: u64,
        /// The counter of the accepted one.
        accepted: u64,
        /// When the accepted one was made.
        finished_at: String,
    },
    /// Another bundle with the same counter.
    #[error(
        "another bundle than the one that you accepted under the same counter {0}: one of the two was not \
         made in the usual way"
    )]
    Twin(u64),
    /// The file cannot be read, or not be written.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A bundle without a signed environment has no counter.
    #[error("the bundle has no counter by a trusted key: nothing can be accepted by it")]
    NoCounter,
}

impl AcceptedError {
    /// The exit code of the program.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::File { .. } => 74,
            Self::Older { .. } | Self::Twin(_) | Self::NoCounter => 23,
        }
    }
}

impl Accepted {
    /// Reads what was accepted by the reader with this configuration directory. Without a file, nothing has
    /// been accepted.
    ///
    /// # Errors
    /// The file exists but cannot be used. It is not treated as empty.
    pub fn open(directory: &Path) -> Result<Self, AcceptedError> {
        let path = directory.join(FILE);
        let wrong = |why: String| AcceptedError::File { path: path.clone(), why };
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// Checks that a bundle is not older than what was accepted.
    ///
    /// # Errors
    /// It is older, or it is another bundle with the same counter.
    pub fn check(&self, report: &Report) -> Result<(), AcceptedError> {
        let Some(found) = entry(report, Path::new("")) else { return Ok(()) };
        let Some(known) = self.bundles.iter().find(|known| known.is_of(&found)) else {
            return Ok(());
        };
        if found.statement_sha256 == known.statement_sha256 && found.counter == known.counter {
            Ok(())
        } else if found.counter == known.counter {
            Err(AcceptedError::Twin(found.counter))
        } else if found.counter < known.counter {
            let (accepted, finished_at) = (known.counter, known.finished_at.clone());
            Err(AcceptedError::Older { found: found.counter, accepted, finished_at })
        } else {
            Ok(())
        }
    }

    /// The bundle that was accepted last of a set and profile, whoever made it.
    pub fn last(&self, set: &str, profile: &str) -> Option<&Entry> {
        let of_both = |entry: &&Entry| entry.set == set && entry.profile == profile;
        self.bundles.iter().filter(of_both).max_by_key(|entry| entry.counter)
    }

    /// Records a verified bundle as accepted in the configuration directory. Processes that do so at the
    /// same time wait for each other, so that no record is lost.
    ///
    /// # Errors
    /// It is older than what was accepted, has no counter, or the file cannot be read or written.
    pub fn accept(directory: &Path, report: &Report, path: &Path) -> Result<(), AcceptedError> {
        let file = directory.join(FILE);
        let wrong = |why: String| AcceptedError::File { path: file.clone(), why };
        let _held = counter::lock(directory).map_err(|error| wrong(error.to_string()))?;
        let mut accepted = Self::open(directory)?;
        accepted.check(report)?;
        let found = entry(report, path).ok_or(AcceptedError::NoCounter)?;
        accepted.bundles.retain(|known| !known.is_of(&found));
        accepted.bundles.push(found);
        let text =
            serde_json::to_string_pretty(&accepted).map_err(|error| wrong(error.to_string()))?;
        write_atomically(&file, (text + "\n").as_bytes()).map_err(|error| wrong(error.to_string()))
    }
}

impl Entry {
    /// Whether both are of one key, set and profile.
    fn is_of(&self, other: &Self) -> bool {
        (&self.keyid, &self.set, &self.profile) == (&other.keyid, &other.set, &other.profile)
    }
}

/// The entry of a verified bundle; `None` if it has no signed environment, and thus no counter.
fn entry(report: &Report, path: &Path) -> Option<Entry> {
    let environment = report.environment.as_ref()?;
    let keyid = report.environment_by.clone()?;
    let scope = report.scope.as_ref();
    let said = |text: Option<String>| text.unwrap_or_default();
    Some(Entry {
        keyid,
        set: said(scope.map(|scope| scope.set.to_string())),
        profile: said(scope.map(|scope| scope.profile.to_string())),
        counter: environment.counter,
        statement_sha256: report.statement_sha256.clone(),
        finished_at: environment.finished_at.clone(),
        path: path.to_owned(),
    })
}
