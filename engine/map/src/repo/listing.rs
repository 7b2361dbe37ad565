//! What git lists of a work tree.

use std::path::{Path, PathBuf};

use super::{
    committed::Committed,
    git::Repository,
    universe::{UniverseError, canonical},
};

/// The files that git lists of a work tree. They have not been looked up yet.
#[derive(Debug)]
pub struct Listing {
    /// The directory that git was asked about, without symbolic links.
    pub(super) dir: PathBuf,
    /// The repository.
    pub(super) repository: Repository,
    /// HEAD's blobs and the index: paths relative to the root, in bytes, sorted and without duplicates.
    pub(super) tracked: Vec<Vec<u8>>,
    /// HEAD's tree.
    pub(super) committed: Committed,
}

impl Listing {
    /// Asks git for the files of the work tree around a directory.
    ///
    /// # Errors
    /// The directory cannot be opened, it is in no work tree, or git gives no answer.
    pub fn of(dir: &Path) -> Result<Self, UniverseError> {
        let dir = canonical(dir)?;
        // Git would only report that there is no repository.
        std::fs::read_dir(&dir)
            .map_err(|error| UniverseError::Directory { path: dir.clone(), error })?;
        let repository = Repository::around(&dir)?;
        let (tracked, committed) = repository.tracked()?;
        Ok(Self { dir, repository, tracked, committed })
    }
}
