//! Sets of corpora.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A set of corpora that a run is made over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// A few small corpora, for every change.
    Smoke,
    /// All corpora.
    Full,
}

impl Set {
    /// Its name in locks.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Full => "full",
        }
    }

    /// The sets of the locks whose corpora are explored: those that hold nothing but files of data
    /// formats are in a set of their own.
    pub const fn explored(self) -> &'static [&'static str] {
        match self {
            Self::Smoke => &["smoke"],
            Self::Full => &["full", "formats"],
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}
