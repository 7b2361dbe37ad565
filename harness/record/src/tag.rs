//! Tags, and the stages of a map.

use serde::{Deserialize, Serialize};

/// What a tag says about its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TagKind {
    /// It is defined here.
    #[serde(rename = "def")]
    Definition,
    /// It is referred to here.
    #[serde(rename = "ref")]
    Reference,
}

/// One tag: 0-based row (-1 for lexical references), name and kind.
pub type Tag = (i64, String, TagKind);

/// Which part of the list of candidates an entry belongs to; a number from 0 to 3 on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Stage {
    /// Special files, of which the comparator never has any.
    Special,
    /// Definitions by rank.
    Definitions,
    /// Other files of the graph, by rank.
    Graph,
    /// All other files, by name alone.
    Others,
}

/// A number that no stage has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no stage {0}")]
pub struct UnknownStage(u8);

impl TryFrom<u8> for Stage {
    type Error = UnknownStage;

    fn try_from(number: u8) -> Result<Self, UnknownStage> {
        match number {
            0 => Ok(Self::Special),
            1 => Ok(Self::Definitions),
            2 => Ok(Self::Graph),
            3 => Ok(Self::Others),
            other => Err(UnknownStage(other)),
        }
    }
}

impl From<Stage> for u8 {
    fn from(stage: Stage) -> Self {
        stage as Self
    }
}
