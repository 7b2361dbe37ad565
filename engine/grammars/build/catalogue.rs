//! Which grammars are compiled from which archives, as data.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use languages::{Grammar, Table, TableError};
use serde::Deserialize;

/// Why the catalogue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error("{path} cannot be read: {error}; restore it with `git checkout`")]
    Read { path: PathBuf, error: io::Error },
    #[error("{path} is not a valid list of archives: {error}")]
    Parse { path: PathBuf, error: toml::de::Error },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(
        "queries/{grammar}/language.toml names the archive {archive}, which {path} does not list"
    )]
    UnknownArchive { path: PathBuf, grammar: String, archive: String },
    #[error("the key {key} stands for two grammars; remove one from the aliases in queries/")]
    DuplicateKey { key: String },
}

/// All archives and grammars, by name.
#[derive(Debug)]
pub struct Catalogue {
    pub archives: BTreeMap<String, Archive>,
    pub grammars: BTreeMap<String, Grammar>,
}

/// `archives.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Archives {
    archives: BTreeMap<String, Archive>,
}

/// A source archive (gzip-compressed tar), named by its digest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    pub file: String,
    pub sha256: String,
    pub client: Client,
    pub package: String,
    pub version: String,
    pub root: PathBuf,
}

/// The package client that obtains an archive.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Client {
    Pypi,
    Cargo,
}

impl Catalogue {
    /// Reads and checks the archives and the grammars of all languages.
    pub fn read(archives: &Path, queries: &Path) -> Result<Self, CatalogueError> {
        let text = fs::read_to_string(archives)
            .map_err(|error| CatalogueError::Read { path: archives.into(), error })?;
        let listed: Archives = toml::from_str(&text)
            .map_err(|error| CatalogueError::Parse { path: archives.into(), error })?;
        let table = Table::read(queries)?;
        let grammars =
            table.languages.into_iter().filter_map(|(key, row)| Some((key, row.grammar?)));
        let catalogue = Self { archives: listed.archives, grammars: grammars.collect() };
        for (key, grammar) in &catalogue.grammars {
            if !catalogue.archives.contains_key(&grammar.archive) {
                return Err(CatalogueError::UnknownArchive {
                    path: archives.into(),
                    grammar: key.clone(),
                    archive: grammar.archive.clone(),
                });
            }
            let others = catalogue.grammars.iter().filter(|(other, _)| *other != key);
            let taken = others.flat_map(|(other, it)| it.aliases.iter().chain([other]));
            if let Some(twice) = taken.into_iter().find(|name| grammar.aliases.contains(name)) {
                return Err(CatalogueError::DuplicateKey { key: twice.clone() });
            }
        }
        Ok(catalogue)
    }

    /// The grammars of one archive, by key.
    pub fn of(&self, archive: &str) -> BTreeMap<&str, &Grammar> {
        let grammars = self.grammars.iter().filter(|(_, grammar)| grammar.archive == archive);
        grammars.map(|(key, grammar)| (key.as_str(), grammar)).collect()
    }
}
