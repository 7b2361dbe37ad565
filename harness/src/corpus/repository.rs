//! A materialised repository: its cases, its read-only copies, and the proof that nobody
//! changed it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::corpus::disk::{self, At, DiskError};
use crate::corpus::git::{self, GitError};
use crate::corpus::lock::Row;
use crate::corpus::tree;

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

/// One question that is put to both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique within the corpus.
    pub id: String,
    /// Files in the chat, relative to the root.
    #[serde(default)]
    pub chat_files: Vec<String>,
    /// Files that are read only, relative to the root.
    #[serde(default)]
    pub read_only_files: Vec<String>,
    /// The user's message; empty for none.
    #[serde(default)]
    pub message: String,
    /// True if the comparator must come out without a map. Then equality is judged and that both
    /// sides have none; there is nothing that a ranking or a search could be scored on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_map: bool,
}

impl Case {
    /// The three cases of a locked corpus: nothing, a file in the chat, a message.
    pub fn of_row(row: &Row) -> Vec<Self> {
        let case = |id: &str| Self { id: id.to_owned(), ..Self::default() };
        vec![
            case("none"),
            Self { chat_files: vec![row.cases.chat_file.clone()], ..case("chat") },
            Self { message: row.cases.message.clone(), ..case("message") },
        ]
    }
}

/// How both sides look at a repository: the same for all its cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct View {
    /// The folder that both sides run in, relative to the root; the root if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// Only files below that folder count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subtree_only: bool,
    /// The ignore file, relative to the root; the comparator's own choice if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub aiderignore: String,
}

impl View {
    /// True if nothing is special.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the view to a request of the comparator's driver.
    pub fn ask(&self, request: &mut serde_json::Value) {
        let Some(fields) = request.as_object_mut().filter(|_| !self.is_plain()) else { return };
        if !self.cwd.is_empty() {
            fields.insert("cwd".to_owned(), self.cwd.clone().into());
        }
        fields.insert("subtree_only".to_owned(), self.subtree_only.into());
        if !self.aiderignore.is_empty() {
            fields.insert("aiderignore".to_owned(), self.aiderignore.clone().into());
        }
    }

    /// The arguments of `parity map` that mean the same, run in the root of the repository.
    pub fn map_arguments(&self) -> Vec<String> {
        let cwd = if self.cwd.is_empty() { "." } else { &self.cwd };
        let mut arguments = vec!["map".to_owned(), cwd.to_owned()];
        if self.subtree_only {
            arguments.push("--subtree-only".to_owned());
        }
        if !self.aiderignore.is_empty() {
            arguments.extend(["--aiderignore".to_owned(), self.aiderignore.clone()]);
        }
        arguments
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
    /// Checks that the repository still is what was materialised: content, commit and status.
    pub fn verify_unchanged(&self) -> Result<(), RepositoryError> {
        self.verify(&self.path)
    }

    /// Copies the repository to `destination`, which must not exist, takes every write
    /// permission away, and checks the copy.
    pub fn read_only_copy(&self, destination: &Path) -> Result<ReadOnlyCopy, RepositoryError> {
        // Before the value exists that removes the folder again: an older folder is not ours.
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

/// A copy without write permissions. It is removed when this value goes.
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

    /// Whether this is a copy of `repository` as it is now.
    pub fn is_of(&self, repository: &Materialised) -> bool {
        self.original == *repository
    }

    /// Checks that whoever used the copy left it as it was. Permissions do not stop a
    /// privileged user, this does.
    pub fn verify_unchanged(&self) -> Result<(), RepositoryError> {
        self.original.verify(&self.path)
    }
}

impl Drop for ReadOnlyCopy {
    fn drop(&mut self) {
        // Nobody is left to be told; a temporary folder around it is cleared by the system.
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
