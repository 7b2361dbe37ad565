//! A JSON Schema, as far as ours go. A word that is not here is an error.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::members::Members;

/// A schema, with its properties in the order of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Schema {
    #[serde(rename = "$schema")]
    _dialect: String,
    #[serde(rename = "$id")]
    _id: String,
    #[serde(rename = "$ref")]
    pub reference: Option<String>,
    #[serde(rename = "$defs")]
    pub definitions: Members<Self>,
    pub title: String,
    pub description: String,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub properties: Members<Self>,
    pub required: Vec<String>,
    #[serde(rename = "dependentRequired")]
    _dependent: Members<Vec<String>>,
    pub additional_properties: Option<Branch>,
    #[serde(rename = "enum")]
    pub words: Vec<Value>,
    #[serde(rename = "const", deserialize_with = "even_null")]
    pub only: Option<Value>,
    #[serde(deserialize_with = "even_null")]
    pub default: Option<Value>,
    pub minimum: Option<Value>,
    pub maximum: Option<Value>,
    #[serde(rename = "minLength")]
    _shortest: u64,
    #[serde(rename = "minItems")]
    _fewest: u64,
    pub max_items: Option<u64>,
    #[serde(rename = "pattern")]
    _pattern: String,
    pub items: Option<Branch>,
    pub prefix_items: Vec<Self>,
    pub one_of: Vec<Self>,
    pub any_of: Vec<Self>,
}

/// The types that a value may have; none if all.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub enum Kind {
    #[default]
    Any,
    One(String),
    Several(Vec<String>),
}

/// A schema, or whether anything is allowed.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Branch {
    #[expect(dead_code, reason = "it has no part in a table")]
    Always(bool),
    Schema(Box<Schema>),
}

impl Kind {
    /// The names of the types.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Any => &[],
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl Schema {
    /// Whether it describes an object by its fields, which then have a table of their own.
    pub fn has_fields(&self) -> bool {
        !self.properties.is_empty()
    }
}

/// A value, which may be null.
fn even_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}
