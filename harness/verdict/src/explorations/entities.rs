//! The entities and counts of our explorations, as the protocol reads them out of `fields`, in
//! the form in which oracles print theirs.

use std::{borrow::Cow, collections::BTreeMap};

use record::digest::sha256;
use serde_json::Value;

use super::formats::{EntityRule, FormatRules};

/// An entity: its kind, what identifies it, and its line or null.
pub type Entity = Vec<Value>;

/// Hexadecimal digits of a text's digest.
const DIGITS: usize = 16;

/// The digest that stands for a text: the first 16 hexadecimal digits of the sha256 of the salt, a zero byte
/// and the text, in UTF-8.
pub fn text_digest(salt: &str, text: &str) -> String {
    let mut digest = sha256(format!("{salt}\0{text}"));
    digest.truncate(DIGITS);
    digest
}

/// All entities of the kinds that the protocol has for a format, read out of an object.
pub fn entities(rules: &FormatRules, fields: &Value, salt: &str) -> Vec<Entity> {
    let mut all = Vec::new();
    for rule in &rules.entities {
        let mut found: Vec<Entity> = Vec::new();
        entries(fields, &rule.list, &mut |entry| found.extend(of(rule, entry, salt)));
        if rule.once {
            found.sort_by_key(|entity| Value::from(entity.clone()).to_string());
            found.dedup();
        }
        all.extend(found);
    }
    all
}

/// Whether a field exists; with `/*/` in the pointer, whether every entry of the list has it.
pub fn has(fields: &Value, pointer: &str) -> bool {
    match pointer.split_once("/*/") {
        None => fields.pointer(pointer).is_some(),
        Some((outer, inner)) => {
            let inner = format!("/{inner}");
            fields.pointer(outer).is_some()
                && list(fields, outer).iter().all(|entry| entry.pointer(&inner).is_some())
        }
    }
}

/// Our value of each count that the protocol has for a format; `None` where we have none.
pub fn counts(rules: &FormatRules, fields: &Value) -> BTreeMap<String, Option<f64>> {
    let value = |pointer: &String| match fields.pointer(pointer)? {
        Value::Array(list) => Some(list.len() as f64),
        Value::Object(map) => Some(map.len() as f64),
        value => value.as_f64(),
    };
    rules.counts.iter().map(|(name, pointer)| (name.clone(), value(pointer))).collect()
}

/// An entry of a list, with the surroundings that its identity may refer to.
struct Entry<'a> {
    value: &'a Value,
    /// Its place in its list, from 0.
    index: usize,
    /// The entry of the outer list that holds the list, if there is one.
    outer: Option<&'a Value>,
}

/// Calls `each` with the entries of a list; with `/*/` in the pointer, with those of the lists inside its entries.
fn entries(root: &Value, pointer: &str, each: &mut dyn FnMut(&Entry)) {
    let mut all = |list: Vec<Cow<Value>>, outer: Option<&Value>| {
        for (index, value) in list.iter().enumerate() {
            each(&Entry { value, index, outer });
        }
    };
    let Some((outer, inner)) = pointer.split_once("/*/") else {
        return all(list(root, pointer), None);
    };
    let inner = format!("/{inner}");
    for around in list(root, outer) {
        all(list(&around, &inner), Some(&around));
    }
}

/// The items of a list; those of a map as objects with `key` and `value`; a single value as the
/// only item. Null is not an item.
fn list<'a>(root: &'a Value, pointer: &str) -> Vec<Cow<'a, Value>> {
    let pair = |(key, value)| Cow::Owned(serde_json::json!({"key": key, "value": value}));
    match root.pointer(pointer) {
        Some(Value::Array(list)) => list.iter().map(Cow::Borrowed).collect(),
        Some(Value::Object(map)) => map.iter().map(pair).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(value) => vec![Cow::Borrowed(value)],
    }
}

/// The entities that one entry makes: several where its identity has a list.
fn of(rule: &EntityRule, entry: &Entry, salt: &str) -> Vec<Entity> {
    let fits = |(name, wanted): (&String, &Value)| member(entry.value, name) == Some(wanted);
    if !rule.only.iter().all(fits) {
        return Vec::new();
    }
    let mut made: Vec<Entity> = vec![vec![Value::from(rule.kind.as_str())]];
    for part in &rule.identity {
        let values = part_of(entry, part, salt);
        made = made
            .iter()
            .flat_map(|begun| {
                values.iter().map(|value| {
                    let mut entity = begun.clone();
                    entity.push(value.clone());
                    entity
                })
            })
            .collect();
    }
    let line = if rule.line { entry.value.get("line").cloned() } else { None };
    for entity in &mut made {
        entity.push(line.clone().unwrap_or_default());
    }
    made
}

/// The values of one part of an identity: a single value, or each of a list.
fn part_of(entry: &Entry, part: &str, salt: &str) -> Vec<Value> {
    if part == "@" {
        return vec![Value::from(entry.index)];
    }
    let (text, name) = part.strip_prefix('#').map_or((false, part), |name| (true, name));
    let (from, name) = match name.strip_prefix('^') {
        Some(name) => (entry.outer.unwrap_or(&Value::Null), name),
        None => (entry.value, name),
    };
    let (each, name) = name.strip_suffix('*').map_or((false, name), |name| (true, name));
    if let Some(name) = name.strip_suffix(".length") {
        let length = member(from, name).and_then(Value::as_array).map(Vec::len);
        return vec![length.map(Value::from).unwrap_or_default()];
    }
    let value = member(from, name).cloned().unwrap_or_default();
    let values = match value {
        Value::Array(list) if each => list,
        // The texts of a list, such as the columns of a key, are one text with commas.
        Value::Array(list) if text => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            vec![Value::from(texts.join(","))]
        }
        value => vec![value],
    };
    let shown = |value: Value| match value {
        Value::String(found) if text => text_digest(salt, &found).into(),
        value => value,
    };
    values.into_iter().map(shown).collect()
}

/// The value itself where the name is `.`; else a member, or a member of a member where the name
/// has a `/`.
fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    if name == "." {
        return Some(value);
    }
    name.split('/').try_fold(value, |value, part| value.get(part))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{counts, entities, text_digest};
    use crate::explorations::FormatRules;

    fn rules() -> FormatRules {
        toml::from_str(
            r##"
            schema = "x.json"
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
            [[entities]]
            kind = "column"
            list = "/tables/*/columns"
            identity = ["@", "#^name", "#.", "^primary.length", "#^primary"]
            [[entities]]
            kind = "format"
            list = "/format"
            identity = ["."]
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
            "tables": [{"name": "t", "columns": ["c"], "primary": ["c", "d"]}, {"name": "u"}],
            "format": "png",
            "total": 7,
        });
        let digest = |text: &str| text_digest("s", text);
        let found = entities(&rules(), &fields, "s");
        let wanted = [
            json!(["key", digest(".a"), "string", null]),
            json!(["key", digest(".a"), "null", null]),
            json!(["image", digest("x"), 3]),
            json!(["language", digest("rust"), 2, null]),
            json!(["column", 0, digest("t"), digest("c"), 2, digest("c,d"), null]),
            json!(["format", "png", null]),
        ];
        assert_eq!(found.into_iter().map(Value::from).collect::<Vec<_>>(), wanted);
        let counts = counts(&rules(), &fields);
        assert_eq!((counts["total"], counts["distinct"]), (Some(7.0), Some(1.0)));
        assert_eq!(digest("").len(), 16);
    }
}
