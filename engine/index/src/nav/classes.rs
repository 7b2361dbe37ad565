//! Classes of a file and what is in them.

use super::{ecmascript::parameter_property, meaning::Place};
use crate::symbols::{Definition, Symbols};

/// Kinds of definitions that have members.
pub const CLASSES: [&str; 9] =
    ["class", "enum", "interface", "object", "struct", "trait", "type", "union", "extension"];
/// Kinds of definitions that are members.
const MEMBERS: [&str; 8] =
    ["constructor", "constant", "field", "function", "member", "method", "property", "variable"];

/// The innermost class around a byte.
pub fn enclosing_class(symbols: &Symbols, byte: u32) -> Option<u32> {
    enclosing_classes(symbols, byte).into_iter().min().map(|(_, at)| at)
}

/// The classes around a byte, each with its length.
pub fn enclosing_classes(symbols: &Symbols, byte: u32) -> Vec<(u32, u32)> {
    let around = symbols.definitions.iter().enumerate().filter(|(_, definition)| {
        CLASSES.contains(&definition.kind()) && definition.start <= byte && byte < definition.end
    });
    around.map(|(at, definition)| (definition.end - definition.start, at as u32)).collect()
}

/// Whether a definition belongs to a class.
pub fn is_member(symbols: &Symbols, definition: &Definition) -> bool {
    matches!(definition.kind(), "field" | "member" | "property" | "method" | "constructor")
        || definition
            .parent
            .and_then(|parent| symbols.definition(parent))
            .is_some_and(|parent| CLASSES.contains(&parent.kind()))
}

/// The members with this name inside a class.
pub fn own_members(symbols: &Symbols, class: u32, name: &str) -> Vec<u32> {
    let of_class = |definition: &Definition| {
        let mut parent = definition.parent;
        // An attribute that a method assigns to its object belongs to the class around the method.
        if definition.kind() == "member" {
            while let Some(at) = parent.filter(|at| *at != class) {
                parent = symbols.definition(at).and_then(|found| found.parent);
            }
        }
        parent == Some(class)
    };
    let mut found: Vec<u32> = symbols
        .named(name)
        .filter(|(_, definition)| {
            MEMBERS.contains(&definition.kind()) || CLASSES.contains(&definition.kind())
        })
        .filter(|(_, definition)| of_class(definition))
        .map(|(number, _)| number)
        .collect();
    if found.is_empty() {
        found.extend(parameter_property(symbols, class, name));
    }
    // Methods come before assigned attributes, and of several assignments only the first counts.
    found.sort_by_key(|at| symbols.definition(*at).is_some_and(|found| found.kind() == "member"));
    let assigned = |at: &u32| symbols.definition(*at).is_some_and(|found| found.kind() == "member");
    let first = found.iter().position(assigned);
    if let Some(first) = first {
        found.truncate(first + 1);
    }
    found
}

/// The parameter of a function with this name.
pub fn parameter(symbols: &Symbols, function: &Place, name: &str) -> Option<Place> {
    let (number, _) = symbols.named(name).find(|(_, definition)| {
        definition.kind() == "parameter" && definition.parent == function.definition
    })?;
    Some(Place { file: function.file.clone(), definition: Some(number) })
}
