//! The edges of the graph.

use index::nav::Place;
use serde::Serialize;

/// How one symbol uses another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It calls it.
    Call,
    /// It makes an object of it.
    New,
    /// It derives from it.
    Extends,
    /// It implements it.
    Implements,
    /// It names a function without calling it, for instance to hand it on.
    Callback,
    /// It names it in any other way.
    Reference,
}

impl Kind {
    /// The name in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::New => "new",
            Self::Extends => "extends",
            Self::Implements => "implements",
            Self::Callback => "callback",
            Self::Reference => "reference",
        }
    }

    /// Whether control passes to the other symbol.
    pub const fn is_call(self) -> bool {
        matches!(self, Self::Call | Self::New)
    }
}

/// How it is known which symbol is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// By scopes and imports, also for a member of a class or module that is named, or of the object
    /// of the method itself.
    Bound,
    /// By the type that a variable or a result is declared with or made of.
    Annotated,
}

impl Tier {
    /// The name in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Annotated => "annotated",
        }
    }
}

/// One use of a symbol by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The symbol that uses; a place without a definition is the top level of its file.
    pub from: Place,
    /// The symbol that is used.
    pub to: Place,
    /// How.
    pub kind: Kind,
    /// How that is known.
    pub tier: Tier,
    /// Line of the use in the file of `from`, from 1.
    pub line: u32,
    /// Its column in code points, from 1.
    pub column: u32,
}

/// The uses that a symbol makes, or that are made of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// The edges, in the order of files and lines.
    pub edges: Vec<Edge>,
    /// Uses of names that exactly one symbol of the root has, although nothing tells that it is meant: the
    /// symbol and the line.
    pub candidates: Vec<(Place, u32)>,
    /// The files and lines that import the symbol, for the uses that are made of it.
    pub imports: Vec<(String, u32)>,
    /// Number of names of which several symbols, or none, may be meant.
    pub unresolved: usize,
    /// Number of names from outside of the root.
    pub external: usize,
}
