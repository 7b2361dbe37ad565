//! The places that gate N1 asks about.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::PlannedCorpus;

/// What is asked about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NavOperation {
    /// Where it is defined.
    Definition,
    /// Where it is used.
    References,
}

/// A name in a file that is asked about. It is stored as a list in the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct NavPlace {
    /// What is asked.
    pub operation: NavOperation,
    /// The file, relative to the root.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

type Row = (NavOperation, String, u32, u32);

impl From<Row> for NavPlace {
    fn from((operation, file, line, column): Row) -> Self {
        Self { operation, file, line, column }
    }
}

impl From<NavPlace> for Row {
    fn from(place: NavPlace) -> Self {
        (place.operation, place.file, place.line, place.column)
    }
}

impl PlannedCorpus {
    /// The requests of `parity nav batch` about all places, one a line.
    pub(crate) fn navigation_requests(&self) -> Vec<u8> {
        let line = |place: &NavPlace| {
            let NavPlace { operation, file, line, column } = place;
            let request = json!({"operation": operation, "file": file, "line": line, "column": column, "limit": NAV_LIMIT});
            format!("{request}\n")
        };
        self.navigation.iter().map(line).collect::<String>().into_bytes()
    }
}

/// The most entries of one answer.
pub const NAV_LIMIT: u64 = 1000;
