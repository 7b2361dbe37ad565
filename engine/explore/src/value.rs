//! A value whose shape is not known before the file is read.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

/// Named values, in the order of their names.
pub type Record = BTreeMap<String, Value>;

/// A value as JSON has it: what the facts of a language are made of, and what
/// [`Exploration::select`](crate::Exploration::select) gives.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: the fact is not known.
    #[default]
    Null,
    /// Yes or no.
    Flag(bool),
    /// A whole number from zero on, such as a count or a 1-based line.
    Count(u64),
    /// A whole number below zero.
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
    /// The value of a name; none if this is not a record or has no such name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Record(record) => record.get(name),
            _ => None,
        }
    }

    /// The values in a list; a value that is not a list has none.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if it is one from zero on.
    pub const fn as_count(&self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(*count),
            _ => None,
        }
    }

    /// The same value from JSON. What explorers write nests a few levels, whatever the file.
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

/// A record from a JSON object.
pub(crate) fn record(members: serde_json::Map<String, Json>) -> Record {
    members.into_iter().map(|(name, value)| (name, Value::of(value))).collect()
}
