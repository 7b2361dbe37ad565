//! The gold file of one language: gzip over JSON lines, the same bytes for the same labels.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, GzBuilder, read::GzDecoder};
use serde::{Deserialize, Serialize};

use crate::{Labels, Schema, VisibilityClass, WriteError, protocol::GOLD, write_atomically};

/// Most bytes of a gold file when unpacked: a compressed file may lie about its size.
const MAX_BYTES: u64 = 512 << 20;

/// The first line of a gold file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format.
    pub schema_version: Schema<1>,
    /// The language key.
    pub language: String,
    /// The front end, as its definition names it.
    pub oracle: String,
    /// Its pinned version.
    pub oracle_version: String,
    /// The version that the front end reported when it ran.
    pub oracle_said: String,
    /// Digest of the oracle's program and lock.
    pub oracle_sha256: String,
    /// How much it knows of visibility.
    pub visibility: VisibilityClass,
    /// Where the files come from, by name of the corpus.
    pub corpora: BTreeMap<String, CorpusShare>,
}

/// The part that one corpus has in a language's gold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusShare {
    /// Digest of everything that identifies the corpus.
    pub fingerprint: String,
    /// Files of the language in it.
    pub files: u64,
    /// Of these, files that the oracle was asked about.
    pub asked: u64,
    /// Of these, files that have no gold, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub excluded: BTreeMap<String, u64>,
}

/// One file that the oracle was asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldFile {
    /// The corpus.
    pub corpus: String,
    /// The path in it.
    pub file: String,
    /// Digest of its content.
    pub sha256: String,
    /// Why it has no gold; absent for a file with labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
    /// Its labels.
    #[serde(flatten)]
    pub labels: Labels,
}

/// The gold of one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    /// Where it comes from.
    pub header: Header,
    /// The files, sorted by corpus and path.
    pub files: Vec<GoldFile>,
}

/// A gold file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GoldError {
    /// It cannot be read.
    #[error("{} cannot be read: {source}; restore it with git checkout", path.display())]
    Read {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Its content is not what was written.
    #[error("{} is not a gold file: {why}; restore it with git checkout", path.display())]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Gold {
    /// The path of a language's gold below the checkout.
    pub fn path(language: &str) -> String {
        format!("{GOLD}{language}.jsonl.gz")
    }

    /// The JSON lines. Gold is compared in this form, because compressors differ.
    ///
    /// # Errors
    /// The gold cannot be serialised, which does not happen with labels that were read.
    pub fn lines(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(&self.header)?;
        for file in &self.files {
            bytes.push(b'\n');
            serde_json::to_writer(&mut bytes, file)?;
        }
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Writes the gold compressed, without a time or a name in the compressed file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), GoldError> {
        let packed = || -> io::Result<Vec<u8>> {
            let mut packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
            packer.write_all(&self.lines()?)?;
            packer.finish()
        };
        let bytes = packed().map_err(|source| GoldError::Read { path: path.to_owned(), source })?;
        Ok(write_atomically(path, &bytes)?)
    }

    /// Reads a gold file.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<Self, GoldError> {
        let bytes =
            fs::read(path).map_err(|source| GoldError::Read { path: path.to_owned(), source })?;
        let damaged = |why: String| GoldError::Damaged { path: path.to_owned(), why };
        let mut text = String::new();
        GzDecoder::new(bytes.as_slice())
            .take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(|error| damaged(error.to_string()))?;
        let mut lines = text.lines();
        let header = lines.next().ok_or_else(|| damaged("it is empty".to_owned()))?;
        let header: Header =
            serde_json::from_str(header).map_err(|error| damaged(error.to_string()))?;
        let files = lines
            .map(serde_json::from_str)
            .collect::<Result<Vec<GoldFile>, _>>()
            .map_err(|error| damaged(error.to_string()))?;
        Ok(Self { header, files })
    }

    /// The files that have labels.
    pub fn labelled(&self) -> impl Iterator<Item = &GoldFile> {
        self.files.iter().filter(|file| file.excluded.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Gold, GoldFile, Header};
    use crate::{Labels, Schema, VisibilityClass};

    #[test]
    fn what_is_written_is_read_and_is_the_same_every_time() {
        let file = |name: &str, excluded: Option<&str>| GoldFile {
            corpus: "c".to_owned(),
            file: name.to_owned(),
            sha256: "00".repeat(32),
            excluded: excluded.map(str::to_owned),
            labels: Labels::default(),
        };
        let gold = Gold {
            header: Header {
                schema_version: Schema,
                language: "python".to_owned(),
                oracle: "x".to_owned(),
                oracle_version: "1".to_owned(),
                oracle_said: "x 1".to_owned(),
                oracle_sha256: "00".repeat(32),
                visibility: VisibilityClass::None,
                corpora: BTreeMap::new(),
            },
            files: vec![file("a", None), file("b", Some("parse_errors"))],
        };
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("1"), folder.path().join("2"));
        gold.write(&one).unwrap();
        gold.write(&two).unwrap();
        assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
        let back = Gold::read(&one).unwrap();
        assert_eq!((back.labelled().count(), &back), (1, &gold));
        std::fs::write(&one, b"no gzip").unwrap();
        assert!(Gold::read(&one).is_err());
    }
}
