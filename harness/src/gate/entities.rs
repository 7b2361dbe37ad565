//! The entities and counts of our explorations, as the protocol reads them out of `fields`, in
//! the form in which oracles print theirs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::formats::{EntityRule, FormatRules};

/// An entity: its kind, what identifies it, and its line or null.
pub type Entity = Vec<Value>;

/// Hexadecimal digits of a text's digest.
const DIGITS: usize = 16;

/// The digest that stands for a text: of the salt, a zero byte and the text, in UTF-8.
pub fn text_digest(salt: &str, text: &str) -> String {
    let mut digest = crate::sha256::of(format!("{salt}\0{text}").as_bytes());
    digest.truncate(DIGITS);
    digest
}

/// All entities of the kinds that the protocol has for a format.
pub fn entities(rules: &FormatRules, fields: &Map<String, Value>, salt: &str) -> Vec<Entity> {
    let root = Value::Object(fields.clone());
    let mut all = Vec::new();
    for rule in &rules.entities {
        let mut found: Vec<Entity> =
            entries(&root, &rule.list).iter().flat_map(|entry| of(rule, entry, salt)).collect();
        if rule.once {
            found.sort_by_key(|entity| Value::from(entity.clone()).to_string());
            found.dedup();
        }
        all.extend(found);
    }
    all
}

/// Our value of each count that the protocol has for a format; nothing where we have none.
pub fn counts(rules: &FormatRules, fields: &Map<String, Value>) -> BTreeMap<String, Option<f64>> {
    let root = Value::Object(fields.clone());
    let value = |pointer: &String| match root.pointer(pointer)? {
        Value::Array(list) => Some(list.len() as f64),
        Value::Object(map) => Some(map.len() as f64),
        value => value.as_f64(),
    };
    rules.counts.iter().map(|(name, pointer)| (name.clone(), value(pointer))).collect()
}

/// The entries of a list, or those of a map as objects with `key` and `value`.
fn entries(root: &Value, pointer: &str) -> Vec<Value> {
    match root.pointer(pointer) {
        Some(Value::Array(list)) => list.clone(),
        Some(Value::Object(map)) => {
            map.iter().map(|(key, value)| serde_json::json!({"key": key, "value": value})).collect()
        }
        _ => Vec::new(),
    }
}

/// The entities that one entry makes: several where its identity has a list.
fn of(rule: &EntityRule, entry: &Value, salt: &str) -> Vec<Entity> {
    let fits = |(member, wanted): (&String, &String)| {
        entry.get(member).and_then(Value::as_str) == Some(wanted.as_str())
    };
    if !rule.only.iter().all(fits) {
        return Vec::new();
    }
    let mut made: Vec<Entity> = vec![vec![Value::from(rule.kind.as_str())]];
    for part in &rule.identity {
        let name = part.trim_start_matches('#').trim_end_matches('*');
        let value = if name == "." { Some(entry) } else { member(entry, name) };
        let values: Vec<Value> = match value {
            Some(Value::Array(list)) if part.ends_with('*') => list.clone(),
            Some(value) => vec![value.clone()],
            None => vec![Value::Null],
        };
        let shown = |value: Value| match value {
            Value::String(text) if part.starts_with('#') => text_digest(salt, &text).into(),
            value => value,
        };
        made = made
            .iter()
            .flat_map(|begun| {
                values.iter().map(|value| {
                    let mut entity = begun.clone();
                    entity.push(shown(value.clone()));
                    entity
                })
            })
            .collect();
    }
    let line = if rule.line { entry.get("line").cloned().unwrap_or_default() } else { Value::Null };
    for entity in &mut made {
        entity.push(line.clone());
    }
    made
}

/// A member, or a member of a member where the name has a `/`.
fn member<'a>(entry: &'a Value, name: &str) -> Option<&'a Value> {
    name.split('/').try_fold(entry, |value, part| value.get(part))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{counts, entities, text_digest};
    use crate::gate::formats::FormatRules;

    fn rules() -> FormatRules {
        toml::from_str(
            r##"
            required = ["/keys"]
            counts = { total = "/total", distinct = "/keys" }
            [[entities]]
            kind = "key"
            list = "/keys"
            identity = ["#path", "types*"]
            [[entities]]
            kind = "image"
            list = "/links"
            identity = ["#url"]
            where = { type = "image" }
            line = true
            [[entities]]
            kind = "language"
            list = "/histogram"
            identity = ["#key", "value"]
            "##,
        )
        .unwrap()
    }

    #[test]
    fn entities_and_counts_are_read_as_the_protocol_says() {
        let fields = json!({
            "keys": [{"path": ".a", "types": ["string", "null"]}],
            "links": [{"url": "x", "type": "image", "line": 3}, {"url": "y", "type": "external"}],
            "histogram": {"rust": 2},
            "total": 7,
        });
        let Value::Object(fields) = fields else { panic!("an object") };
        let digest = |text: &str| text_digest("s", text);
        let found = entities(&rules(), &fields, "s");
        let wanted = [
            json!(["key", digest(".a"), "string", null]),
            json!(["key", digest(".a"), "null", null]),
            json!(["image", digest("x"), 3]),
            json!(["language", digest("rust"), 2, null]),
        ];
        assert_eq!(found.into_iter().map(Value::from).collect::<Vec<_>>(), wanted);
        let counts = counts(&rules(), &fields);
        assert_eq!((counts["total"], counts["distinct"]), (Some(7.0), Some(1.0)));
        assert_eq!(digest("").len(), 16);
    }
}
