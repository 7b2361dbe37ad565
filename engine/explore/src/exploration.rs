//! The result of exploring one file: the JSON object that `parity explore` prints.

use serde::{Deserialize, Serialize};

use crate::{
    dispatch::Evidence, formats::Fields, import::Import, selector, symbol::Symbol, value::Value,
};

/// Version of the JSON object's schema.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything that is known about one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exploration {
    /// Version of this schema.
    pub schema_version: u32,
    /// The file, as the caller named it.
    pub file: String,
    /// The language or format key, such as `python` or `yaml`; `None` for unknown content.
    pub language: Option<String>,
    /// The explorer that made this, such as `python`, `json`, `text` or `binary`.
    pub explorer_used: String,
    /// What the choice of the explorer is based on; `none` if nothing tells what the file is.
    pub dispatched_by: Evidence,
    /// False only if the file could not be read.
    pub success: bool,
    /// What is wrong with the content, if anything. Everything that could be read of it is here
    /// nevertheless.
    pub malformed: Option<Malformed>,
    /// Why the file could not be read, if so.
    pub error: Option<String>,
    /// The text for an agent; never empty.
    pub summary: String,
    /// Tokens of the summary: the comparator's estimate in the parity profile, the tokenizer's
    /// count in the enhancement profile.
    pub token_count: usize,
    /// All symbols in source order, never capped.
    pub symbols: Vec<Symbol>,
    /// All imports in source order, never capped.
    pub imports: Vec<Import>,
    /// The parts of a file of a known kind, under titles: the jobs of a workflow, the targets of a
    /// Makefile. Only in the enhancement profile. For a nested document with more than 50,000
    /// values these are the parts among the first values, and the summary says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Facts that belong to the format.
    pub fields: Fields,
    /// The lists of the summary and of this object that are incomplete.
    pub truncated: Vec<Truncation>,
}

/// Parts of a file under one title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What they are, such as `Jobs`.
    pub title: String,
    /// The parts, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The 1-based line where it begins.
    pub line: u64,
    /// Its name, and the details that its kind has, in at most about 160 characters.
    pub text: String,
}

impl Exploration {
    /// The entries that a selector such as [`Truncation::list`] names, in their order; `None` if
    /// there is nothing at its pointer. A single value is a list with one entry.
    ///
    /// A selector is a JSON pointer into this object, optionally followed by `?` and conditions
    /// that are joined with `&`: `/symbols?kind=class,struct&parent=` selects the top-level symbols
    /// that are classes or structs. `key=a,b` holds if the value, or one of its elements, is one of
    /// the words; `key=` holds if there is no value; `key!=…` is the opposite; `distinct=key` keeps
    /// the first entry for each value of the key. In a word, `,`, `&` and `%` are written as `%2C`,
    /// `%26` and `%25`.
    pub fn select(&self, selector: &str) -> Option<Vec<Value>> {
        let document = serde_json::to_value(self).ok()?;
        let entries = selector::select(&document, selector)?;
        Some(entries.into_iter().cloned().map(Value::of).collect())
    }
}

#[cfg(test)]
impl Exploration {
    /// The fields as JSON, for tests.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::to_value(&self.fields).unwrap_or_default()
    }
}

/// What is wrong with a content, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Malformed {
    /// What is wrong, in words.
    pub what: String,
    /// 1-based line, if it is known.
    pub line: Option<u64>,
    /// 1-based column in characters, if it is known.
    pub column: Option<u64>,
}

/// A list that does not have all of its entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    /// Title of the section; empty for a list that no section cuts and that is incomplete only in
    /// this object.
    pub section: String,
    /// Number of entries that the section shows.
    pub shown: usize,
    /// Number of entries in the file: the length of the complete list in this object, unless
    /// `listed` is set.
    pub total: usize,
    /// Where the complete list is in this object: a JSON pointer such as `/fields/headings`, or
    /// `/symbols` or `/imports` with a filter, as in `/symbols?kind=class,struct&parent=`.
    pub list: String,
    /// Length of that list, if this object does not have all of it either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<usize>,
    /// True if there may be more than `total`, because no more could be told apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}
