//! `grammars.toml` as data.

use std::{collections::BTreeMap, fs, io, path::Path, path::PathBuf};

use serde::Deserialize;

/// Why the catalogue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error("{path} cannot be read: {error}; restore it with `git checkout`")]
    Read { path: PathBuf, error: io::Error },
    #[error("{path} is not a valid grammar catalogue: {error}")]
    Parse { path: PathBuf, error: toml::de::Error },
    #[error("grammar {grammar} in {path} names the archive {archive}, which is not listed there")]
    UnknownArchive { path: PathBuf, grammar: String, archive: String },
    #[error("the key {key} stands for two grammars in {path}; remove one")]
    DuplicateKey { path: PathBuf, key: String },
}

/// All archives and grammars, by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    pub archives: BTreeMap<String, Archive>,
    pub grammars: BTreeMap<String, Grammar>,
}

/// A source archive (gzip-compressed tar), named by its digest.
#[derive(Deserialize)]
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
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Client {
    Pypi,
    Cargo,
}

/// One parser inside an archive.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grammar {
    pub archive: String,
    #[serde(default)]
    pub folder: PathBuf,
    pub symbol: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub defines: Vec<String>,
    pub upstream: String,
    pub revision: String,
}

impl Catalogue {
    /// Reads and checks the catalogue.
    pub fn read(path: &Path) -> Result<Self, CatalogueError> {
        let text = fs::read_to_string(path)
            .map_err(|error| CatalogueError::Read { path: path.into(), error })?;
        let catalogue: Self = toml::from_str(&text)
            .map_err(|error| CatalogueError::Parse { path: path.into(), error })?;
        for (key, grammar) in &catalogue.grammars {
            if !catalogue.archives.contains_key(&grammar.archive) {
                return Err(CatalogueError::UnknownArchive {
                    path: path.into(),
                    grammar: key.clone(),
                    archive: grammar.archive.clone(),
                });
            }
            let others = catalogue.grammars.iter().filter(|(other, _)| *other != key);
            let taken = others.flat_map(|(other, it)| it.aliases.iter().chain([other]));
            if let Some(twice) = taken.into_iter().find(|name| grammar.aliases.contains(name)) {
                return Err(CatalogueError::DuplicateKey { path: path.into(), key: twice.clone() });
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
