//! Turns an artifact into the git repository that both sides of a comparison read.

use std::{
    fs::File,
    path::Path,
    time::{Duration, SystemTime},
};

use thiserror::Error;

use crate::corpus::{
    disk::{self, At, DiskError},
    git::{self, GitError},
    lock::Row,
    tree::{self, Entry, Tree},
    unpack::{Caps, UnpackError, unpack},
};

/// Files that crash the comparator, by extension. A corpus never holds one: its query for
/// Julia does not compile against its own grammar.
const CRASHES_COMPARATOR: &str = ".jl";

/// Why a corpus could not be materialised.
#[derive(Debug, Error)]
pub enum MaterialiseError {
    /// The artifact cannot be unpacked.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The git program failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The artifact produced something other than what the lock says.
    #[error(
        "corpus `{corpus}`: {what} is {actual}, the lock says {expected}; nothing was kept; \
         if the lock is meant to change, that needs a reason and a new recording"
    )]
    Mismatch {
        /// Name of the corpus.
        corpus: String,
        /// The field of the row.
        what: &'static str,
        /// The value in the lock.
        expected: String,
        /// The value that was found.
        actual: String,
    },
}

impl MaterialiseError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Unpack(error) => error.exit_code(),
            Self::Git(error) => error.exit_code(),
            Self::Disk(error) => error.exit_code(),
            Self::Mismatch { .. } => 21,
        }
    }
}

/// What an artifact produced: the values that a lock holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// Tree digest of the whole artifact.
    pub tree_sha256: String,
    /// The files that were taken out.
    pub removed: Vec<String>,
    /// Number of files and links that are left.
    pub filtered_files: u64,
    /// Tree digest of what is left.
    pub filtered_tree_sha256: String,
    /// Id of the commit.
    pub commit: String,
}

impl Measured {
    /// Compares with the lock.
    pub fn check(&self, row: &Row) -> Result<(), MaterialiseError> {
        let pairs = [
            ("tree_sha256", row.tree_sha256.clone(), self.tree_sha256.clone()),
            ("removed", row.removed.join(", "), self.removed.join(", ")),
            ("filtered_files", row.filtered_files.to_string(), self.filtered_files.to_string()),
            (
                "filtered_tree_sha256",
                row.filtered_tree_sha256.clone(),
                self.filtered_tree_sha256.clone(),
            ),
            ("commit", row.commit.clone(), self.commit.clone()),
        ];
        match pairs.into_iter().find(|(_, expected, actual)| expected != actual) {
            None => Ok(()),
            Some((what, expected, actual)) => {
                let corpus = row.name.clone();
                Err(MaterialiseError::Mismatch { corpus, what, expected, actual })
            }
        }
    }
}

/// Unpacks the wanted part of `archive` into the empty folder `work` and commits it there.
///
/// The row's digests are not consulted, so that this also measures a new row.
pub fn build(row: &Row, archive: &Path, work: &Path) -> Result<Measured, MaterialiseError> {
    let wanted = |path: &str| row.path_filter.keeps(path) && !path.ends_with(CRASHES_COMPARATOR);
    let keep = |path: &str| wanted(path) && !configures_tools(path);
    let whole = unpack(archive, row.form(), Caps::default(), &keep, work)?;
    let removed =
        whole.keys().filter(|path| wanted(path) && configures_tools(path)).cloned().collect();
    let tree_sha256 = tree::sha256(&whole);
    let kept: Tree = whole.into_iter().filter(|(path, _)| keep(path)).collect();
    freeze(work, &kept)?;
    git::init(work)?;
    let message = format!("Corpus {}: {} {}", row.name, row.package, row.version);
    let commit = git::commit_all(work, &message)?;
    Ok(Measured {
        tree_sha256,
        removed,
        filtered_files: kept.len() as u64,
        filtered_tree_sha256: tree::sha256(&kept),
        commit,
    })
}

/// Whether a file at the root would configure git or the comparator. `.gitattributes` stays:
/// the repository's own attributes override it.
fn configures_tools(path: &str) -> bool {
    path == ".env" || path == ".gitignore" || path.starts_with(".aider")
}

/// Makes every file read-only and gives it the one fixed time.
pub(crate) fn freeze(work: &Path, tree: &Tree) -> Result<(), DiskError> {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(git::TIME);
    for (path, entry) in tree {
        if let Entry::File { executable, .. } = entry {
            let full = work.join(path);
            let file = File::open(&full).at("open", &full)?;
            file.set_modified(time).at("set the time of", &full)?;
            disk::set_mode(&full, if *executable { 0o555 } else { 0o444 })?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "materialise_tests.rs"]
mod tests;
