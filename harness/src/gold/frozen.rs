//! The frozen rules of explorations, and the gold that was made under them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::{
    Gold, WriteError, exit,
    protocol::{FORMATS, FREEZE, GOLD, SCORING},
};
use verdict::{
    explorations::{Formats, Scoring},
    freeze::{Freeze, FreezeError},
};

/// End of the name of a gold file.
const END: &str = ".jsonl.gz";

/// The protocol or the gold may not be used.
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
    /// It differs from the freeze.
    #[error(transparent)]
    Freeze(#[from] FreezeError),
    /// A gold file holds the gold of another language.
    #[error("{path} is not the gold of its name; restore it with git checkout")]
    Gold {
        /// The file.
        path: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl FrozenError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. } | Self::Freeze(FreezeError::Protocol(_)) => exit::SETUP,
            Self::Freeze(_) | Self::Gold { .. } => exit::DIGEST,
            Self::Write(_) => exit::IO,
        }
    }
}

/// The rules of explorations and the gold of a checkout.
#[derive(Debug)]
pub struct Frozen {
    /// The rules of code.
    pub scoring: Scoring,
    /// The rules of formats.
    pub formats: Formats,
    root: PathBuf,
    languages: Vec<String>,
}

impl Frozen {
    /// Reads the rules of a checkout whose protocol is what was frozen.
    ///
    /// # Errors
    /// A file cannot be read, or differs from the freeze.
    pub fn open(root: &Path) -> Result<Self, FrozenError> {
        Freeze::check(root)?;
        Self::draft(root)
    }

    /// Reads the rules of a checkout without comparing them with the freeze.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn draft(root: &Path) -> Result<Self, FrozenError> {
        Ok(Self {
            scoring: read(root, SCORING, Scoring::check)?,
            formats: read(root, FORMATS, Formats::check)?,
            root: root.to_owned(),
            languages: languages(&root.join(GOLD))?,
        })
    }

    /// The languages and formats that have gold, sorted.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    /// The gold of a language.
    ///
    /// # Errors
    /// It is missing, damaged or that of another language.
    pub fn gold(&self, language: &str) -> Result<Gold, FrozenError> {
        let path = Gold::path(language);
        let gold = Gold::read(&self.root.join(&path)).map_err(|error| FrozenError::Read {
            path: self.root.join(&path),
            why: error.to_string(),
        })?;
        if gold.header.language == language { Ok(gold) } else { Err(FrozenError::Gold { path }) }
    }

    /// Makes this the current gold of its language. Frozen gold is not replaced by different gold.
    ///
    /// # Errors
    /// Different gold is frozen, or a file cannot be written.
    pub fn put(&self, gold: &Gold) -> Result<(), FrozenError> {
        let language = &gold.header.language;
        if self.gold(language).ok().as_ref() == Some(gold) {
            return Ok(());
        }
        let name = Gold::path(language);
        let frozen = self.root.join(FREEZE).exists();
        if frozen && Freeze::open(&self.root)?.files.contains_key(&name) {
            return Err(FreezeError::Changed(name).into());
        }
        let path = self.root.join(&name);
        gold.write(&path)
            .map_err(|error| FrozenError::Read { path: path.clone(), why: error.to_string() })
    }
}

/// The languages with a gold file in a folder; none where the folder does not exist yet.
fn languages(folder: &Path) -> Result<Vec<String>, FrozenError> {
    let failed = |error: std::io::Error| FrozenError::Read {
        path: folder.to_owned(),
        why: error.to_string(),
    };
    let mut languages = Vec::new();
    if folder.exists() {
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            languages.extend(name.strip_suffix(END).map(str::to_owned));
        }
    }
    languages.sort();
    Ok(languages)
}

/// A file of the protocol of a checkout.
fn read<T: serde::de::DeserializeOwned>(
    root: &Path,
    file: &str,
    check: fn(&T) -> Result<(), String>,
) -> Result<T, FrozenError> {
    let path = root.join(file);
    let failed = |why: String| FrozenError::Read { path: path.clone(), why };
    let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let protocol: T = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
    check(&protocol).map_err(failed)?;
    Ok(protocol)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::{
        Gold,
        protocol::{FOLDER, FORMATS, SCORING},
    };

    use super::{Frozen, FrozenError};
    use crate::protocol::freeze;

    fn real() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    /// A draft with the committed rules and the gold of logs.
    fn draft() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let gold = Gold::path("log");
        for file in [SCORING, FORMATS, &gold] {
            let to = folder.path().join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(real().join(file), to).unwrap();
        }
        folder
    }

    #[test]
    fn the_committed_protocol_is_frozen_and_so_is_its_gold() {
        let frozen = Frozen::open(&real()).unwrap();
        assert!(frozen.languages().count() > 40);
        for language in frozen.languages() {
            frozen.gold(language).unwrap();
        }
    }

    #[test]
    fn the_protocol_has_a_row_for_the_languages_that_are_judged_and_have_gold() {
        let frozen = Frozen::open(&real()).unwrap();
        let table = languages::Table::read(&real().join("queries")).unwrap();
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
    fn a_draft_must_be_frozen_before_it_scores_and_a_frozen_rule_stays() {
        let folder = draft();
        assert!(matches!(Frozen::open(folder.path()), Err(FrozenError::Freeze(_))));
        assert_eq!(freeze(folder.path()).unwrap(), 3);
        Frozen::open(folder.path()).unwrap();
        let path = folder.path().join(SCORING);
        let text = fs::read_to_string(&path).unwrap();
        let other = text.replacen("line_tolerance = 0", "line_tolerance = 9", 1);
        assert_ne!(text, other);
        fs::write(&path, other).unwrap();
        assert!(matches!(Frozen::open(folder.path()), Err(FrozenError::Freeze(_))));
        assert!(freeze(folder.path()).is_err(), "a change was frozen under the same version");
        // Added gold is frozen as well, and nothing else changes.
        fs::write(&path, text).unwrap();
        fs::write(folder.path().join(FOLDER).join("more.toml"), "x = 1\n").unwrap();
        assert_eq!(freeze(folder.path()).unwrap(), 1);
    }

    #[test]
    fn frozen_gold_is_not_replaced() {
        let folder = draft();
        let rules = Frozen::draft(folder.path()).unwrap();
        let mut gold = rules.gold("log").unwrap();
        let before = fs::read(folder.path().join(Gold::path("log"))).unwrap();
        freeze(folder.path()).unwrap();
        rules.put(&gold).unwrap();
        gold.files.pop();
        assert!(matches!(rules.put(&gold), Err(FrozenError::Freeze(_))));
        assert_eq!(fs::read(folder.path().join(Gold::path("log"))).unwrap(), before);
        gold.header.language = "new".to_owned();
        rules.put(&gold).unwrap();
    }
}
