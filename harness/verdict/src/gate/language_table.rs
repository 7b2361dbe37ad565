//! The table of languages as the evidence holds it: which file is of which language.

use std::{fs, path::Path};

use record::Profile;
use serde::{Deserialize, de::DeserializeOwned};

use crate::Missing;

/// Folder of the table in the checkout and in the evidence.
pub const QUERIES: &str = "queries";
/// The file with what holds for all languages.
const COMPARATOR: &str = "comparator.toml";
/// The file of one language in its folder.
const LANGUAGE: &str = "language.toml";

/// The languages with a tag query, as far as they tell files apart.
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
    /// Reads `queries/` of an evidence folder.
    ///
    /// # Errors
    /// A file is missing or malformed.
    pub fn read(dir: &Path) -> Result<Self, Missing> {
        let queries = dir.join(QUERIES);
        let all: All = parse(&queries.join(COMPARATOR))?;
        let unreadable = |error: std::io::Error| Missing(format!("{QUERIES}: {error}"));
        let mut languages = Vec::new();
        for entry in fs::read_dir(&queries).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let key = path.file_name().map(|name| name.to_string_lossy().into_owned());
            if let Some(key) = key.filter(|_| path.is_dir()) {
                let row: Row = parse(&path.join(LANGUAGE))?;
                languages.extend(row.tags.map(|tags| (key, tags)));
            }
        }
        languages.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Self { shadowed_file_names: all.shadowed_file_names, languages })
    }

    /// The keys of the languages that the comparator runs.
    pub fn parity(&self) -> impl Iterator<Item = &str> {
        self.languages
            .iter()
            .filter(|(_, row)| row.profile.is_parity())
            .map(|(key, _)| key.as_str())
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

fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, Missing> {
    let text = fs::read_to_string(path)
        .map_err(|error| Missing(format!("{}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| Missing(format!("{}: {error}", path.display())))
}
