//! The repository: its files, and their names.

mod committed;
mod git;
mod ignore;
mod listing;
mod pattern;
mod present;
mod program;
mod resolve;
mod settings;
mod universe;
mod walk;
mod work_tree;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use work_tree::WorkTree;

pub use committed::{BlobId, Committed, blob_id, is_blob};
pub use git::{GitError, shorten_time};
pub use ignore::IgnoreError;
pub use listing::Listing;
pub use present::{Present, present};
pub use universe::{FileSource, RepoFile, Scope, Universe, UniverseError};

/// Whether a text is a valid pattern of an ignore file.
///
/// # Errors
/// It is not.
pub fn expect_pattern(text: &str) -> Result<(), IgnoreError> {
    ignore::IgnoreFile::of(&[text.to_owned()]).map(drop)
}

/// The root of the work tree around a directory, or the directory itself if there is none, without
/// symbolic links.
///
/// # Errors
/// The directory does not exist.
pub fn root_of(dir: &Path) -> io::Result<PathBuf> {
    let dir = fs::canonicalize(dir)?;
    Ok(WorkTree::around(&dir).map(|found| found.root).unwrap_or(dir))
}
