//! A value whose shape is not known before the file is read.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

/// Named values, in the order of their names.
pub type Record = BTreeMap<String, Value>;

/// A value as in JSON: the type of the facts of a language, and of the results of
/// [`Exploration::select`](crate::Exploration::select).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: the fact is not known.
    #[default]
    Null,
    /// True or false.
    Flag(bool),
    /// A non-negative whole number, such as a count or a 1-based line.
    Count(u64),
    /// A negative whole number.
    Negative(i64),
    /// Any other number; always finite.
    Number(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by name.
    Record(Record),
}

impl Value {
    /// The value with a name; `None` if this is not a record or has no such name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Record(record) => record.get(name),
            _ => None,
        }
    }

    /// The values in a list; empty if this is not a list.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The text; `None` if this is not a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number; `None` if this is not a non-negative whole number.
    pub const fn as_count(&self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(*count),
            _ => None,
        }
    }

    /// Converts a value from JSON. Recursion is bounded: facts nest only a few levels, whatever the
    /// file.
    pub(crate) fn of(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Flag(flag),
            Json::Number(number) => number
                .as_u64()
                .map(Self::Count)
                .or_else(|| number.as_i64().map(Self::Negative))
                .or_else(|| number.as_f64().map(Self::Number))
                .unwrap_or_default(),
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(items.into_iter().map(Self::of).collect()),
            Json::Object(members) => Self::Record(record(members)),
        }
    }
}

/// Converts a JSON object to a record.
pub(crate) fn record(members: serde_json::Map<String, Json>) -> Record {
    members.into_iter().map(|(name, value)| (name, Value::of(value))).collect()
}
