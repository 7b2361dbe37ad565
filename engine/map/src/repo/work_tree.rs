//! The work tree around a directory, found without asking git and without reading a
//! configuration.
//!
//! It is found in the same way as git finds it: the nearest folder upwards that contains a `.git`,
//! which is a folder or a file that names one. Three things differ. A folder that merely looks like
//! a repository without a work tree is not accepted: it may be tracked, and would bring its own
//! configuration. `core.worktree` has no effect: the work tree is where its `.git` is. And a common
//! directory is accepted only in the place where `git worktree add` puts it.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use base::text::open;

use super::git::GitError;

/// Largest `.git`, `HEAD` or `commondir` file; each holds one path or name.
const NAME_LIMIT: u64 = 64 << 10;

/// A work tree, and the directories in which git keeps its data. All paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WorkTree {
    /// Its root, without symbolic links.
    pub root: PathBuf,
    /// The directory with `HEAD` and the index.
    pub git_dir: PathBuf,
    /// The directory with objects, references and the configuration: `git_dir` itself, or that of
    /// the main work tree.
    pub common_dir: PathBuf,
}

impl WorkTree {
    /// Finds the work tree around a directory, which must be given without symbolic links.
    pub fn around(dir: &Path) -> Result<Self, GitError> {
        let nothing = || GitError::NotARepository(dir.to_owned());
        let device = fs::metadata(dir).map_err(|_| nothing())?.dev();
        for root in dir.ancestors() {
            // As in git, the search ends at the border of a file system.
            if fs::metadata(root).map_or(true, |folder| folder.dev() != device) {
                break;
            }
            if let Some(found) = Self::at(root)? {
                // A directory inside `.git` is not in a work tree.
                return if dir.starts_with(&found.git_dir) { Err(nothing()) } else { Ok(found) };
            }
        }
        Err(nothing())
    }

    /// The work tree whose root is this folder, if there is one.
    fn at(root: &Path) -> Result<Option<Self>, GitError> {
        let entry = root.join(".git");
        let Ok(metadata) = fs::metadata(&entry) else { return Ok(None) };
        let git_dir = if metadata.is_dir() {
            entry
        } else {
            let text = read_name(&entry)?;
            let Some(named) = text.strip_prefix(b"gitdir: ") else {
                return Err(GitError::Odd(entry, "names no repository".to_owned()));
            };
            root.join(OsStr::from_bytes(named))
        };
        let Ok(git_dir) = fs::canonicalize(&git_dir) else { return Ok(None) };
        let Some(common_dir) = common_dir(&git_dir)? else { return Ok(None) };
        let has = |name: &str| common_dir.join(name).is_dir();
        let valid = names_a_commit(&git_dir.join("HEAD"))? && has("objects") && has("refs");
        Ok(valid.then(|| Self { root: root.to_owned(), git_dir, common_dir }))
    }

    /// The owner's id, if the owner is not this user: git does not trust the work tree then.
    pub fn foreign_owner(&self) -> Option<u32> {
        let own = rustix::process::geteuid();
        // Git also trusts the user who became the superuser through sudo.
        let before = own.is_root().then(|| std::env::var("SUDO_UID").ok()?.parse().ok()).flatten();
        [self.root.join(".git"), self.root.clone(), self.git_dir.clone(), self.common_dir.clone()]
            .iter()
            .filter_map(|path| fs::symlink_metadata(path).ok())
            .map(|metadata| metadata.uid())
            .find(|owner| *owner != own.as_raw() && Some(*owner) != before)
    }

    /// Refuses a repository in which something other than a regular file, such as a pipe, is in the
    /// place of a file that git opens.
    pub fn expect_files(&self) -> Result<(), GitError> {
        let own = ["HEAD", "index"].map(|name| self.git_dir.join(name));
        let common = ["config", "packed-refs", "shallow", "info/exclude", "info/grafts"]
            .iter()
            .chain(&["objects/info/alternates"])
            .map(|name| self.common_dir.join(name));
        for path in own.into_iter().chain(common) {
            if let Ok(metadata) = fs::metadata(&path) {
                open::expect_regular(&metadata)
                    .map_err(|error| GitError::Odd(path, error.to_string()))?;
            }
        }
        Ok(())
    }
}

/// The directory with the objects and references of a git directory: that directory itself, or, for
/// one made by `git worktree add`, the directory two levels above. Any other place is refused.
fn common_dir(git_dir: &Path) -> Result<Option<PathBuf>, GitError> {
    let named = git_dir.join("commondir");
    if fs::symlink_metadata(&named).is_err() {
        return Ok(Some(git_dir.to_owned()));
    }
    let text = read_name(&named)?;
    let Ok(common) = fs::canonicalize(git_dir.join(OsStr::from_bytes(&text))) else {
        return Ok(None);
    };
    let above = git_dir.parent().filter(|folder| folder.ends_with("worktrees"));
    if above.and_then(Path::parent) == Some(&common) {
        return Ok(Some(common));
    }
    Err(GitError::Odd(named, "names a place where git makes no common directory".to_owned()))
}

/// Whether the contents of `HEAD` are valid for git: a reference or a commit id.
fn names_a_commit(head: &Path) -> Result<bool, GitError> {
    let Ok(metadata) = fs::symlink_metadata(head) else { return Ok(false) };
    if metadata.is_symlink() {
        return Ok(fs::read_link(head).is_ok_and(|target| target.starts_with("refs")));
    }
    let text = read_name(head)?;
    let reference = text.strip_prefix(b"ref:").map(<[u8]>::trim_ascii_start);
    Ok(match reference {
        Some(name) => name.starts_with(b"refs/"),
        None => matches!(text.len(), 40 | 64) && text.iter().all(u8::is_ascii_hexdigit),
    })
}

/// The text of a file that holds one name, without the line end.
fn read_name(path: &Path) -> Result<Vec<u8>, GitError> {
    let odd = |why: String| GitError::Odd(path.to_owned(), why);
    let text = open::bytes(path, NAME_LIMIT).map_err(|error| odd(error.to_string()))?;
    Ok(text.trim_ascii_end().to_vec())
}
