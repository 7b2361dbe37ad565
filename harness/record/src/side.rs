//! Whose run a recording is of.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two programs that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The pinned comparator.
    Comparator,
    /// Our program.
    Engine,
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Comparator => "comparator",
            Self::Engine => "engine",
        })
    }
}
