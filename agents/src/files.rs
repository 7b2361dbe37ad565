//! The files of a repository, and a digest that changes when any of them does.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use map::repo::{GitError, Scope, Universe, UniverseError};
use record::{Digest, digest::Hasher};

use crate::{Code, Problem};

/// The work tree around a directory, or the directory itself, without symbolic links.
///
/// # Errors
/// The directory does not exist.
pub fn work_tree(dir: &Path) -> io::Result<PathBuf> {
    let dir = dir.canonicalize()?;
    let root = dir.ancestors().find(|folder| folder.join(".git").exists());
    Ok(root.unwrap_or(&dir).to_owned())
}

/// Lists the files of the work tree around a directory that belong to a map; without git, those
/// below the directory.
///
/// # Errors
/// They cannot be listed.
pub fn list(dir: &Path, scope: &Scope) -> Result<Universe, Problem> {
    let listed = match Universe::of_work_tree(dir, scope) {
        Err(UniverseError::Git(GitError::NotARepository(_))) => Universe::of_directory(dir, scope),
        other => other,
    };
    listed.map_err(|error| problem(&error))
}

/// The problem to report when files cannot be listed.
pub fn problem(error: &UniverseError) -> Problem {
    let code = match error {
        UniverseError::Git(GitError::Missing(_)) => Code::DepsMissing,
        _ => Code::ScanFailed,
    };
    Problem::new(code, error.to_string())
}

/// The given files that lie in the repository and exist, relative to its root and sorted. Each may
/// be given as an absolute path or relative to the root.
pub fn within(universe: &Universe, files: &[String]) -> Vec<String> {
    let below_root = |file: &String| {
        let path = Path::new(file);
        let Ok(below) = path.strip_prefix(&universe.root) else {
            // A root that is given through a link is the same root.
            let absolute =
                if path.is_absolute() { real(path)? } else { return Some(file.clone()) };
            let below = absolute.strip_prefix(&universe.root).ok()?;
            return Some(below.to_str()?.to_owned());
        };
        Some(below.to_str()?.to_owned())
    };
    let mut found: Vec<String> = files
        .iter()
        .filter_map(below_root)
        .map(|file| universe.resolve(&file))
        .filter(|file| file.is_file && !file.is_outside())
        .map(|file| file.rel)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// A digest over the names of all listed files and the files in `more`, with their sizes, times and
/// inodes, and over what HEAD has. It changes when a file is written, replaced, moved or removed, and
/// when another commit is checked out or made: files that differ from HEAD weigh more. No contents
/// are read.
pub fn stamp(universe: &Universe, more: &[String]) -> Digest {
    let mut hasher = Hasher::default();
    hasher.update(universe.committed.listing());
    let listed = universe.files.values().map(|file| (file.rel.as_str(), PathBuf::from(&file.abs)));
    let more = more.iter().map(|file| (file.as_str(), universe.root.join(file)));
    for (name, path) in listed.chain(more) {
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
        let Ok(found) = fs::symlink_metadata(path) else { continue };
        let numbers = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()]
            .map(i64::to_be_bytes);
        hasher.update(&found.size().to_be_bytes());
        hasher.update(&found.ino().to_be_bytes());
        hasher.update(numbers.as_flattened());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, process::Command};

    use map::repo::Scope;

    use super::{list, stamp};

    fn git(root: &Path, arguments: &[&str]) {
        let ended = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
            .args(arguments)
            .current_dir(root)
            .status();
        assert!(ended.unwrap().success(), "git {arguments:?}");
    }

    // Files that differ from HEAD weigh more, so a commit changes maps although it changes no file.
    #[test]
    fn a_commit_changes_the_stamp() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        git(root, &["init", "-q"]);
        let stamp = || stamp(&list(root, &Scope::default()).unwrap(), &[]);
        fs::write(root.join("a.py"), "def a():\n    pass\n").unwrap();
        git(root, &["add", "-A"]);
        let before = stamp();
        assert_eq!(before, stamp());
        git(root, &["commit", "-q", "-m", "one"]);
        let committed = stamp();
        assert_ne!(committed, before);
        git(root, &["commit", "-q", "--amend", "-m", "two"]);
        assert_eq!(stamp(), committed, "only the message is another one");
    }
}
