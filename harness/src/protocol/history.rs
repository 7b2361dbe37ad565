//! Checks in git's history that no frozen file has changed since it was frozen.
//!
//! The walk follows the main line, from commit to first parent: a branch counts when it is merged.

use std::{collections::BTreeMap, fmt, path::Path};

use record::{
    Digest,
    protocol::{FOLDER, FREEZE, GOLD, NAME, RUNTIME_FOLDER},
};
use verdict::freeze::Freeze;

use super::git;

/// The history cannot be walked.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// Git failed.
    #[error("git {command} failed: {why}; a clone with its history is needed")]
    Git {
        /// The command.
        command: String,
        /// The output of git.
        why: String,
    },
    /// It begins after the protocol was frozen.
    #[error(
        "this clone is shallow and does not reach back to where protocol {NAME} was frozen, so nobody can tell \
         whether it changed since; run git fetch --unshallow"
    )]
    Shallow,
    /// No commit froze it.
    #[error("no commit has {FREEZE}; run `cargo parity protocol freeze` and commit it")]
    NotFrozen,
}

/// A walk over the commits that touched a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The commit that froze it.
    pub frozen_by: String,
    /// Number of commits that touched it since then, including that one.
    pub commits: usize,
    /// Frozen files.
    pub files: usize,
    /// Changes that are not allowed.
    pub changes: Vec<Change>,
}

/// A frozen file that a commit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The commit.
    pub commit: String,
    /// The file.
    pub file: String,
    /// What the commit did to the file.
    pub what: &'static str,
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "commit {} {} {}", self.commit, self.what, self.file)
    }
}

/// Walks the history of the protocol in force, up to the commit that is checked out in `root`.
///
/// # Errors
/// There is no such history.
pub fn walk(root: &Path) -> Result<Walk, HistoryError> {
    let line =
        ["rev-list", "--first-parent", "--reverse", "HEAD", "--", FOLDER, GOLD, RUNTIME_FOLDER];
    let commits = git::run(root, &line)?;
    let mut frozen: BTreeMap<String, (Digest, String)> = BTreeMap::new();
    let mut walk: Option<Walk> = None;
    for commit in String::from_utf8_lossy(&commits).lines() {
        let files = files(root, commit)?;
        let freeze = match files.get(FREEZE) {
            Some(blob) => Freeze::parse(&String::from_utf8_lossy(&content(root, blob)?)).ok(),
            None => None,
        };
        if walk.is_none() && !files.contains_key(FREEZE) {
            continue;
        }
        let walk = walk.get_or_insert_with(|| Walk {
            frozen_by: commit.to_owned(),
            commits: 0,
            files: 0,
            changes: Vec::new(),
        });
        walk.commits += 1;
        let mut changed = |file: &str, what| {
            let (commit, file) = (commit.to_owned(), file.to_owned());
            walk.changes.push(Change { commit, file, what });
        };
        let Some(freeze) = freeze else {
            changed(FREEZE, "removed or broke");
            continue;
        };
        for (file, (digest, blob)) in &frozen {
            if freeze.files.get(file) != Some(digest) {
                changed(file, "froze anew or no more");
            } else if files.get(file) != Some(blob) {
                changed(file, "changed or removed");
            }
        }
        for (file, digest) in freeze.files {
            if frozen.contains_key(&file) {
                continue;
            }
            let Some(blob) = files.get(&file) else {
                changed(&file, "froze, but does not have,");
                continue;
            };
            if Digest::of(content(root, blob)?) != digest {
                changed(&file, "froze with the digest of something else");
            }
            frozen.insert(file, (digest, blob.clone()));
        }
        walk.files = frozen.len();
    }
    let mut walk = walk.ok_or(HistoryError::NotFrozen)?;
    if is_shallow(root)? && !has_parent(root, &walk.frozen_by) {
        return Err(HistoryError::Shallow);
    }
    walk.changes.extend(older(root, &walk.frozen_by)?);
    Ok(walk)
}

/// Changes of the files of other versions since the one in force was frozen. It is compared with these files, so
/// they must not change either.
fn older(root: &Path, frozen_by: &str) -> Result<Vec<Change>, HistoryError> {
    let since = format!("{frozen_by}..HEAD");
    let own = format!(":(exclude){FOLDER}");
    let arguments = ["rev-list", "--first-parent", &since, "--", ":(glob)protocols/v*/**", &own];
    let commits = git::run(root, &arguments)?;
    let commits = String::from_utf8_lossy(&commits);
    let changes = commits.lines().map(|commit| Change {
        commit: commit.to_owned(),
        file: "an older protocol".to_owned(),
        what: "changed",
    });
    Ok(changes.collect())
}

/// The files of the protocol in force and of runtime paths in a commit, with their blob ids.
fn files(root: &Path, commit: &str) -> Result<BTreeMap<String, String>, HistoryError> {
    git::blobs(root, commit, &[FOLDER, GOLD, RUNTIME_FOLDER])
}

fn content(root: &Path, blob: &str) -> Result<Vec<u8>, HistoryError> {
    git::run(root, &["cat-file", "blob", blob])
}

fn is_shallow(root: &Path) -> Result<bool, HistoryError> {
    Ok(git::run(root, &["rev-parse", "--is-shallow-repository"])?.starts_with(b"true"))
}

/// Whether this clone has the commit before this one.
fn has_parent(root: &Path, commit: &str) -> bool {
    git::run(root, &["rev-parse", "--verify", "--quiet", &format!("{commit}^")]).is_ok()
}
