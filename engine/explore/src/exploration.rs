//! The result of exploring one file: the JSON object that `parity explore` prints.

use serde::{Deserialize, Serialize};

use crate::{
    dispatch::Evidence, formats::Fields, import::Import, selector, symbol::Symbol, value::Value,
};

/// Version of the JSON object's schema.
pub const SCHEMA_VERSION: u32 = 1;

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exploration {
    /// Version of this schema.
    pub schema_version: u32,
    /// The file, as it was named.
    pub file: String,
    /// The language or format key, such as `python` or `yaml`; none for unknown content.
    pub language: Option<String>,
    /// The explorer that made this, such as `python`, `json`, `text`, `binary`.
    pub explorer_used: String,
    /// What the choice of the explorer rests on; `none` where nothing says what the file is.
    pub dispatched_by: Evidence,
    /// False only if the file could not be read.
    pub success: bool,
    /// What is wrong with the content; what could be read of it is here nevertheless.
    pub malformed: Option<Malformed>,
    /// Why the file could not be read.
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
    /// What the file is made of, under titles, where its kind is known: the jobs of a workflow, the targets of
    /// a Makefile. Only in the enhancement profile. Of a nested document with more than 50,000 values these
    /// are the parts among the first of them, and the summary says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Facts that belong to the format.
    pub fields: Fields,
    /// The lists, of the summary and of this object, that have fewer entries than there are.
    pub truncated: Vec<Truncation>,
}

/// Parts of a file under a title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What they are, such as `Jobs`.
    pub title: String,
    /// They, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Where it begins, 1-based.
    pub line: u64,
    /// What it is called, and what else its kind has, in at most about 160 characters.
    pub text: String,
}

impl Exploration {
    /// The entries that a selector such as [`Truncation::list`] names, in their order; none if
    /// there is nothing at its pointer. A single value is its own only entry.
    ///
    /// A selector is a JSON pointer into this object and, behind `?`, conditions that are joined by
    /// `&`: `/symbols?kind=class,struct&parent=` are the symbols at the top that are classes or
    /// structs. `key=a,b` holds if the value, or one of its elements, is one of the words; `key=`
    /// holds if there is no value; `key!=…` is the opposite; `distinct=key` keeps the first entry
    /// of each value of the key. `,`, `&` and `%` in a word are `%2C`, `%26` and `%25`.
    pub fn select(&self, selector: &str) -> Option<Vec<Value>> {
        let document = serde_json::to_value(self).ok()?;
        let entries = selector::select(&document, selector)?;
        Some(entries.into_iter().cloned().map(Value::of).collect())
    }
}

#[cfg(test)]
impl Exploration {
    /// The fields as JSON, which is how tests read them.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::to_value(&self.fields).unwrap_or_default()
    }
}

/// What is wrong with a content, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Malformed {
    /// What, in words.
    pub what: String,
    /// 1-based line, where it is known.
    pub line: Option<u64>,
    /// 1-based column in characters, where it is known.
    pub column: Option<u64>,
}

/// A list that has fewer entries than there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    /// Title of the section; empty for a list that no section cuts and that only this object has
    /// less of.
    pub section: String,
    /// Entries that the section shows; none where there is no section.
    pub shown: usize,
    /// Entries that there are in the file: the length of the list behind it, unless `listed` is
    /// there.
    pub total: usize,
    /// The list behind it in this object: a JSON pointer such as `/fields/headings`, or
    /// `/symbols` or `/imports` with a filter as in `/symbols?kind=class,struct&parent=`.
    pub list: String,
    /// Length of that list, where this object does not have all of it either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<usize>,
    /// True if there may be more than `total`: so many were told apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}
