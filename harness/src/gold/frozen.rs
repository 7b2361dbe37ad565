//! `scoring.lock`: the digests of every frozen scoring protocol, and of the current gold.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use record::{
    Digest, Gold, WriteError, exit,
    protocol::{FORMATS, SCORING, SCORING_LOCK as LOCK},
    write_atomically,
};
use serde::{Deserialize, Serialize};
use verdict::explorations::{Formats, Scoring};

const HEAD: &str = "# Written by `parity gold freeze` and `parity gold generate`. A version of scoring.toml that stands\n\
    # here may not change any more: change it under a new version.\n";

/// The protocol and the gold may not be used.
#[derive(Debug, thiserror::Error)]
pub enum FrozenError {
    /// A file cannot be read.
    #[error("{} cannot be read: {why}; restore it with git checkout", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The protocol was changed under the same version.
    #[error(
        "{file} was changed without a new version: version {version} is frozen with the digest \
         {frozen}, the file has {found}; undo the change, or raise its version and run \
         `cargo parity gold freeze`, which makes earlier scores invalid"
    )]
    Changed {
        /// The file.
        file: &'static str,
        /// The version.
        version: u32,
        /// Its frozen digest.
        frozen: String,
        /// The file's digest.
        found: String,
    },
    /// The version was never frozen.
    #[error("version {0} of {1} is not frozen; run `cargo parity gold freeze` before scoring")]
    Unknown(u32, &'static str),
    /// A gold file is not the frozen one.
    #[error(
        "{path} is not the frozen gold; restore it with git checkout, or make it with \
         `cargo parity gold generate`"
    )]
    Gold {
        /// The file.
        path: String,
    },
    /// The lock cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl FrozenError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } => exit::SETUP,
            Self::Changed { .. } | Self::Unknown(..) | Self::Gold { .. } => exit::DIGEST,
            Self::Write(_) => exit::IO,
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lock {
    /// Digest of the protocol by version.
    #[serde(default)]
    scoring: BTreeMap<String, Digest>,
    /// Digest of the protocol of formats by version.
    #[serde(default)]
    formats: BTreeMap<String, Digest>,
    /// Digest of the gold's lines by language.
    #[serde(default)]
    gold: BTreeMap<String, Digest>,
}

/// The scoring protocol, proved to be the frozen one.
#[derive(Debug)]
pub struct Frozen {
    /// The protocol.
    pub scoring: Scoring,
    /// Digest of its file.
    pub sha256: Digest,
    /// The protocol of formats.
    pub formats: Formats,
    /// Digest of its file.
    pub formats_sha256: Digest,
    root: PathBuf,
    lock: Lock,
}

impl Frozen {
    /// Reads the protocol of a checkout and checks it against its lock.
    ///
    /// # Errors
    /// It cannot be read, or is not what was frozen.
    pub fn open(root: &Path) -> Result<Self, FrozenError> {
        let frozen = Self::unchecked(root)?;
        let Self { scoring, sha256, formats, formats_sha256, lock, .. } = &frozen;
        held(SCORING, scoring.version, sha256, &lock.scoring)?;
        held(FORMATS, formats.version, formats_sha256, &lock.formats)?;
        Ok(frozen)
    }

    fn unchecked(root: &Path) -> Result<Self, FrozenError> {
        let (scoring, sha256) = read(root, SCORING, Scoring::check)?;
        let (formats, formats_sha256) = read(root, FORMATS, Formats::check)?;
        let lock = match fs::read_to_string(root.join(LOCK)) {
            Ok(text) => toml::from_str(&text).map_err(|error| FrozenError::Read {
                path: root.join(LOCK),
                why: error.to_string(),
            })?,
            Err(_) => Lock::default(),
        };
        Ok(Self { scoring, sha256, formats, formats_sha256, root: root.to_owned(), lock })
    }

    /// Freezes the version that the protocol has, if it is a new one.
    ///
    /// # Errors
    /// The version is frozen with another content.
    pub fn freeze(root: &Path) -> Result<Self, FrozenError> {
        let mut frozen = Self::unchecked(root)?;
        let version = frozen.scoring.version.to_string();
        frozen.lock.scoring.entry(version).or_insert_with(|| frozen.sha256.clone());
        let version = frozen.formats.version.to_string();
        frozen.lock.formats.entry(version).or_insert_with(|| frozen.formats_sha256.clone());
        let frozen = {
            frozen.write()?;
            Self::open(root)?
        };
        Ok(frozen)
    }

    /// The languages that have gold.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.lock.gold.keys().map(String::as_str)
    }

    /// The frozen gold of a language.
    ///
    /// # Errors
    /// It is missing, damaged or another one.
    pub fn gold(&self, language: &str) -> Result<Gold, FrozenError> {
        let path = Gold::path(language);
        let gold = Gold::read(&self.root.join(&path)).map_err(|error| FrozenError::Read {
            path: self.root.join(&path),
            why: error.to_string(),
        })?;
        let lines = gold.lines().map(|lines| Digest::of(&lines)).ok();
        if gold.header.language == language && lines.as_ref() == self.lock.gold.get(language) {
            Ok(gold)
        } else {
            Err(FrozenError::Gold { path })
        }
    }

    /// Digest of a language's gold.
    pub fn gold_digest(&self, language: &str) -> Option<&Digest> {
        self.lock.gold.get(language)
    }

    /// Makes this gold a language's current gold.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn put(&mut self, gold: &Gold) -> Result<(), FrozenError> {
        let language = &gold.header.language;
        let path = self.root.join(Gold::path(language));
        let failed = |why: String| FrozenError::Read { path: path.clone(), why };
        gold.write(&path).map_err(|error| failed(error.to_string()))?;
        let lines = gold.lines().map_err(|error| failed(error.to_string()))?;
        self.lock.gold.insert(language.clone(), Digest::of(&lines));
        self.write()
    }

    fn write(&self) -> Result<(), FrozenError> {
        let path = self.root.join(LOCK);
        let text = toml::to_string(&self.lock)
            .map_err(|error| FrozenError::Read { path: path.clone(), why: error.to_string() })?;
        Ok(write_atomically(&path, format!("{HEAD}{text}").as_bytes())?)
    }
}

/// A protocol of a checkout with the digest of its file.
fn read<T: serde::de::DeserializeOwned>(
    root: &Path,
    file: &str,
    check: fn(&T) -> Result<(), String>,
) -> Result<(T, Digest), FrozenError> {
    let path = root.join(file);
    let failed = |why: String| FrozenError::Read { path: path.clone(), why };
    let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let protocol: T = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    check(&protocol).map_err(failed)?;
    Ok((protocol, Digest::of(text.as_bytes())))
}

/// Holds a protocol against the digest that its version is frozen with.
fn held(
    file: &'static str,
    version: u32,
    found: &Digest,
    lock: &BTreeMap<String, Digest>,
) -> Result<(), FrozenError> {
    match lock.get(&version.to_string()) {
        Some(digest) if digest == found => Ok(()),
        Some(digest) => Err(FrozenError::Changed {
            file,
            version,
            frozen: digest.as_str().to_owned(),
            found: found.as_str().to_owned(),
        }),
        None => Err(FrozenError::Unknown(version, file)),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::protocol::FOLDER;

    use super::{FORMATS, Frozen, FrozenError, LOCK, SCORING};

    fn checkout() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        fs::create_dir_all(folder.path().join(FOLDER)).unwrap();
        for file in [SCORING, FORMATS, LOCK] {
            fs::copy(real.join(file), folder.path().join(file)).unwrap();
        }
        folder
    }

    fn edit(folder: &Path, from: &str, to: &str) {
        let path = folder.join(SCORING);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} is not in the protocol");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }

    #[test]
    fn the_committed_protocol_is_frozen_and_so_is_its_gold() {
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let frozen = Frozen::open(&real).unwrap();
        for language in frozen.languages() {
            frozen.gold(language).unwrap();
        }
    }

    #[test]
    fn the_protocol_has_a_row_for_the_languages_that_are_judged_and_have_gold() {
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let frozen = Frozen::open(&real).unwrap();
        let table = languages::Table::read(&real.join("queries")).unwrap();
        let judged = |key: &str| {
            table.explored().find(|(other, _)| *other == key).map(|(_, explorer)| explorer.judged)
        };
        for key in frozen.scoring.languages.keys() {
            assert_eq!(judged(key), Some(true), "the scoring protocol has a row for {key}");
        }
        let of_code = |key: &&str| !frozen.formats.formats.contains_key(*key);
        for key in frozen.languages().filter(of_code) {
            let has_row = frozen.scoring.languages.contains_key(key);
            assert_eq!(judged(key), Some(has_row), "queries/{key}/language.toml");
        }
    }

    #[test]
    fn a_change_without_a_new_version_is_refused_and_cannot_be_frozen() {
        let folder = checkout();
        edit(folder.path(), "line_tolerance = 0", "line_tolerance = 9");
        let refused = Frozen::open(folder.path()).unwrap_err();
        assert!(matches!(refused, FrozenError::Changed { .. }), "{refused}");
        assert!(matches!(Frozen::freeze(folder.path()), Err(FrozenError::Changed { .. })));
    }

    #[test]
    fn a_new_version_must_be_frozen_before_it_scores() {
        let folder = checkout();
        edit(folder.path(), "line_tolerance = 0", "line_tolerance = 1");
        let old = Frozen::unchecked(folder.path()).unwrap().scoring.version;
        edit(folder.path(), &format!("version = {old}"), &format!("version = {}", old + 1));
        assert!(matches!(Frozen::open(folder.path()), Err(FrozenError::Unknown(..))));
        Frozen::freeze(folder.path()).unwrap();
        Frozen::open(folder.path()).unwrap();
    }
}
