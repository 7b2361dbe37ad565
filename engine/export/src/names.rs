//! The names of symbols.

use std::{cmp::Reverse, collections::BTreeMap};

use index::{Definition, Symbols, nav::Walk};
use scip::{
    symbol::format_symbol,
    types::{Descriptor, Symbol, descriptor::Suffix},
};

use crate::kinds::suffix;

/// The scheme that all global names begin with.
const SCHEME: &str = "parity";
/// Kinds of definitions that stand for a symbol that is defined elsewhere.
const STANDS_FOR_ANOTHER: [&str; 2] = ["export", "import"];

/// The names of the symbols of all files, each file's once it is asked for.
#[derive(Debug, Default)]
pub struct Names {
    files: BTreeMap<String, Vec<Option<String>>>,
}

impl Names {
    /// The name of a definition, by its position; `None` for what stands for another symbol.
    pub fn of(&mut self, walk: &mut Walk, file: &str, definition: u32) -> Option<String> {
        if !self.files.contains_key(file) {
            let names = walk.symbols(file).map(|symbols| names(walk, file, &symbols));
            self.files.insert(file.to_owned(), names.unwrap_or_default());
        }
        self.files.get(file)?.get(definition as usize)?.clone()
    }
}

/// The name of a file as a module.
pub fn of_file(file: &str) -> String {
    global(path(file))
}

/// Whether a name belongs to its file alone.
pub fn is_local(name: &str) -> bool {
    scip::symbol::is_local_symbol(name)
}

fn global(descriptors: Vec<Descriptor>) -> String {
    format_symbol(Symbol { scheme: SCHEME.to_owned(), descriptors, ..Symbol::default() })
}

/// The parts of a path as descriptors.
fn path(file: &str) -> Vec<Descriptor> {
    file.split('/').map(|part| descriptor(part, Suffix::Namespace)).collect()
}

fn descriptor(name: &str, suffix: Suffix) -> Descriptor {
    Descriptor { name: name.to_owned(), suffix: suffix.into(), ..Descriptor::default() }
}

/// The names of all definitions of a file.
fn names(walk: &mut Walk, file: &str, symbols: &Symbols) -> Vec<Option<String>> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut descriptors: Vec<Option<Vec<Descriptor>>> = vec![None; symbols.definitions.len()];
    for number in outermost_first(symbols) {
        let Some(definition) = symbols.definition(number) else { continue };
        let within = match enclosing(symbols, definition) {
            None => Some(path(file)),
            Some(around) => descriptors.get(around as usize).cloned().flatten(),
        };
        let is_global = !definition.is_local && !STANDS_FOR_ANOTHER.contains(&definition.kind());
        let Some(mut within) = within.filter(|_| is_global) else { continue };
        within.extend(written_apart(symbols, definition, number));
        let kind = walk.kind(file, number).unwrap_or_default();
        let mut last = descriptor(symbols.defined(definition), suffix(kind));
        if last.suffix == Suffix::Method.into() {
            let plain = within.iter().chain([&last]).cloned().collect();
            let same = known.entry(global(plain)).or_default();
            if *same > 0 {
                last.disambiguator = format!("+{same}");
            }
            *same += 1;
        }
        within.push(last);
        if let Some(slot) = descriptors.get_mut(number as usize) {
            *slot = Some(within);
        }
    }
    let all = symbols.definitions.iter().zip(descriptors).enumerate();
    all.map(|(number, (definition, descriptors))| match definition.kind() {
        "export" | "extension" | "import" => None,
        _ => Some(descriptors.map_or_else(|| format!("local {number}"), global)),
    })
    .collect()
}

/// The positions of the definitions, each behind the one that encloses it: a name may stand behind
/// what it names.
fn outermost_first(symbols: &Symbols) -> Vec<u32> {
    let mut order: Vec<u32> = (0..symbols.definitions.len() as u32).collect();
    let extent =
        |number: &u32| symbols.definition(*number).map(|one| (one.start, Reverse(one.end)));
    order.sort_by_key(|number| (extent(number), *number));
    order
}

/// The definition whose name a definition's own begins with. An attribute that a method assigns to
/// its object belongs to the class.
fn enclosing(symbols: &Symbols, definition: &Definition) -> Option<u32> {
    let mut around = definition.parent;
    if definition.kind() == "member" {
        while let Some(outer) = around.and_then(|at| symbols.definition(at)) {
            if matches!(outer.kind(), "class" | "object") {
                break;
            }
            around = outer.parent;
        }
    }
    around
}

/// The type of a method that is written apart from it, as in Go and C++.
fn written_apart(symbols: &Symbols, definition: &Definition, number: u32) -> Option<Descriptor> {
    let is_callable = matches!(definition.kind(), "constructor" | "function" | "method");
    let of = symbols.base_of(number).filter(|_| is_callable)?;
    symbols.occurrence(of).map(|of| descriptor(symbols.name(of), Suffix::Type))
}
