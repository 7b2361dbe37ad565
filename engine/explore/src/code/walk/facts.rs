//! Facts of a file besides its symbols and imports.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

/// Facts by name, which become the `fields` of an exploration, in the order in which they were
/// first set. They can be written but not read: state that a language needs during the walk belongs
/// to its [visitor](super::Visitor).
#[derive(Debug, Default)]
pub struct Facts(Map<String, Value>);

impl Facts {
    /// Sets a fact; an earlier value is replaced.
    pub fn set(&mut self, name: &str, value: impl Serialize) {
        self.0.insert(name.to_owned(), json(value));
    }

    /// Adds an entry to a list. The list is created with its first entry.
    pub fn push(&mut self, list: &str, entry: impl Serialize) {
        self.extend(list, std::iter::once(entry));
    }

    /// Adds entries to a list. The list is created even if there are no entries.
    pub fn extend(&mut self, list: &str, entries: impl IntoIterator<Item = impl Serialize>) {
        let list = self.0.entry(list).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.extend(entries.into_iter().map(json));
        }
    }

    /// The facts as fields.
    pub fn into_fields(self) -> Map<String, Value> {
        self.0
    }
}

/// A fact as JSON. Facts are strings, numbers, flags, lists and objects of these, so all can be
/// written as JSON.
fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The entries in the order of their first occurrence, each once.
pub fn distinct<'t>(entries: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    entries.into_iter().filter(|entry| seen.insert(*entry)).collect()
}
