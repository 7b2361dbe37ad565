//! The questions that navigation answers.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Maximum number of entries in an answer, unless the question sets another.
pub const DEFAULT_LIMIT: usize = 100;

/// Which files are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Only the file of the question.
    File,
    /// The files in the same folder, without subfolders.
    Directory,
    /// All files of the root.
    #[default]
    Project,
}

/// Which symbol the question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The identifier at a place. A place directly after an identifier means that identifier.
    At {
        /// Line, from 1.
        line: u32,
        /// Column in code points, from 1.
        column: u32,
    },
    /// All symbols with exactly this name.
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
    /// Maximum number of entries in the answer; `total_count` counts all.
    pub limit: usize,
    /// The `cursor` of an earlier answer, to continue where it was cut off.
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

    /// A question about all symbols with a name in the project.
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
