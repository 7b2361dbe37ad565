//! What a navigation answers. The JSON of each type has the fields of the tool's specification, and
//! `resolution` and `index` beside them. It can be read back.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How an entry was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// By the scopes of its own file.
    Scope,
    /// By an import that leads to a file of the root.
    Import,
    /// As a member of the type that its receiver has.
    Member,
    /// By its name alone: it may be another symbol of the same name.
    NameMatch,
    /// It comes from outside of the root; no definition is invented for it.
    External,
}

impl Resolution {
    /// The name in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Import => "import",
            Self::Member => "member",
            Self::NameMatch => "name_match",
            Self::External => "external",
        }
    }
}

/// How fresh an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freshness {
    /// Number of the last change of the index that the answer has seen; 0 without a stored index.
    pub generation: u64,
    /// Files of the root that the answer has not seen, such as those whose parser ended early.
    pub pending: usize,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Absolute path.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Column of the name in code points, from 1.
    pub column: u32,
    /// What is defined, such as `function`, `class`, `parameter` or `variable`.
    pub kind: Cow<'static, str>,
    /// The line, without its end, at most 200 code points.
    pub preview: String,
    /// How it was found.
    pub resolution: Resolution,
}

/// An occurrence that refers to the symbol, or defines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Absolute path.
    pub file_path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
    /// What it does: `definition`, `call`, `type`, `import`, `read` or `write`.
    pub kind: Cow<'static, str>,
    /// The line, without its end, at most 200 code points.
    pub preview: String,
    /// How it was found.
    pub resolution: Resolution,
}

/// Beside an answer: the file in question was read with errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `TS_PARSE_ERRORS`.
    pub code: Cow<'static, str>,
    /// The same in words.
    pub message: String,
    /// Where.
    pub details: ParseErrors,
}

/// Where a file does not follow its grammar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseErrors {
    /// Number of all errors.
    pub error_count: usize,
    /// The first of them, at most 20.
    pub errors: Vec<ParseError>,
}

/// A place that does not follow the grammar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// The answer about definitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definitions {
    /// The name.
    pub symbol: String,
    /// The definitions, the most probable first; none for a name from outside.
    pub definitions: Vec<Definition>,
    /// Number of definitions, those that were cut included.
    pub total_count: usize,
    /// How the first was found; `external` where the name comes from outside of the root.
    pub resolution: Resolution,
    /// What a reader should know of the answer.
    pub note: String,
    /// Asks for the rest, if the answer was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How fresh it is.
    pub index: Freshness,
    /// Beside the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// The answer about references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The name.
    pub symbol: String,
    /// The references, by path, line and column.
    pub references: Vec<Reference>,
    /// Number of references, those that were cut included.
    pub total_count: usize,
    /// The weakest way in which one of them was found.
    pub resolution: Resolution,
    /// Asks for the rest, if the answer was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How fresh it is.
    pub index: Freshness,
    /// Beside the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// Where a definition is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Absolute path.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
}

/// The answer about one symbol: that of its first definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hover {
    /// The name.
    pub symbol: String,
    /// The text of the definition without its body.
    pub signature: String,
    /// Its whole documentation without comment marks; empty if there is none.
    pub documentation: String,
    /// Where it is defined.
    pub definition_location: Location,
    /// How it was found.
    pub resolution: Resolution,
    /// What a reader should know of the answer.
    pub note: String,
    /// How fresh it is.
    pub index: Freshness,
    /// Beside the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// A definition of a parsed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Cow<'static, str>,
    /// Line of the name, from 1.
    pub line: u32,
    /// Column of the name in code points, from 1.
    pub column: u32,
}

/// What a file consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parsed {
    /// The key of its language.
    pub language: Cow<'static, str>,
    /// The grammar's name of its root.
    pub root_node: String,
    /// Its definitions without parameters and local variables, in order.
    pub symbols: Vec<ParsedSymbol>,
    /// Where it does not follow the grammar, at most 20 places.
    pub errors: Vec<ParseError>,
    /// Milliseconds that reading and parsing took.
    pub parse_time_ms: u64,
}
