//! A materialised repository: its cases, its read-only copies, and the proof that nobody
//! changed it.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use record::{Case, View};
use thiserror::Error;

use crate::corpus::{
    disk::{self, At, DiskError},
    git::{self, GitError},
    seen::Seen,
    tree,
};

/// Why a repository may not be used.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// It differs from what was materialised.
    #[error(
        "corpus `{corpus}`: `{}` was changed: {what}; delete that folder and run again",
        path.display()
    )]
    Changed {
        /// Name of the corpus.
        corpus: String,
        /// The repository or its copy.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// The git program failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl RepositoryError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Changed { .. } => 21,
            Self::Git(error) => error.exit_code(),
            Self::Disk(error) => error.exit_code(),
        }
    }
}

/// A complete repository in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Materialised {
    /// Name of the corpus.
    pub name: String,
    /// The work tree.
    pub path: PathBuf,
    /// Id of its commit.
    pub commit: String,
    /// Tree digest of the work tree without `.git`.
    pub tree_sha256: String,
    /// What `git status --porcelain` prints; empty for every locked corpus.
    pub status: String,
    /// The questions that are put to it.
    pub cases: Vec<Case>,
    /// How both sides look at it.
    pub view: View,
}

impl Materialised {
    /// Checks that the repository is what was materialised: every byte of its work tree, and everything
    /// in its `.git`. This is cheap if nothing was written into it since the last check.
    ///
    /// # Errors
    /// It was changed, or cannot be read.
    pub fn check(&self) -> Result<(), RepositoryError> {
        Seen::of(&self.path).check(|| {
            self.verify_unchanged()?;
            let changed = |what| RepositoryError::Changed {
                corpus: self.name.clone(),
                path: self.path.clone(),
                what,
            };
            git::strange(&self.path, &self.commit)?.map_or(Ok(()), |what| Err(changed(what)))
        })
    }

    /// Checks that the repository still is what was materialised: content, commit and status.
    pub fn verify_unchanged(&self) -> Result<(), RepositoryError> {
        self.verify(&self.path)
    }

    /// Copies the repository to `destination`, which must not exist, takes every write
    /// permission away, and checks the copy.
    pub fn read_only_copy(&self, destination: &Path) -> Result<ReadOnlyCopy, RepositoryError> {
        // The folder is created before the value that removes it on drop exists, so that an older
        // folder at `destination` is never removed.
        fs::create_dir(destination).at("create the folder", destination)?;
        let copy = ReadOnlyCopy { original: self.clone(), path: destination.to_path_buf() };
        copy_tree(&self.path, destination)?;
        copy.verify_unchanged()?;
        Ok(copy)
    }

    /// Checks that a copy is what was materialised.
    pub(super) fn verify(&self, path: &Path) -> Result<(), RepositoryError> {
        let changed = |what: String| RepositoryError::Changed {
            corpus: self.name.clone(),
            path: path.to_path_buf(),
            what,
        };
        let actual = tree::sha256(&tree::read(path)?);
        if actual != self.tree_sha256 {
            let said = git::status(path).unwrap_or_default();
            let first = said.lines().take(3).collect::<Vec<_>>().join(", ");
            let expected = &self.tree_sha256;
            return Err(changed(format!("tree digest {actual}, expected {expected} ({first})")));
        }
        let commit = git::head(path)?;
        if commit != self.commit {
            return Err(changed(format!("commit {commit}, expected {}", self.commit)));
        }
        let status = git::status(path)?;
        if status != self.status {
            let lines = status.lines().take(3).collect::<Vec<_>>().join(", ");
            return Err(changed(format!("git status says: {lines}")));
        }
        Ok(())
    }
}

/// A copy without write permissions. It is removed when this value is dropped.
#[derive(Debug)]
pub struct ReadOnlyCopy {
    original: Materialised,
    path: PathBuf,
}

impl ReadOnlyCopy {
    /// The work tree of the copy.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is a copy of `repository` as it is described now.
    pub fn is_of(&self, repository: &Materialised) -> bool {
        self.original == *repository
    }

    /// Checks that the copy was not changed. This also finds changes by a privileged user, whom
    /// permissions do not stop.
    pub fn verify_unchanged(&self) -> Result<(), RepositoryError> {
        self.original.verify(&self.path)
    }
}

impl Drop for ReadOnlyCopy {
    fn drop(&mut self) {
        // A failure cannot be reported from here; the system clears the temporary folder eventually.
        disk::remove_tree(&self.path).ok();
    }
}

/// Copies files with their times, and links as links, into an empty folder; then takes the
/// write permissions away.
fn copy_tree(from: &Path, to: &Path) -> Result<(), DiskError> {
    let mut folders = Vec::new();
    let mut pending = vec![(from.to_path_buf(), to.to_path_buf())];
    while let Some((source, target)) = pending.pop() {
        for entry in fs::read_dir(&source).at("list", &source)? {
            let entry = entry.at("list", &source)?;
            let (original, copy) = (entry.path(), target.join(entry.file_name()));
            let kind = entry.file_type().at("inspect", &original)?;
            if kind.is_dir() {
                fs::create_dir(&copy).at("create the folder", &copy)?;
                pending.push((original, copy));
            } else if kind.is_symlink() {
                let link = fs::read_link(&original).at("read the link", &original)?;
                symlink(link, &copy).at("link", &copy)?;
            } else {
                copy_file(&original, &copy)?;
            }
        }
        folders.push(target);
    }
    folders.iter().try_for_each(|folder| disk::set_mode(folder, 0o555))
}

fn copy_file(from: &Path, to: &Path) -> Result<(), DiskError> {
    fs::copy(from, to).at("copy to", to)?;
    let metadata = fs::metadata(from).at("inspect", from)?;
    let time = metadata.modified().at("read the time of", from)?;
    fs::File::open(to).and_then(|file| file.set_modified(time)).at("set the time of", to)?;
    disk::set_mode(to, metadata.permissions().mode() & 0o555)
}

#[cfg(test)]
#[path = "repository_tests.rs"]
mod tests;
