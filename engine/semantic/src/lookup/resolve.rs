//! Which symbols a question asks for.

use std::collections::BTreeSet;

use index::nav::{Place, Walk};

use super::{Missing, SymbolQuery, missing::MOST};
use crate::graph::{is_symbol, symbol};

/// The symbols that a question asks for, in the order of files and lines. Names are equal, or there is
/// no answer. `in_files` says which files are searched.
///
/// # Errors
/// There is none; the error names what is similar.
pub fn resolve(
    walk: &mut Walk,
    query: &SymbolQuery,
    in_files: &dyn Fn(&str) -> bool,
) -> Result<Vec<Place>, Missing> {
    let (file, names) = file_and_names(walk, query)?;
    let Some((name, around)) = names.split_last() else {
        return Err(Missing::Symbol { name: String::new(), file, similar: Vec::new() });
    };
    let is_searched = |other: &str| file.as_ref().map_or(in_files(other), |file| file == other);
    let places: Vec<Place> =
        walk.definitions(name).iter().filter(|place| is_searched(&place.file)).cloned().collect();
    let found: Vec<Place> = places.into_iter().filter(|place| is_at(walk, place, &names)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    Err(missing(walk, name, around, file.clone(), &is_searched))
}

/// The file that a question names, if it does, and the names behind it.
fn file_and_names(
    walk: &Walk,
    query: &SymbolQuery,
) -> Result<(Option<String>, Vec<String>), Missing> {
    let Some((first, rest)) = query.names.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Ok((None, query.names.clone()));
    };
    let files = walk.files();
    if files.binary_search(first).is_ok() {
        return Ok((Some(first.clone()), rest.to_vec()));
    }
    let similar: Vec<String> = files
        .into_iter()
        .filter(|file| file.strip_suffix(first).is_some_and(|before| before.ends_with('/')))
        .take(MOST)
        .collect();
    if similar.is_empty() && !first.contains('/') {
        return Ok((None, query.names.clone()));
    }
    Err(Missing::File { file: first.clone(), similar })
}

/// Whether the names of what is around a symbol, and its own, end in these.
fn is_at(walk: &mut Walk, place: &Place, names: &[String]) -> bool {
    let symbols = walk.symbols(&place.file);
    let Some((symbols, number)) = symbols.zip(place.definition) else { return false };
    symbols.definition(number).is_some_and(is_symbol)
        && crate::graph::chain(&symbols, number).ends_with(names)
}

/// Says what is missing: the symbol, what is around it, or only its place in that.
fn missing(
    walk: &mut Walk,
    name: &str,
    around: &[String],
    file: Option<String>,
    is_searched: &dyn Fn(&str) -> bool,
) -> Missing {
    let Some(parent) = around.last() else {
        let similar = similar(walk, name, is_searched);
        return Missing::Symbol { name: name.to_owned(), file, similar };
    };
    let parents: Vec<Place> =
        walk.definitions(parent).iter().filter(|place| is_searched(&place.file)).cloned().collect();
    let parents: Vec<Place> =
        parents.into_iter().filter(|place| is_at(walk, place, around)).collect();
    if parents.is_empty() {
        let similar = similar(walk, parent, is_searched);
        return Missing::Symbol { name: parent.clone(), file, similar };
    }
    let mut members = BTreeSet::new();
    for place in parents {
        let Some(symbols) = walk.symbols(&place.file) else { continue };
        let inside = symbols
            .definitions
            .iter()
            .filter(|one| is_symbol(one) && one.parent == place.definition);
        members.extend(inside.map(|one| symbols.defined(one).to_owned()));
    }
    let is_alike = |other: &&String| other.to_lowercase() == name.to_lowercase();
    let alike: Vec<String> = members.iter().filter(is_alike).cloned().collect();
    let members = if alike.is_empty() { members.into_iter().take(MOST).collect() } else { alike };
    Missing::Member { parent: around.join(" > "), name: name.to_owned(), members }
}

/// The symbols whose names differ in case alone.
fn similar(walk: &mut Walk, name: &str, is_searched: &dyn Fn(&str) -> bool) -> Vec<String> {
    let lower = name.to_lowercase();
    let mut found = Vec::new();
    for file in walk.files().iter().filter(|file| is_searched(file)) {
        let Some(symbols) = walk.symbols(file) else { continue };
        let alike = |(number, one): (usize, &index::Definition)| {
            let is_it = is_symbol(one) && symbols.defined(one).to_lowercase() == lower;
            is_it.then(|| Place { file: file.clone(), definition: Some(number as u32) })
        };
        for place in symbols.definitions.iter().enumerate().filter_map(alike) {
            let found_there = symbol(walk, &place);
            let last = found_there.name.rsplit('.').next().unwrap_or_default().to_owned();
            found.push(format!("\"{last}\" ({file}:{})", found_there.line));
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}
