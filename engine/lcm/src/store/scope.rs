//! What somebody may see.

use serde::Serialize;

/// The sessions whose contents somebody may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Scope {
    /// These: a session first, then the one that started it, and so on. Nothing if empty.
    Lineage(Vec<String>),
    /// All.
    Everything,
}

impl Scope {
    /// As a parameter of [`VISIBLE`]: a JSON array, or null for everything.
    pub(super) fn parameter(&self) -> Option<String> {
        match self {
            Self::Lineage(sessions) => Some(serde_json::Value::from(sessions.clone()).to_string()),
            Self::Everything => None,
        }
    }

    /// The sessions; none if it is not limited to any.
    pub fn sessions(&self) -> &[String] {
        match self {
            Self::Lineage(sessions) => sessions,
            Self::Everything => &[],
        }
    }
}

/// The condition that a row's session is in the scope that parameter 2 is. What is missing and what
/// may not be seen are one answer of one query, so nothing tells them apart, not even time.
pub(super) const VISIBLE: &str = "(?2 IS NULL OR session IN (SELECT value FROM json_each(?2)))";
