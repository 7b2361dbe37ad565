//! The table of languages in a checkout or in evidence: which file is of which language.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::Profile;
use serde::Deserialize;

use crate::protocol::{ProtocolError, read_toml};

/// Folder of the table.
const QUERIES: &str = "queries";
/// The file with what holds for all languages.
const COMPARATOR: &str = "comparator.toml";
/// The file of one language in its folder.
const LANGUAGE: &str = "language.toml";

/// The parts of the languages with a tag query that say which files they have.
#[derive(Debug)]
pub struct LanguageTable {
    shadowed_file_names: Vec<String>,
    languages: Vec<(String, Tags)>,
}

#[derive(Deserialize)]
struct All {
    shadowed_file_names: Vec<String>,
}

#[derive(Deserialize)]
struct Row {
    tags: Option<Tags>,
}

#[derive(Debug, Deserialize)]
struct Tags {
    profile: Profile,
    extensions: Vec<String>,
    file_names: Vec<String>,
}

impl LanguageTable {
    /// Reads `queries/` below `root`.
    ///
    /// # Errors
    /// A file is missing or malformed.
    pub fn read(root: &Path) -> Result<Self, ProtocolError> {
        let queries = root.join(QUERIES);
        let all: All = read_toml(&queries.join(COMPARATOR))?;
        let mut languages = Vec::new();
        for folder in folders(&queries)? {
            let row: Row = read_toml(&folder.join(LANGUAGE))?;
            let key = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            languages.extend(row.tags.map(|tags| (key, tags)));
        }
        Ok(Self { shadowed_file_names: all.shadowed_file_names, languages })
    }

    /// The files of the table, relative to `root`, sorted.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn files(root: &Path) -> Result<Vec<String>, ProtocolError> {
        let mut files = vec![format!("{QUERIES}/{COMPARATOR}")];
        for folder in folders(&root.join(QUERIES))? {
            let key = folder.file_name().unwrap_or_default().to_string_lossy();
            files.push(format!("{QUERIES}/{key}/{LANGUAGE}"));
        }
        Ok(files)
    }

    /// The keys of the languages that the comparator runs.
    pub fn parity(&self) -> impl Iterator<Item = &str> {
        let parity = self.languages.iter().filter(|(_, row)| row.profile.is_parity());
        parity.map(|(key, _)| key.as_str())
    }

    /// Whether the comparator runs the language of this key.
    pub fn is_parity(&self, key: &str) -> bool {
        self.parity().any(|other| other == key)
    }

    /// The language of a file: by its whole name, else by its extension.
    pub fn language_of(&self, path: &str) -> Option<&str> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let dot = name.rfind('.').filter(|dot| !name[..*dot].trim_start_matches('.').is_empty());
        let extension = dot.map_or("", |dot| &name[dot..]);
        let find = |has: &dyn Fn(&Tags) -> bool| {
            self.languages.iter().find(|(_, row)| has(row)).map(|(key, _)| key.as_str())
        };
        if self.shadowed_file_names.iter().any(|shadowed| shadowed == name) {
            return None;
        }
        find(&|row| row.file_names.iter().any(|own| own == name))
            .or_else(|| find(&|row| row.extensions.iter().any(|own| own == extension)))
    }
}

/// The folders of the languages, in order of their names.
fn folders(queries: &Path) -> Result<Vec<PathBuf>, ProtocolError> {
    let unreadable = |error| ProtocolError::Io { path: queries.to_owned(), error };
    let entries = fs::read_dir(queries).map_err(unreadable)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut folders = paths.map_err(unreadable)?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::{LanguageTable, Tags};

    fn row(key: &str, extension: &str, file_name: &str) -> (String, Tags) {
        let tags = Tags {
            profile: record::Profile::Parity,
            extensions: vec![extension.to_owned()],
            file_names: vec![file_name.to_owned()],
        };
        (key.to_owned(), tags)
    }

    #[test]
    fn a_name_comes_before_an_extension() {
        let table = LanguageTable {
            shadowed_file_names: vec!["x.py".to_owned()],
            languages: vec![row("c", ".c", "odd.py"), row("python", ".py", ".py")],
        };
        let languages = ["a/b.py", ".py", "..py", "d/odd.py", "x.py", "py", "a.b/c", "a.py.c"]
            .map(|path| table.language_of(path));
        let (python, c) = (Some("python"), Some("c"));
        assert_eq!(languages, [python, python, None, c, None, None, None, c]);
    }
}
