//! The file that names the comparators, sets and profiles of a matrix.

use std::{
    collections::BTreeSet,
    io,
    path::{Component, Path, PathBuf},
};

use record::{Profile, Set};
use serde::Deserialize;
use verdict::gate::GateId;

/// What a matrix consists of.
#[derive(Debug, Clone)]
pub struct MatrixFile {
    /// The releases, in the order to print.
    pub releases: Vec<Release>,
    /// The sets of corpora.
    pub sets: Vec<Set>,
    /// The profiles.
    pub profiles: Vec<Profile>,
    /// The gates; empty for all that fit profile and set.
    pub gates: Vec<GateId>,
    /// Which corpora, by name; absent for all.
    pub corpora: Option<regex::Regex>,
    /// Budgets in tokens; empty for the protocol's.
    pub budgets: Vec<u64>,
}

/// One release of the comparator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Its version.
    pub version: String,
    /// The folder with its lock and `release.toml`; absent for the comparator of the checkout.
    pub folder: Option<PathBuf>,
    /// Another folder with files of the driver that the release needs, if it shares them.
    pub driver: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "comparator")]
    comparators: Vec<WrittenRelease>,
    sets: Vec<Set>,
    profiles: Vec<Profile>,
    #[serde(default)]
    gates: Vec<GateId>,
    corpora: Option<String>,
    #[serde(default)]
    budgets: Vec<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRelease {
    version: String,
    folder: Option<PathBuf>,
    driver: Option<PathBuf>,
}

/// Why a file is no matrix.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read the matrix {}: {source}; cluster/matrix/aider.toml is an example", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not written as it should be.
    #[error("{} is no matrix: {source}\n  correct it; cluster/matrix/aider.toml is an example", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        source: Box<toml::de::Error>,
    },
    /// What it says cannot be run.
    #[error("{} is no matrix: `{key}` {why}\n  correct it; cluster/matrix/aider.toml is an example", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key that is wrong.
        key: &'static str,
        /// What is wrong with it, as the rest of a sentence.
        why: String,
    },
}

impl MatrixFile {
    /// Reads a matrix. Folders of releases count from the folder of the file.
    ///
    /// # Errors
    /// It cannot be read, or does not say what to run.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| FileError::Read { path: path.to_owned(), source })?;
        let written: Written = toml::from_str(&text).map_err(|source| FileError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        let wrong = |key, why: String| FileError::Value { path: path.to_owned(), key, why };
        let empty = [
            ("comparator", written.comparators.is_empty()),
            ("sets", written.sets.is_empty()),
            ("profiles", written.profiles.is_empty()),
        ];
        if let Some((key, _)) = empty.into_iter().find(|(_, empty)| *empty) {
            return Err(wrong(key, "is empty, so nothing would run".to_owned()));
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        let (mut versions, mut releases) = (BTreeSet::new(), Vec::new());
        for WrittenRelease { version, folder, driver } in written.comparators {
            if !is_name(&version) {
                let why = format!(
                    "{version:?} has characters other than letters, digits, '.', '-' and '_'"
                );
                return Err(wrong("comparator.version", why));
            }
            if !versions.insert(version.clone()) {
                return Err(wrong("comparator.version", format!("has {version} twice")));
            }
            let inside = |folder: &PathBuf| {
                folder.components().all(|part| matches!(part, Component::Normal(_)))
            };
            for (key, folder) in [("comparator.folder", &folder), ("comparator.driver", &driver)] {
                if let Some(outside) = folder.as_ref().filter(|folder| !inside(folder)) {
                    let why =
                        format!("{} is not below the folder of the matrix", outside.display());
                    return Err(wrong(key, why));
                }
            }
            let below = |folder: Option<PathBuf>| folder.map(|folder| beside.join(folder));
            releases.push(Release { version, folder: below(folder), driver: below(driver) });
        }
        let corpora = written.corpora.as_deref().map(regex::Regex::new).transpose();
        let corpora = corpora
            .map_err(|error| wrong("corpora", format!("is no regular expression: {error}")))?;
        if repeats(&written.sets) {
            return Err(wrong("sets", "names a set twice".to_owned()));
        }
        if repeats(&written.profiles) {
            return Err(wrong("profiles", "names a profile twice".to_owned()));
        }
        if written.budgets.contains(&0) {
            return Err(wrong("budgets", "has a budget of 0 tokens".to_owned()));
        }
        Ok(Self {
            releases,
            sets: written.sets,
            profiles: written.profiles,
            gates: written.gates,
            corpora,
            budgets: written.budgets,
        })
    }
}

/// Whether a text can be a part of a file's name.
fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    !text.is_empty() && !text.starts_with('.') && text.chars().all(allowed)
}

fn repeats<T: PartialEq>(values: &[T]) -> bool {
    values
        .iter()
        .enumerate()
        .any(|(at, value)| values.iter().skip(at + 1).any(|other| other == value))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::MatrixFile;

    const GOOD: &str = "sets = ['smoke']\nprofiles = ['parity']\ngates = ['A1']\n\
        [[comparator]]\nversion = '0.86.2'\n[[comparator]]\nversion = '0.86.1'\nfolder = 'older'\n";

    fn read(text: &str) -> Result<MatrixFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matrix.toml");
        fs::write(&path, text).unwrap();
        MatrixFile::open(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn releases_are_read_in_their_order_with_folders_beside_the_file() {
        let matrix = read(GOOD).unwrap();
        let versions: Vec<&str> = matrix.releases.iter().map(|one| &*one.version).collect();
        assert_eq!(versions, ["0.86.2", "0.86.1"]);
        assert_eq!(matrix.releases[0].folder, None);
        assert!(matrix.releases[1].folder.as_ref().unwrap().ends_with("older"));
    }

    #[test]
    fn every_wrong_file_is_refused_with_what_where_and_what_next() {
        for (from, to, said) in [
            ("sets = ['smoke']", "", "missing field `sets`"),
            ("['smoke']", "[]", "`sets` is empty"),
            ("['smoke']", "['smoke', 'smoke']", "`sets` names a set twice"),
            ("['smoke']", "['tiny']", "tiny"),
            ("['parity']", "[]", "`profiles` is empty"),
            ("['parity']", "['parity', 'parity']", "`profiles` names a profile twice"),
            ("['A1']", "['A99']", "A99"),
            ("gates", "gate", "unknown field `gate`"),
            ("gates = ['A1']", "corpora = '('", "`corpora` is no regular expression"),
            ("gates = ['A1']", "budgets = [0]", "`budgets` has a budget of 0 tokens"),
            ("'0.86.1'", "'0.86.2'", "`comparator.version` has 0.86.2 twice"),
            ("'0.86.1'", "'../x'", "`comparator.version` \"../x\" has characters"),
            ("'0.86.1'", "''", "`comparator.version` \"\" has characters"),
            ("'older'", "'../older'", "`comparator.folder` ../older is not below"),
            ("'older'", "'/older'", "`comparator.folder` /older is not below"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let error = read(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(said), "{error}");
            assert!(error.contains("matrix.toml") && error.contains("is an example"), "{error}");
        }
        let error = MatrixFile::open(Path::new("/nowhere/matrix.toml")).unwrap_err().to_string();
        assert!(
            error.contains("/nowhere/matrix.toml") && error.contains("is an example"),
            "{error}"
        );
    }
}
