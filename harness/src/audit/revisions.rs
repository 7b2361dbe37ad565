//! The revisions of grammars: those pinned here, and those that the language pack lists.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use flate2::read::GzDecoder;
use languages::Grammar;
use record::digest::sha256;
use serde::Deserialize;

/// Where the language pack's source archive lists its grammars.
const DEFINITIONS: &str = "sources/language_definitions.json";
/// Most bytes that are read of the list; far more than it holds.
const MAX_DEFINITIONS: u64 = 16 << 20;
/// Name of the pack's archive in the catalogue.
const PACK: &str = "language_pack";

/// `engine/grammars/archives.toml`, as far as the audit needs it.
#[derive(Debug, Clone, Deserialize)]
pub struct Archives {
    /// Source archives by name.
    pub archives: BTreeMap<String, Archive>,
}

/// A source archive.
#[derive(Debug, Clone, Deserialize)]
pub struct Archive {
    /// File name.
    pub file: String,
    /// Digest.
    pub sha256: String,
    /// Package version.
    pub version: String,
}

impl Archives {
    /// Reads the list's text.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The language pack's archive.
    pub fn pack(&self) -> Option<&Archive> {
        self.archives.get(PACK)
    }
}

/// Whether a grammar comes from the language pack.
pub fn from_pack(grammar: &Grammar) -> bool {
    grammar.archive == PACK
}

/// One grammar in the language pack's own list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Defined {
    /// Address of the grammar's repository.
    pub repo: String,
    /// The commit.
    pub rev: String,
}

/// The language pack's own list, by key.
pub type Definitions = BTreeMap<String, Defined>;

/// Reads the list from the pinned source archive, which the build keeps in the cache. `None` if there
/// is no such archive or it is not the pinned one: a build from archives that the user provides keeps
/// none.
pub fn definitions(cache: &Path, pack: &Archive) -> io::Result<Option<Definitions>> {
    let path = cache.join("archives").join(&pack.sha256).join(&pack.file);
    if !path.is_file() || sha256(fs::read(&path)?) != pack.sha256 {
        return Ok(None);
    }
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(&path)?));
    for entry in archive.entries()? {
        let entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        if name.split_once('/').is_some_and(|(_, inner)| inner == DEFINITIONS) {
            let mut text = String::new();
            entry.take(MAX_DEFINITIONS).read_to_string(&mut text)?;
            return Ok(Some(serde_json::from_str(&text)?));
        }
    }
    Ok(None)
}
