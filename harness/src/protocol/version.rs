//! The files of one version of the protocol, from the checkout or from a commit that has all of them.

use std::{collections::BTreeMap, fs, path::Path};

use record::{
    exit,
    protocol::{CURRENT, NAME},
};

use super::{HistoryError, files, git};
use crate::Failure;

/// A file that every complete version has. Of an older version, the checkout keeps only the files that floors are
/// compared with.
const WHOLE: &str = "composition.toml";

/// The files of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its name, such as `v2`.
    pub name: String,
    /// Where it was read from: its folder, or a commit.
    pub from: String,
    /// Whether all of it is there.
    pub whole: bool,
    /// Contents of its files, by their paths below its folder.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Contents of its compressed labels, by file name.
    pub labels: BTreeMap<String, Vec<u8>>,
}

impl Version {
    /// The version of this name. The one in force is read from the checkout. An older one is read from the last
    /// commit before the next version came into force; without that history, from what the checkout keeps of it.
    ///
    /// # Errors
    /// There is no such version, or a file cannot be read.
    pub fn find(root: &Path, name: &str) -> Result<Self, Failure> {
        let number = number(name)?;
        let here = Self::in_folder(root, name)?;
        if here.whole || name == NAME {
            return Ok(here);
        }
        let last = last_commit(root, number).ok().flatten();
        let past = last.and_then(|commit| Self::in_commit(root, name, &commit).ok());
        match past.filter(|past| past.whole) {
            Some(past) => Ok(past),
            None if here.files.is_empty() => Err(nowhere(name, "this checkout and its history")),
            None => Ok(here),
        }
    }

    /// The version of this name in a revision of git.
    ///
    /// # Errors
    /// There is no such revision, or it has no such version.
    pub fn at(root: &Path, name: &str, revision: &str) -> Result<Self, Failure> {
        number(name)?;
        let commit = git::commit(root, revision)
            .map_err(|_| Failure::new(exit::USAGE, format!("{revision:?} is no commit here")))?;
        let version = Self::in_commit(root, name, &commit).map_err(|error| set_up(&error))?;
        if version.files.is_empty() {
            return Err(nowhere(name, &format!("commit {}", short(&commit))));
        }
        Ok(version)
    }

    fn in_folder(root: &Path, name: &str) -> Result<Self, Failure> {
        let mut found = BTreeMap::new();
        for file in files::below(root, &folders(name))? {
            let content = fs::read(root.join(&file))?;
            found.insert(file, content);
        }
        Ok(Self::of(name, format!("protocols/{name}"), found))
    }

    fn in_commit(root: &Path, name: &str, commit: &str) -> Result<Self, HistoryError> {
        let folders = folders(name);
        let found = git::files(root, commit, &folders.each_ref().map(String::as_str))?;
        Ok(Self::of(name, format!("commit {}", short(commit)), found))
    }

    /// Separates the protocol's files from its labels. The first protocol had its gold in its own folder.
    fn of(name: &str, from: String, found: BTreeMap<String, Vec<u8>>) -> Self {
        let [own, gold] = folders(name);
        let within = format!("{own}gold/");
        let (mut files, mut labels) = (BTreeMap::new(), BTreeMap::new());
        for (path, content) in found {
            let label = path.strip_prefix(&gold).or_else(|| path.strip_prefix(&within));
            if let Some(label) = label {
                labels.insert(label.to_owned(), content);
            } else if let Some(file) = path.strip_prefix(&own) {
                files.insert(file.to_owned(), content);
            }
        }
        let whole = files.contains_key(WHOLE);
        Self { name: name.to_owned(), from, whole, files, labels }
    }
}

/// The version that was in force in a commit. Commits without the file that names it had the highest version in force.
pub fn in_force_at(root: &Path, commit: &str) -> Result<Option<String>, HistoryError> {
    let blobs = git::blobs(root, commit, &[CURRENT, "protocols/"])?;
    if let Some(blob) = blobs.get(CURRENT) {
        return git::line(root, &["cat-file", "blob", blob]).map(Some);
    }
    let versions = blobs.keys().filter_map(|path| {
        let (name, _) = path.strip_prefix("protocols/")?.split_once('/')?;
        number(name).ok()
    });
    Ok(versions.max().map(|number| format!("v{number}")))
}

/// The last commit of the main line before a version later than this one came into force.
fn last_commit(root: &Path, number_before: u32) -> Result<Option<String>, HistoryError> {
    let line = ["rev-list", "--first-parent", "--reverse", "HEAD", "--", CURRENT];
    let commits = git::line(root, &line)?;
    for commit in commits.lines() {
        let then = in_force_at(root, commit)?;
        let later = then.and_then(|then| number(&then).ok()).is_some_and(|it| it > number_before);
        if later {
            return git::commit(root, &format!("{commit}^")).map(Some);
        }
    }
    Ok(None)
}

/// The name of the version before this one.
///
/// # Errors
/// There is none.
pub fn before(name: &str) -> Result<String, Failure> {
    match number(name)? {
        0 | 1 => Err(Failure::new(exit::USAGE, format!("no version is before {name}"))),
        number => Ok(format!("v{}", number - 1)),
    }
}

/// The number of a version.
pub fn number(name: &str) -> Result<u32, Failure> {
    let number = name.strip_prefix('v').and_then(|number| number.parse().ok());
    number.ok_or_else(|| {
        Failure::new(exit::USAGE, format!("{name:?} names no version; they are called v1, v2, …"))
    })
}

/// Folders of a version and of its gold.
fn folders(name: &str) -> [String; 2] {
    [format!("protocols/{name}/"), format!("gold/{name}/")]
}

/// A commit id in its short form.
pub fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn nowhere(name: &str, place: &str) -> Failure {
    let why = format!("no protocol {name} in {place}; name a commit that has it by --at, or fetch");
    Failure::new(exit::SETUP, why)
}

fn set_up(error: &HistoryError) -> Failure {
    Failure::new(exit::SETUP, error.to_string())
}
