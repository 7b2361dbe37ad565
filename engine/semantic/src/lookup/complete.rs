//! Names that a question may go on with.

use std::collections::BTreeSet;

use index::nav::Walk;

use super::SymbolQuery;
use crate::graph::{chain, is_symbol};

/// Most names.
const MOST: usize = 200;

/// The symbols whose names begin as the question ends, as `Parent > Name`, sorted; at most 200. An empty question
/// is answered with all symbols.
pub fn complete(
    walk: &mut Walk,
    query: &SymbolQuery,
    in_files: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let files = walk.files();
    let (file, names) = match query.names.split_first() {
        Some((first, rest)) if files.binary_search(first).is_ok() => (Some(first), rest),
        _ => (None, query.names.as_slice()),
    };
    let (begins, around) =
        names.split_last().map_or(("", &[][..]), |(last, around)| (last.as_str(), around));
    let mut found = BTreeSet::new();
    for other in files.iter().filter(|other| file.map_or(in_files(other), |file| file == *other)) {
        let Some(symbols) = walk.symbols(other) else { continue };
        for (number, one) in symbols.definitions.iter().enumerate() {
            if !is_symbol(one) || !symbols.defined(one).starts_with(begins) {
                continue;
            }
            let names = chain(&symbols, number as u32);
            if names.split_last().is_some_and(|(_, outer)| outer.ends_with(around)) {
                found.insert(names.join(" > "));
            }
        }
    }
    found.into_iter().take(MOST).collect()
}
