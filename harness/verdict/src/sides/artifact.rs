//! Recordings as they are, which gate A6 searches for leaks.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value};

/// One map of ours as it was recorded: a process prints one, a session one for each call.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment that it ran in.
    pub env: BTreeMap<String, String>,
    /// The JSON that it printed for this map, without the attempts.
    pub document: Value,
}

/// A map document without its attempts: they are the largest part, and they are not searched for leaks.
#[derive(Debug)]
pub struct WithoutAttempts(pub Value);

impl<'de> Deserialize<'de> for WithoutAttempts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = WithoutAttempts;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Map::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "attempts" {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        fields.insert(name, map.next_value()?);
                    }
                }
                Ok(WithoutAttempts(Value::Object(fields)))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// What the comparator's recording says.
#[derive(Debug, Clone)]
pub struct Held {
    /// Members of the tuple as the comparator measured them.
    pub tuple: BTreeMap<String, Value>,
    /// The command line that the comparator's own entry point was given for this case.
    pub argv: Option<Vec<String>>,
    /// The multiplier for an empty chat as the comparator understood it.
    pub multiplier: Option<f64>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::WithoutAttempts;

    #[test]
    fn attempts_are_left_out_and_nothing_else() {
        let text =
            r#"{"profile":{"a":[1]},"attempts":[{"prefit":[[1,"a.py"]]}],"tags":{"a.py":[]}}"#;
        let found: WithoutAttempts = serde_json::from_str(text).unwrap();
        assert_eq!(found.0, json!({"profile": {"a": [1]}, "tags": {"a.py": []}}));
        assert!(serde_json::from_str::<WithoutAttempts>("[]").is_err());
    }
}
