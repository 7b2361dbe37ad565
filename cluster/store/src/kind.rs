//! What is stored.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The answer of a worker: the recordings of one unit.
    Answer,
    /// The artifact of a corpus, as its registry has it.
    Corpus,
    /// What a comparator's environment is made of.
    Comparator,
    /// A program that is measured.
    Engine,
}

impl Kind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Answer, Self::Corpus, Self::Comparator, Self::Engine];

    /// Its name, which is that of its folders.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Corpus => "corpus",
            Self::Comparator => "comparator",
            Self::Engine => "engine",
        }
    }

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(self.as_str())
    }
}
