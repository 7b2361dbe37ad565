//! The list that a section cuts: how many entries it really has.

use std::collections::BTreeSet;

use serde_json::Value;

/// Number of entries of the list that `selector` names in an exploration's JSON: a JSON pointer
/// with conditions after `?`, as in `/symbols?kind=class,struct&parent=`.
///
/// `key=a,b` holds if the value, or an element of it, is one of the words; without words it holds if
/// there is no value. `key!=…` is the opposite, and `distinct=key` counts each value of the key once.
/// Within a word, `%2C`, `%26` and `%25` stand for `,`, `&` and `%`.
///
/// # Errors
/// There is no such list.
pub fn length(document: &Value, selector: &str) -> Result<u64, String> {
    let (pointer, query) = selector.split_once('?').unwrap_or((selector, ""));
    let target =
        document.pointer(pointer).ok_or_else(|| format!("{pointer} is not in the document"))?;
    let mut conditions = Vec::new();
    let mut distinct = None;
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("distinct", key)) => distinct = Some(key),
            Some((key, words)) => conditions.push(Condition::new(key, words)),
            None => return Err(format!("{part} is no condition")),
        }
    }
    match target {
        Value::Array(entries) => {
            let fits = |entry: &&Value| conditions.iter().all(|condition| condition.holds(entry));
            let mut seen = BTreeSet::new();
            let first = |entry: &&Value| distinct.is_none_or(|key| seen.insert(values(entry, key)));
            Ok(entries.iter().filter(fits).filter(first).count() as u64)
        }
        Value::Object(entries) if query.is_empty() => Ok(entries.len() as u64),
        _ => Err(format!("{selector} is not a list")),
    }
}

struct Condition<'a> {
    key: &'a str,
    words: Vec<String>,
    negated: bool,
}

impl<'a> Condition<'a> {
    fn new(key: &'a str, words: &str) -> Self {
        let (key, negated) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
        let plain = |word: &str| word.replace("%26", "&").replace("%2C", ",").replace("%25", "%");
        let words = words.split(',').filter(|word| !word.is_empty()).map(plain).collect();
        Self { key, words, negated }
    }

    fn holds(&self, entry: &Value) -> bool {
        let values = values(entry, self.key);
        let holds = if self.words.is_empty() {
            values.is_empty()
        } else {
            values.iter().any(|value| self.words.contains(value))
        };
        holds != self.negated
    }
}

/// The values of a key as words: none if it is absent, null or an empty list. An entry that is
/// itself a word has it as the value of every key.
fn values(entry: &Value, key: &str) -> Vec<String> {
    let value = match entry {
        Value::Object(fields) => match fields.get(key) {
            Some(value) => value,
            None => return Vec::new(),
        },
        other => other,
    };
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    };
    match value {
        Value::Array(list) => list.iter().filter_map(word).collect(),
        other => word(other).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::length;

    #[test]
    fn words_may_hold_the_signs_of_the_grammar() {
        let document = json!({"symbols": [
            {"parent": "cfg(any(unix, windows))"}, {"parent": "a&b"}, {"parent": "%2C"},
        ]});
        for word in ["cfg(any(unix%2C windows))", "a%26b", "%252C"] {
            assert_eq!(length(&document, &format!("/symbols?parent={word}")), Ok(1), "{word}");
        }
    }

    #[test]
    fn pointers_and_conditions_select_entries() {
        let document = json!({
            "fields": {"keys": [1, 2, 3], "tables": {"a": 1}},
            "symbols": [
                {"kind": "class", "parent": null, "exported": true, "modifiers": ["async"]},
                {"kind": "method", "parent": "A", "exported": false, "modifiers": []},
                {"kind": "struct", "exported": true, "bases": ["A<b, c>"]},
            ],
        });
        for (selector, count) in [
            ("/fields/keys", 3),
            ("/fields/tables", 1),
            ("/symbols", 3),
            ("/symbols?kind=class,struct&parent=", 2),
            ("/symbols?parent=A", 1),
            ("/symbols?parent!=", 1),
            ("/symbols?distinct=exported", 2),
            ("/symbols?exported=true", 2),
            ("/symbols?modifiers=async", 1),
            ("/symbols?kind=enum", 0),
            ("/symbols?bases=A<b%2C c>", 1),
        ] {
            assert_eq!(length(&document, selector), Ok(count), "{selector}");
        }
        for selector in ["/fields/none", "/fields/keys/0", "/symbols?kind"] {
            assert!(length(&document, selector).is_err(), "{selector}");
        }
    }
}
