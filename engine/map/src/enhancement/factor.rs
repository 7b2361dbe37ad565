//! The factors that maps of the enhancement profile use besides the graph.

use std::{fmt, str::FromStr};

/// One thing that distinguishes a map of the enhancement profile. Each factor can be turned off, so
/// that its effect can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    /// Files and definitions are ordered by the words that they share with the message.
    Relevance,
    /// The ranks of the graph are added to the relevance.
    Graph,
    /// A name is no reference to a definition in a language that has nothing in common with its own.
    Families,
    /// A name that a file does not define means the definitions in files that it imports.
    Scopes,
    /// Files that files of the chat import weigh more.
    Imports,
    /// Files that differ from HEAD weigh more.
    Edits,
    /// Tests, examples, documentation, generated and foreign code weigh less unless the message
    /// asks for them.
    Standing,
    /// Many files appear with a few definitions each before any file appears with all of its
    /// definitions.
    Spread,
    /// Definitions next to important ones of their file come before others like them.
    Neighbours,
    /// Definitions are shown by their signatures, without the lines around them.
    Signatures,
    /// The first sentence of a definition's documentation is shown below its signature, where room
    /// is left at the end.
    Documentation,
}

impl Factor {
    /// All factors.
    pub const ALL: [Self; 11] = [
        Self::Relevance,
        Self::Graph,
        Self::Families,
        Self::Scopes,
        Self::Imports,
        Self::Edits,
        Self::Standing,
        Self::Spread,
        Self::Neighbours,
        Self::Signatures,
        Self::Documentation,
    ];

    /// The factor's name on the command line and in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Graph => "graph",
            Self::Families => "families",
            Self::Scopes => "scopes",
            Self::Imports => "imports",
            Self::Edits => "edits",
            Self::Standing => "standing",
            Self::Spread => "spread",
            Self::Neighbours => "neighbours",
            Self::Signatures => "signatures",
            Self::Documentation => "documentation",
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// No factor has this name.
#[derive(Debug, thiserror::Error)]
#[error("no factor is called {0:?}; there are {all}", all = Factor::ALL.map(Factor::as_str).join(", "))]
pub struct UnknownFactor(String);

impl FromStr for Factor {
    type Err = UnknownFactor;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|factor| factor.as_str() == name).ok_or_else(|| UnknownFactor(name.to_owned()))
    }
}
