//! A symbol as a reader knows it.

use index::{
    Symbols,
    nav::{Place, Walk},
};
use serde::Serialize;

/// A symbol with its name and place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Symbol {
    /// Its name behind those of the symbols around it, joined by dots; for the top level of a file, the
    /// file's path.
    pub name: String,
    /// Its kind, such as `method`; `module` for the top level of a file.
    pub kind: &'static str,
    /// The file, relative to the root.
    pub file: String,
    /// Line of the name, from 1.
    pub line: u32,
}

/// The symbol at a place.
pub fn symbol(walk: &mut Walk, place: &Place) -> Symbol {
    let file = place.file.clone();
    let symbols = walk.symbols(&file);
    let found = symbols.as_deref().zip(place.definition).and_then(|(symbols, number)| {
        let definition = symbols.definition(number)?;
        let line = symbols.occurrence(definition.occurrence)?.row + 1;
        Some((chain(symbols, number).join("."), line))
    });
    match found {
        Some((name, line)) => {
            let kind = place.definition.and_then(|number| walk.kind(&file, number));
            Symbol { name, kind: kind.unwrap_or_default(), file, line }
        }
        None => Symbol { name: file.clone(), kind: "module", file, line: 1 },
    }
}

/// Kinds of symbols that are types.
const TYPES: [&str; 8] =
    ["class", "enum", "interface", "object", "struct", "trait", "type", "union"];

/// Whether a kind of symbol is a type.
pub fn is_type(kind: &str) -> bool {
    TYPES.contains(&kind)
}

/// The names of the symbols around a definition, the outermost first, and its own.
pub fn chain(symbols: &Symbols, number: u32) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = Some(number);
    while let Some((at, definition)) = next.and_then(|at| Some((at, symbols.definition(at)?))) {
        names.push(symbols.defined(definition).to_owned());
        next = definition.parent;
        let is_callable = matches!(definition.kind(), "constructor" | "function" | "method");
        // A method that is written apart from its type, as in Go and C++.
        let apart = symbols.base_of(at).filter(|_| is_callable && next.is_none());
        names.extend(
            apart.and_then(|at| symbols.occurrence(at)).map(|of| symbols.name(of).to_owned()),
        );
        // An attribute belongs to the class, whichever method assigns it.
        if definition.kind() == "member" {
            while let Some(outer) = next.and_then(|at| symbols.definition(at)) {
                if matches!(outer.kind(), "class" | "object") {
                    break;
                }
                next = outer.parent;
            }
        }
    }
    names.reverse();
    names
}
