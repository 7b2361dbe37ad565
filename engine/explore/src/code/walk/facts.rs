//! Facts of a file beside its symbols and imports.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

/// Facts by name, which become the `fields` of an exploration, in the order in which they came
/// first. They can be written but not read: what a language has to remember of a file is state of
/// its [visitor](super::Visitor).
#[derive(Debug, Default)]
pub struct Facts(Map<String, Value>);

impl Facts {
    /// Sets a fact, in place of what it was before.
    pub fn set(&mut self, name: &str, value: impl Serialize) {
        self.0.insert(name.to_owned(), json(value));
    }

    /// Adds an entry to a list, which is there from its first entry on.
    pub fn push(&mut self, list: &str, entry: impl Serialize) {
        self.extend(list, std::iter::once(entry));
    }

    /// Adds entries to a list, which is there from then on even if there are none.
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

/// A fact as JSON. Facts are texts, numbers, flags, lists and objects of these: all have a form
/// there.
fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Entries in the order in which they come first, each once.
pub fn distinct<'t>(entries: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    entries.into_iter().filter(|entry| seen.insert(*entry)).collect()
}
