//! What an asker may see.

use serde::Serialize;

/// The sessions whose contents an asker may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Scope {
    /// A lineage: a session first, then the one that started it, and so on. If empty, nothing is
    /// visible.
    Lineage(Vec<String>),
    /// All sessions.
    Everything,
}

impl Scope {
    /// The scope as a parameter of [`VISIBLE`]: a JSON array, or null for everything.
    pub(super) fn parameter(&self) -> Option<String> {
        match self {
            Self::Lineage(sessions) => Some(serde_json::Value::from(sessions.clone()).to_string()),
            Self::Everything => None,
        }
    }

    /// The sessions of the lineage; empty if the scope is everything.
    pub fn sessions(&self) -> &[String] {
        match self {
            Self::Lineage(sessions) => sessions,
            Self::Everything => &[],
        }
    }
}

/// The SQL condition that a row's session is in the scope given as parameter 2. One query gives the
/// same answer for rows that do not exist and rows that may not be seen, so nobody can tell them
/// apart, not even by time.
pub(super) const VISIBLE: &str = "(?2 IS NULL OR session IN (SELECT value FROM json_each(?2)))";
