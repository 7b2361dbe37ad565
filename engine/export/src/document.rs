//! One source file as a document.

use std::collections::BTreeMap;

use base::secrets::Secrets;
use index::{
    Occurrence, Role, Symbols,
    nav::{Described, Meaning, Place, Walk},
};
use protobuf::MessageField;
use scip::types::{
    Document, PositionEncoding, Relationship, Signature, SymbolInformation, SymbolRole,
};

use crate::{
    kinds,
    lines::Lines,
    names::{self, Names},
    range::Range,
    scip::Exported,
};

/// A document; `None` if its file has changed since the walk began.
pub fn document(
    walk: &mut Walk,
    names: &mut Names,
    file: &str,
    counted: &mut Exported,
) -> Option<Document> {
    let text = walk.text(file)?;
    let symbols = walk.symbols(file)?;
    let language = walk.language(file)?;
    let lines = Lines::of(&text);
    let mut occurrences = vec![itself(file)];
    for (at, one) in symbols.occurrences.iter().enumerate() {
        let is_import = symbols.module_at(at as u32).is_some();
        let symbol_roles = roles(if is_import { Role::Import } else { one.role });
        let defines = one.bound.filter(|_| one.role == Role::Definition);
        let whole = defines.and_then(|number| symbols.definition(number));
        for symbol in meant(walk, names, file, &symbols, at as u32, counted) {
            let mut occurrence =
                scip::types::Occurrence { symbol, symbol_roles, ..Default::default() };
            place(&symbols, one).set(&mut occurrence);
            if let Some(whole) = whole {
                let (start, end) = (lines.place(whole.start), lines.place(whole.end));
                Range { start, end }.set_enclosing(&mut occurrence);
            }
            occurrences.push(occurrence);
        }
    }
    counted.occurrences += occurrences.len();
    let symbols = described(walk, names, file, &symbols, language);
    counted.symbols += symbols.len();
    Some(Document {
        language: kinds::language(language),
        relative_path: file.to_owned(),
        occurrences,
        symbols,
        position_encoding: PositionEncoding::UTF32CodeUnitOffsetFromLineStart.into(),
        ..Document::default()
    })
}

/// The file as a module, defined at its first character.
fn itself(file: &str) -> scip::types::Occurrence {
    let symbol_roles = SymbolRole::Definition as i32;
    let symbol = names::of_file(file);
    let mut itself = scip::types::Occurrence { symbol, symbol_roles, ..Default::default() };
    Range { start: (0, 0), end: (0, 0) }.set(&mut itself);
    itself
}

/// The names of the symbols that an occurrence means.
fn meant(
    walk: &mut Walk,
    names: &mut Names,
    file: &str,
    symbols: &Symbols,
    at: u32,
    counted: &mut Exported,
) -> Vec<String> {
    let one = symbols.occurrence(at);
    let own = one.filter(|one| one.role == Role::Definition).and_then(|one| one.bound);
    if let Some(name) = own.and_then(|own| names.of(walk, file, own)) {
        return vec![name];
    }
    let places = match walk.meaning(file, at) {
        Meaning::Known(places, _) => places,
        Meaning::External => {
            counted.external += 1;
            return Vec::new();
        }
        Meaning::Unknown => Vec::new(),
    };
    let found = named(walk, names, &places);
    counted.unresolved += usize::from(found.is_empty());
    found
}

/// The names of the symbols at these places, each once.
fn named(walk: &mut Walk, names: &mut Names, places: &[Place]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for place in places {
        let name = match place.definition {
            Some(number) => names.of(walk, &place.file, number),
            None => Some(names::of_file(&place.file)),
        };
        found.extend(name.filter(|name| !found.contains(name)));
    }
    found
}

const fn roles(role: Role) -> i32 {
    match role {
        Role::Definition => SymbolRole::Definition as i32,
        Role::Import => SymbolRole::Import as i32,
        Role::Write => SymbolRole::WriteAccess as i32,
        Role::Call | Role::Type | Role::Read => SymbolRole::ReadAccess as i32,
    }
}

/// Where an identifier stands.
fn place(symbols: &Symbols, one: &Occurrence) -> Range {
    let length = symbols.name(one).chars().count() as u32;
    Range { start: (one.row, one.column), end: (one.row, one.column + length) }
}

/// What is said about the symbols that a file defines, sorted by their names.
fn described(
    walk: &mut Walk,
    names: &mut Names,
    file: &str,
    symbols: &Symbols,
    language: &str,
) -> Vec<SymbolInformation> {
    let mut found: BTreeMap<String, SymbolInformation> = BTreeMap::new();
    let all = 0..symbols.definitions.len() as u32;
    let global: Vec<u32> = all
        .clone()
        .filter(|number| names.of(walk, file, *number).is_some_and(|name| !names::is_local(&name)))
        .collect();
    let texts = walk.described(file, &global);
    for number in all {
        let (Some(name), Some(definition)) =
            (names.of(walk, file, number), symbols.definition(number))
        else {
            continue;
        };
        if found.contains_key(&name) {
            continue;
        }
        let kind = walk.kind(file, number).unwrap_or_default();
        let around = definition.parent.filter(|_| names::is_local(&name));
        let enclosing_symbol =
            around.and_then(|around| names.of(walk, file, around)).unwrap_or_default();
        let said = texts.get(&number);
        let information = SymbolInformation {
            symbol: name.clone(),
            documentation: said
                .map(|said| Secrets::Masked.text(&said.documentation).into_owned())
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect(),
            relationships: bases(walk, names, file, symbols, number),
            kind: kinds::kind(kind).into(),
            display_name: symbols.defined(definition).to_owned(),
            signature_documentation: MessageField::from_option(
                said.map(|said| signature(said, language)),
            ),
            enclosing_symbol,
            ..SymbolInformation::default()
        };
        found.insert(name, information);
    }
    found.into_values().collect()
}

fn signature(said: &Described, language: &str) -> Signature {
    Signature {
        language: kinds::language(language),
        text: Secrets::Masked.code(&said.signature).into_owned(),
        ..Signature::default()
    }
}

/// The classes that a class derives from.
fn bases(
    walk: &mut Walk,
    names: &mut Names,
    file: &str,
    symbols: &Symbols,
    number: u32,
) -> Vec<Relationship> {
    let is_type = |walk: &mut Walk, file: &str, number: u32| {
        let kind = walk.kind(file, number);
        kind.is_some_and(|kind| kinds::suffix(kind) == scip::types::descriptor::Suffix::Type)
    };
    if !is_type(walk, file, number) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (_, base) in symbols.bases.iter().filter(|(class, _)| *class == number) {
        let Meaning::Known(places, _) = walk.meaning(file, *base) else { continue };
        let Some(place) = places.first() else { continue };
        let Some(of) = place.definition.filter(|of| is_type(walk, &place.file, *of)) else {
            continue;
        };
        found.extend(names.of(walk, &place.file, of));
    }
    found.sort();
    found.dedup();
    let related =
        |symbol| Relationship { symbol, is_implementation: true, ..Relationship::default() };
    found.into_iter().map(related).collect()
}
