//! How entries of Rust, Java, C# and Swift read: what their layouts share.

use serde_json::{Value, json};

use super::{Form, Part, Sheet};
use crate::{
    disclosure::Marker,
    selector::Item,
    symbol::{Symbol, SymbolKind},
};

/// A list whose entries stand on lines of their own.
pub const fn listed(
    list: &'static str,
    cap: usize,
    marker: Marker,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    Part { title: "", list, cap, marker, form: Form::Lines("  ", show) }
}

/// A list on one line.
pub const fn inline(title: &'static str, list: &'static str, cap: usize, marker: Marker) -> Part {
    Part { title, list, cap, marker, form: Form::Line(word) }
}

/// The name of a symbol, the module of an import, or a value that is a text.
pub fn word(item: Item) -> String {
    match item {
        Item::Symbol(symbol) => symbol.name.clone(),
        Item::Import(import) => import.path.clone(),
        Item::Value(value) => value.as_str().unwrap_or_default().to_owned(),
    }
}

/// A symbol's name, as a fact.
pub fn name(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.name)
}

/// A symbol's modifiers, as a fact.
pub fn modifiers(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.modifiers)
}

/// The type of a value or what a callable returns, as a fact.
pub fn kept(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.return_type)
}

/// Parameters as written, as a fact.
pub fn params(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.params)
}

/// Decorators as written, as a fact.
pub fn decorators(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.decorators)
}

/// Words behind each other, each followed by a space.
pub fn words(words: &[String]) -> String {
    words.iter().map(|word| format!("{word} ")).collect()
}

/// Annotations by name, such as ` [@A, @B]`; nothing if there are none.
pub fn annotations(symbol: &Symbol) -> String {
    if symbol.decorators.is_empty() {
        return String::new();
    }
    let names: Vec<String> = symbol
        .decorators
        .iter()
        .map(|text| format!("@{}", text.split('(').next().unwrap_or_default().trim()))
        .collect();
    format!(" [{}]", names.join(", "))
}

/// Names of a symbol's own members of some kind.
pub fn members(sheet: &Sheet, owner: &Symbol, kinds: &[SymbolKind]) -> Vec<String> {
    named(sheet.members_inside(owner, "."), kinds)
}

/// Names of the members that a selector finds: those of all owners of one name.
pub fn selected(sheet: &Sheet, owner: &Symbol, kinds: &[SymbolKind]) -> Vec<String> {
    named(sheet.members(owner, "."), kinds)
}

fn named(members: Vec<&Symbol>, kinds: &[SymbolKind]) -> Vec<String> {
    let members = members.into_iter().filter(|one| kinds.contains(&one.kind));
    members.map(|one| one.name.clone()).collect()
}
