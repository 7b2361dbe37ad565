//! The answers of navigation. The JSON of each type has the fields of the tool's specification, and
//! also `resolution` and `index`. It can be read back.

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
    /// As a member of its receiver's type.
    Member,
    /// By its name alone: another symbol of the same name may be meant.
    NameMatch,
    /// It comes from outside the root, and no definition is invented for it.
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
    /// Number of the store's last change that the answer includes; 0 without a stored index.
    pub generation: u64,
    /// Number of files of the root that the answer does not cover, such as those whose parser was
    /// stopped.
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
    /// The source line without its line end, at most 200 code points.
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
    /// Its role: `definition`, `call`, `type`, `import`, `read` or `write`.
    pub kind: Cow<'static, str>,
    /// The source line without its line end, at most 200 code points.
    pub preview: String,
    /// How it was found.
    pub resolution: Resolution,
}

/// Goes with an answer if the file in question was parsed with errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `TS_PARSE_ERRORS`.
    pub code: Cow<'static, str>,
    /// The warning in words.
    pub message: String,
    /// The places of the errors.
    pub details: ParseErrors,
}

/// The places where a file does not follow its grammar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseErrors {
    /// Number of all errors.
    pub error_count: usize,
    /// The first errors, at most 20.
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

/// The answer to a question about definitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definitions {
    /// The name.
    pub symbol: String,
    /// The definitions, the most probable first; empty for a name from outside the root.
    pub definitions: Vec<Definition>,
    /// Number of all definitions, including those that were cut off.
    pub total_count: usize,
    /// How the first one was found; `external` if the name comes from outside the root.
    pub resolution: Resolution,
    /// What a reader should know about the answer.
    pub note: String,
    /// The cursor to ask for the rest, if the answer was cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How fresh the answer is.
    pub index: Freshness,
    /// The warning that goes with the answer, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// The answer to a question about references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The name.
    pub symbol: String,
    /// The references, sorted by path, line and column.
    pub references: Vec<Reference>,
    /// Number of all references, including those that were cut off.
    pub total_count: usize,
    /// The least certain way in which one of them was found.
    pub resolution: Resolution,
    /// The cursor to ask for the rest, if the answer was cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How fresh the answer is.
    pub index: Freshness,
    /// The warning that goes with the answer, if any.
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

/// The answer to a question about one symbol: its first definition.
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
    /// What a reader should know about the answer.
    pub note: String,
    /// How fresh the answer is.
    pub index: Freshness,
    /// The warning that goes with the answer, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// A definition of a parsed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParsedSymbol {
    /// Its name.
    pub name: String,
    /// What is defined, such as `function` or `class`.
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
    /// The grammar's name of the root node.
    pub root_node: String,
    /// Its definitions in order, without parameters and local variables.
    pub symbols: Vec<ParsedSymbol>,
    /// The places where it does not follow the grammar, at most 20.
    pub errors: Vec<ParseError>,
    /// Time that reading and parsing took, in milliseconds.
    pub parse_time_ms: u64,
}
