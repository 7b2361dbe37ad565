//! How entries read: what the layouts share.

use serde_json::{Value, json};

use super::Sheet;
use crate::{selector::Item, symbol::Symbol};

/// A symbol's name, as a fact.
pub fn name(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.name)
}

/// Whether a symbol is exported, as a fact.
pub fn is_exported(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.exported.unwrap_or(false))
}

/// The module of an import.
pub fn path(item: Item) -> String {
    item.import().map(|import| import.path.clone()).unwrap_or_default()
}

/// The name of a symbol, the module of an import, or a value that is a text.
pub fn word(item: Item) -> String {
    match item {
        Item::Symbol(symbol) => symbol.name.clone(),
        Item::Import(import) => import.path.clone(),
        Item::Value(value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

/// A key of a value that is an object; empty if it has none.
pub fn key<'a>(item: Item<'a>, key: &str) -> &'a str {
    item.value().and_then(|value| value.get(key)).and_then(Value::as_str).unwrap_or_default()
}

/// A word as a line.
pub fn line(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![word(item)]
}

/// A word as a line behind a dash.
pub fn dashed(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", word(item))]
}

/// `(exported) `, where it is.
pub fn exported(symbol: &Symbol) -> &'static str {
    if symbol.exported == Some(true) { "(exported) " } else { "" }
}

/// The name of a parameter such as `private a?: T = 1`, `...a` or `{ a, b }`.
pub fn parameter_name(text: &str) -> String {
    if text.starts_with(['{', '[']) {
        return text.to_owned();
    }
    let end = text.find([':', '=', '?']).unwrap_or(text.len());
    let head = text.get(..end).unwrap_or_default().trim();
    head.rsplit(' ').next().unwrap_or(head).to_owned()
}

/// Names of a symbol's parameters.
pub fn parameter_names(symbol: &Symbol) -> Vec<String> {
    symbol.params.iter().map(|text| parameter_name(text)).collect()
}

/// Names of symbols.
pub fn names(symbols: &[&Symbol]) -> Vec<String> {
    symbols.iter().map(|symbol| symbol.name.clone()).collect()
}
