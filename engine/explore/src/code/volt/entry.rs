//! How entries are written: functions that several layouts use.

use serde_json::Value;

use super::Sheet;
use crate::{
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

/// The name of a symbol, the module of an import, or a value that is a string.
pub fn word(item: Item) -> String {
    match item {
        Item::Symbol(symbol) => symbol.name.clone(),
        Item::Import(import) => import.path.clone(),
        Item::Value(value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

/// The string under a key of an object; empty if there is none.
pub fn text<'a>(item: Item<'a>, key: &str) -> &'a str {
    item.value().and_then(|value| value.get(key)).and_then(Value::as_str).unwrap_or_default()
}

/// The number under a key of an object; 0 if there is none.
pub fn number(item: Item, key: &str) -> u64 {
    item.value().and_then(|value| value.get(key)).and_then(Value::as_u64).unwrap_or_default()
}

/// The strings in the list under a key of an object.
pub fn texts<'a>(item: Item<'a>, key: &str) -> Vec<&'a str> {
    let list = item.value().and_then(|value| value.get(key)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A word as a line.
pub fn line(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![word(item)]
}

/// A word as a line after a dash.
pub fn dashed(_: &mut Sheet, item: Item) -> Vec<String> {
    vec![format!("- {}", word(item))]
}

/// `(exported) ` if the symbol is exported, else empty.
pub fn exported(symbol: &Symbol) -> &'static str {
    if symbol.exported == Some(true) { "(exported) " } else { "" }
}

/// The words, each followed by a space.
pub fn words(words: &[String]) -> String {
    words.iter().map(|word| format!("{word} ")).collect()
}

/// Modifiers in brackets, such as `[public static] `; empty if there are none.
pub fn bracketed(symbol: &Symbol) -> String {
    if symbol.modifiers.is_empty() {
        return String::new();
    }
    format!("[{}] ", symbol.modifiers.join(" "))
}

/// Decorators by name, without their arguments, such as `@A, @B`.
pub fn decorator_names(symbol: &Symbol) -> String {
    let name = |text: &String| format!("@{}", text.split('(').next().unwrap_or_default().trim());
    symbol.decorators.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Annotations by name, such as ` [@A, @B]`; empty if there are none.
pub fn annotations(symbol: &Symbol) -> String {
    if symbol.decorators.is_empty() {
        return String::new();
    }
    format!(" [{}]", decorator_names(symbol))
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

/// Names of the members of some kinds that belong to this symbol itself.
pub fn own_member_names(sheet: &Sheet, owner: &Symbol, kinds: &[SymbolKind]) -> Vec<String> {
    names_of(sheet.members_inside(owner, "."), kinds)
}

/// Names of the members of some kinds that a selector finds: those of all symbols with the owner's
/// name.
pub fn member_names(sheet: &Sheet, owner: &Symbol, kinds: &[SymbolKind]) -> Vec<String> {
    names_of(sheet.members(owner, "."), kinds)
}

/// Names of the symbols that are of one of these kinds.
pub fn names_of(symbols: Vec<&Symbol>, kinds: &[SymbolKind]) -> Vec<String> {
    let symbols = symbols.into_iter().filter(|symbol| kinds.contains(&symbol.kind));
    symbols.map(|symbol| symbol.name.clone()).collect()
}
