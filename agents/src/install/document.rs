//! A settings file of a client: JSON in which the user's order of fields and indentation are kept.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Number, ser::PrettyFormatter};

/// A JSON value whose objects keep their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Json {
    /// `null`.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Object),
}

/// The fields of an object, in their order.
pub type Object = IndexMap<String, Json>;

impl Json {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The fields, if it is an object.
    pub const fn object(&self) -> Option<&Object> {
        match self {
            Self::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The entries, if it is a list.
    pub const fn list(&self) -> Option<&Vec<Self>> {
        match self {
            Self::List(entries) => Some(entries),
            _ => None,
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Reads a settings file; an empty one is an empty object.
///
/// # Errors
/// It is no JSON object.
pub fn read(text: &str) -> Result<Object, serde_json::Error> {
    if text.trim().is_empty() {
        return Ok(Object::new());
    }
    serde_json::from_str(text)
}

/// Writes settings with the indentation of their earlier text, or with two spaces if it has none.
///
/// # Errors
/// None in practice: these values can always be written as JSON.
pub fn write(settings: &Object, before: &str) -> Result<String, serde_json::Error> {
    let indented = before.lines().find(|line| line.starts_with([' ', '\t']));
    let indent = indented
        .map_or("  ", |line| line.get(..line.len() - line.trim_start().len()).unwrap_or_default());
    let mut bytes = Vec::new();
    let pretty = PrettyFormatter::with_indent(indent.as_bytes());
    settings.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, pretty))?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn order_and_indentation_stay() {
        for text in [
            "{\n    \"z\": 1,\n    \"a\": {\n        \"y\": [\n            true,\n            null\n        ],\n        \"b\": 2.50\n    }\n}\n",
            "{\n\t\"z\": \"ü\",\n\t\"a\": -3\n}\n",
        ] {
            let again = write(&read(text).unwrap(), text).unwrap();
            assert_eq!(again, text.replace("2.50", "2.5"));
        }
        assert_eq!(write(&read(" \n").unwrap(), "").unwrap(), "{}\n");
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["[]", "{\"a\": 1,}", "{} // comment", "\u{feff}{"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
