//! What a navigation is asked.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Entries of one answer, unless the question says otherwise.
pub const DEFAULT_LIMIT: usize = 100;

/// Which files are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The file of the question alone.
    File,
    /// The files in the same folder, without the folders below it.
    Directory,
    /// All files of the root.
    #[default]
    Project,
}

/// The symbol in question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The identifier at a place. Line and column count from 1, the column in code points. A place
    /// right behind an identifier means that identifier.
    At {
        /// Line, from 1.
        line: u32,
        /// Column in code points, from 1.
        column: u32,
    },
    /// All symbols of a name, compared exactly.
    Symbol(String),
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The file, absolute or relative to the root. It may be left out only with
    /// [`Target::Symbol`] and [`Scope::Project`].
    pub file: Option<PathBuf>,
    /// The symbol.
    pub target: Target,
    /// Where to search.
    pub scope: Scope,
    /// Most entries of the answer; `total_count` counts all.
    pub limit: usize,
    /// Where an earlier answer was cut: its `cursor`.
    pub cursor: Option<String>,
}

impl Query {
    /// A question about a place in a file, over the whole project.
    pub fn at(file: impl Into<PathBuf>, line: u32, column: u32) -> Self {
        Self {
            file: Some(file.into()),
            target: Target::At { line, column },
            scope: Scope::default(),
            limit: DEFAULT_LIMIT,
            cursor: None,
        }
    }

    /// A question about all symbols of a name in the project.
    pub fn symbol(name: impl Into<String>) -> Self {
        Self {
            file: None,
            target: Target::Symbol(name.into()),
            scope: Scope::default(),
            limit: DEFAULT_LIMIT,
            cursor: None,
        }
    }
}
