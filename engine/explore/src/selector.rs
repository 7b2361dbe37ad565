//! Selectors, which name a part of an exploration: a JSON pointer and conditions.
//!
//! `/symbols?kind=class,struct&parent=` selects the top-level symbols that are classes or structs.
//! A condition `key=a,b` holds if the value, or one of its elements, is one of the words; `key=`
//! holds if there is no value; `key!=…` is the opposite. `distinct=key` keeps the first entry for
//! each value of the key. Within a word, `,`, `&` and `%` are written as `%2C`, `%26` and `%25`.
//!
//! The tables of sections use this syntax, and [`Truncation::list`] shows it, so that readers of a
//! summary can find the complete list of a section.
//!
//! [`Truncation::list`]: crate::Truncation::list

use std::{borrow::Cow, collections::BTreeSet};

use serde_json::Value;

use crate::{import::Import, symbol::Symbol};

/// A parsed selector.
#[derive(Debug, Clone)]
pub struct Selector<'s> {
    /// The pointer to the list, such as `/symbols` or `/fields/exports`.
    pub pointer: &'s str,
    conditions: Vec<Condition<'s>>,
    distinct: Option<&'s str>,
}

#[derive(Debug, Clone)]
struct Condition<'s> {
    key: &'s str,
    words: Vec<Cow<'s, str>>,
    negated: bool,
}

/// One entry of a list.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// A symbol.
    Symbol(&'a Symbol),
    /// An import.
    Import(&'a Import),
    /// An entry of a list in `fields`, or of any other list in the JSON.
    Value(&'a Value),
}

impl<'s> Selector<'s> {
    /// Reads a selector. A part that is not a condition is ignored.
    pub fn parse(text: &'s str) -> Self {
        let (pointer, query) = text.split_once('?').unwrap_or((text, ""));
        let mut selector = Self { pointer, conditions: Vec::new(), distinct: None };
        for part in query.split('&') {
            let Some((key, words)) = part.split_once('=') else { continue };
            if key == "distinct" {
                selector.distinct = Some(words);
                continue;
            }
            let (key, negated) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
            let words = words.split(',').filter(|word| !word.is_empty()).map(unescaped).collect();
            selector.conditions.push(Condition { key, words, negated });
        }
        selector
    }

    /// The entries that satisfy the conditions, in order.
    pub fn select<'a>(&self, items: impl Iterator<Item = Item<'a>>) -> Vec<Item<'a>> {
        let mut seen = BTreeSet::new();
        items
            .filter(|item| {
                self.conditions.iter().all(|condition| {
                    item.holds(condition.key, &condition.words) != condition.negated
                })
            })
            .filter(|item| self.distinct.is_none_or(|key| seen.insert(item.values(key))))
            .collect()
    }
}

/// Signs that have to be escaped in a word of a condition; the escape sign comes first.
const ESCAPES: [(char, &str); 3] = [('%', "%25"), (',', "%2C"), ('&', "%26")];

/// A name, escaped as a word of a condition.
pub fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(['%', ',', '&']) {
        return Cow::Borrowed(name);
    }
    ESCAPES.iter().fold(name.to_owned(), |text, (sign, code)| text.replace(*sign, code)).into()
}

/// The name in an escaped word of a condition.
fn unescaped(word: &str) -> Cow<'_, str> {
    if !word.contains('%') {
        return Cow::Borrowed(word);
    }
    let back = |text: String, (sign, code): &(char, &str)| {
        text.replace(code, sign.encode_utf8(&mut [0; 4]))
    };
    ESCAPES.iter().rev().fold(word.to_owned(), back).into()
}

/// The entries that a selector names in the JSON of an exploration; `None` if there is nothing at
/// its pointer.
pub fn select<'a>(exploration: &'a Value, selector: &str) -> Option<Vec<&'a Value>> {
    let selector = Selector::parse(selector);
    let list = entries(exploration.pointer(selector.pointer)?);
    let items = selector.select(list.iter().map(Item::Value));
    Some(items.into_iter().filter_map(Item::value).collect())
}

/// The entries of a list. Null has none, and any other value is a list with one entry.
pub fn entries(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        Value::Null => &[],
        single => std::slice::from_ref(single),
    }
}

impl<'a> Item<'a> {
    /// The symbol, if it is one.
    pub const fn symbol(self) -> Option<&'a Symbol> {
        match self {
            Self::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The import, if it is one.
    pub const fn import(self) -> Option<&'a Import> {
        match self {
            Self::Import(import) => Some(import),
            _ => None,
        }
    }

    /// The value of a list in `fields`, if it is one.
    pub const fn value(self) -> Option<&'a Value> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Whether one of the values of a key is one of the words; if there are no words, whether the
    /// key has no value.
    fn holds(self, key: &str, words: &[Cow<str>]) -> bool {
        let has = |value: &str| words.iter().any(|word| word == value);
        // The most common keys are compared without a copy.
        match (self, key) {
            (Self::Symbol(symbol), "kind") => has(symbol.kind.as_str()),
            (Self::Symbol(symbol), "parent") => {
                symbol.parent.as_deref().map_or(words.is_empty(), has)
            }
            (Self::Import(import), "category") => has(import.category.as_str()),
            _ => {
                let values = self.values(key);
                if words.is_empty() {
                    values.is_empty()
                } else {
                    values.iter().any(|value| has(value))
                }
            }
        }
    }

    /// The values of a key as words; empty if it is absent, null or an empty list.
    fn values(self, key: &str) -> Vec<String> {
        let one = |word: &str| vec![word.to_owned()];
        match self {
            Self::Symbol(symbol) => match key {
                "name" => one(&symbol.name),
                "kind" => one(symbol.kind.as_str()),
                "parent" => symbol.parent.iter().cloned().collect(),
                "modifiers" => symbol.modifiers.clone(),
                "decorators" => symbol.decorators.clone(),
                "idioms" => symbol.idioms.clone(),
                "bases" => symbol.bases.clone(),
                "implements" => symbol.implements.clone(),
                "visibility" => {
                    symbol.visibility.map(|word| word.as_str().to_owned()).into_iter().collect()
                }
                "exported" => symbol.exported.map(|is| is.to_string()).into_iter().collect(),
                _ => Vec::new(),
            },
            Self::Import(import) => match key {
                "path" => one(&import.path),
                "category" => one(import.category.as_str()),
                "names" => import.names.clone(),
                _ => Vec::new(),
            },
            Self::Value(Value::Object(map)) => match map.get(key) {
                Some(Value::Array(list)) => list.iter().filter_map(word).collect(),
                Some(value) => word(value).into_iter().collect(),
                None => Vec::new(),
            },
            Self::Value(value) => word(value).into_iter().collect(),
        }
    }
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::{escaped, select};

    #[test]
    fn conditions_select_and_distinct_keeps_the_first() {
        let exploration = json!({"symbols": [
            {"name": "A", "kind": "class", "parent": null, "modifiers": []},
            {"name": "b", "kind": "method", "parent": "A", "modifiers": ["async", "static"]},
            {"name": "b", "kind": "method", "parent": "A", "modifiers": ["get"], "exported": true},
        ], "fields": {"exports": ["x", "y", "x"], "default": "x"}});
        let count = |selector: &str| select(&exploration, selector).map(|list| list.len());
        assert_eq!(count("/symbols"), Some(3));
        assert_eq!(count("/symbols?parent="), Some(1));
        assert_eq!(count("/symbols?parent!="), Some(2));
        assert_eq!(count("/symbols?kind=class,method&parent=A"), Some(2));
        assert_eq!(count("/symbols?modifiers=static"), Some(1));
        assert_eq!(count("/symbols?modifiers!=static"), Some(2));
        assert_eq!(count("/symbols?exported=true"), Some(1));
        assert_eq!(count("/symbols?distinct=name"), Some(2));
        assert_eq!(count("/fields/exports"), Some(3));
        assert_eq!(count("/fields/exports?distinct=x"), Some(2));
        assert_eq!(count("/fields/default"), Some(1));
        assert_eq!(count("/fields/none"), None);
    }

    #[test]
    fn names_may_hold_the_signs_of_the_grammar() {
        for name in ["cfg(any(unix, windows))", "a&kind=b", "100%", "%2C", "%252C,&"] {
            let exploration = json!({"symbols": [{"parent": name}, {"parent": "other"}]});
            let selector = format!("/symbols?parent={}", escaped(name));
            assert_eq!(select(&exploration, &selector).map(|list| list.len()), Some(1), "{name}");
        }
    }
}
