//! The arguments of a tool call, as a model wrote them.

use serde_json::{Map, Value};

/// Arguments that are taken out one by one. An argument left over at the end is an error.
#[derive(Debug)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// The arguments of a call.
    ///
    /// # Errors
    /// They are not an object.
    pub fn of(value: Option<Value>) -> Result<Self, String> {
        match value {
            None | Some(Value::Null) => Ok(Self(Map::new())),
            Some(Value::Object(fields)) => Ok(Self(fields)),
            Some(_) => Err("arguments must be an object".to_owned()),
        }
    }

    /// A string; empty if absent.
    ///
    /// # Errors
    /// It is not a string.
    pub fn text(&mut self, name: &str) -> Result<String, String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(format!("{name} must be a string")),
        }
    }

    /// A list of strings; empty if absent.
    ///
    /// # Errors
    /// It is not a list of strings.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("{name} must be an array of strings");
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(entries)) => entries
                .into_iter()
                .map(|entry| entry.as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// A whole number from `least` to `most`, if present.
    ///
    /// # Errors
    /// It is not a whole number in this range.
    pub fn number(&mut self, name: &str, least: u32, most: u32) -> Result<Option<u32>, String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|number| u32::try_from(number).ok())
                .filter(|number| (least..=most).contains(number))
                .map(Some)
                .ok_or_else(|| format!("{name} must be an integer from {least} to {most}")),
        }
    }

    /// Makes sure that no argument is left over.
    ///
    /// # Errors
    /// An argument is unknown.
    pub fn end(self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("there is no argument {name:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Arguments;

    #[test]
    fn arguments_are_checked() {
        let read = |value| Arguments::of(Some(value)).unwrap();
        assert_eq!(read(json!({"a": "x"})).text("a").unwrap(), "x");
        assert!(read(json!({"a": 1})).text("a").is_err());
        assert_eq!(read(json!({"a": ["x"]})).texts("a").unwrap(), ["x"]);
        assert!(read(json!({"a": ["x", 1]})).texts("a").is_err());
        assert_eq!(read(json!({"a": 64})).number("a", 64, 65).unwrap(), Some(64));
        for wrong in [json!(63), json!(66), json!(-1), json!(64.5), json!("64"), json!(u64::MAX)] {
            assert!(read(json!({"a": wrong})).number("a", 64, 65).is_err());
        }
        assert!(read(json!({"a": 1})).end().unwrap_err().contains("\"a\""));
        assert!(Arguments::of(Some(json!([]))).is_err());
        assert!(Arguments::of(None).unwrap().end().is_ok());
    }
}
