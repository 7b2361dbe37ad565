//! The protocol of a checkout or of evidence: where gates read their thresholds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::protocol::GATES;
use serde::de::DeserializeOwned;

/// Why a file of a protocol or of evidence cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// It is missing or unreadable.
    #[error("{} cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It has the wrong form.
    #[error("{} is not what it should be: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// The thresholds of one gate: a table of [`GATES`].
pub trait Table: DeserializeOwned {
    /// Its name there.
    const NAME: &'static str;
}

/// A folder with protocol files, and the tables of its [`GATES`].
#[derive(Debug, Clone)]
pub struct Protocol {
    root: PathBuf,
    tables: toml::Table,
    budgets: Vec<u64>,
}

impl Protocol {
    /// Reads the thresholds below `root`.
    ///
    /// # Errors
    /// They are missing or malformed.
    pub fn open(root: &Path) -> Result<Self, ProtocolError> {
        let tables: toml::Table = read_toml(&root.join(GATES))?;
        let mut protocol = Self { root: root.to_owned(), tables, budgets: Vec::new() };
        protocol.budgets = protocol.value("budgets")?;
        Ok(protocol)
    }

    /// Budgets in tokens that every case is scored at.
    pub fn budgets(&self) -> &[u64] {
        &self.budgets
    }

    /// The thresholds of a gate.
    ///
    /// # Errors
    /// They are missing or malformed.
    pub fn table<T: Table>(&self) -> Result<T, ProtocolError> {
        self.value(T::NAME)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a TOML file by its path in the folder.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn toml<T: DeserializeOwned>(&self, path: &str) -> Result<T, ProtocolError> {
        read_toml(&self.root.join(path))
    }

    /// Reads a JSON file by its path in the folder.
    ///
    /// # Errors
    /// It is missing or malformed.
    pub fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, ProtocolError> {
        read_json(&self.root.join(path))
    }

    fn value<T: DeserializeOwned>(&self, name: &str) -> Result<T, ProtocolError> {
        let malformed = |why: String| ProtocolError::Malformed { path: self.root.join(GATES), why };
        let value = self.tables.get(name).ok_or_else(|| malformed(format!("it has no {name}")))?;
        value.clone().try_into().map_err(|error| malformed(format!("{name}: {error}")))
    }
}

fn read(path: &Path) -> Result<String, ProtocolError> {
    fs::read_to_string(path).map_err(|error| ProtocolError::Io { path: path.to_owned(), error })
}

/// Reads a TOML file.
///
/// # Errors
/// It is missing, unreadable or of another shape.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, ProtocolError> {
    toml::from_str(&read(path)?)
        .map_err(|error| ProtocolError::Malformed { path: path.to_owned(), why: error.to_string() })
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ProtocolError> {
    serde_json::from_str(&read(path)?)
        .map_err(|error| ProtocolError::Malformed { path: path.to_owned(), why: error.to_string() })
}
