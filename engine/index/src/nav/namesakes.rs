//! Definitions found by name: those at the top level of a file, and all others of the same name.

use super::{classes::is_member, library::Files, meaning::Place};
use crate::symbols::{Definition, Symbols};

impl Files<'_> {
    /// The definitions of a name at the top level of these files.
    pub fn top_level_of(&mut self, files: &[String], name: &str) -> Vec<Place> {
        let mut places = Vec::new();
        for file in files {
            let Some(symbols) = self.symbols(file) else { continue };
            let found = top_level(&symbols, name).into_iter();
            let own = found.filter(|(_, definition)| definition.kind() != "import");
            places.extend(
                own.map(|(number, _)| Place { file: file.clone(), definition: Some(number) }),
            );
        }
        places
    }

    /// All definitions of a name in a language family that other files can see, the nearest first.
    pub fn by_name(&mut self, file: &str, name: &str, wants_member: Option<bool>) -> Vec<Place> {
        let family = self.family(file);
        let mut places = Vec::new();
        for place in self.definitions(name).iter() {
            if self.family(&place.file) != family && !family.is_empty() {
                continue;
            }
            let symbols = self.symbols(&place.file);
            let Some((symbols, number)) = symbols.zip(place.definition) else { continue };
            let Some(definition) = symbols.definition(number) else { continue };
            let is_hidden = definition.is_local
                || matches!(definition.kind(), "import" | "extension" | "parameter" | "label")
                || definition.kind() == "export" && definition.typed_by.is_some();
            let is_member = is_member(&symbols, definition);
            if !is_hidden && wants_member.is_none_or(|wanted| wanted == is_member) {
                places.push(place.clone());
            }
        }
        let distance = |other: &str| {
            let shared = file.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count();
            (other != file, usize::MAX - shared)
        };
        places.sort_by_key(|place| distance(&place.file));
        places
    }
}

/// A definition with those that declare the same thing: overloads, in ECMAScript also an interface and a
/// value of one name, in C all that a condition chooses from.
pub fn merged(symbols: &Symbols, number: u32) -> Vec<u32> {
    let Some(one) = symbols.definition(number).filter(|one| !one.is_local) else {
        return vec![number];
    };
    let name = symbols.defined(one);
    let is_callable = |one: &Definition| matches!(one.kind(), "constructor" | "method");
    let is_same = |other: &Definition| {
        other.parent == one.parent
            && !other.is_local
            && is_member(symbols, other) == is_member(symbols, one)
            && is_callable(other) == is_callable(one)
            && !matches!(other.kind(), "export" | "import" | "member")
    };
    let all = symbols.named(name);
    let others = all.filter(|(_, other)| is_same(other)).map(|(other, _)| other);
    [number].into_iter().chain(others.filter(|other| *other != number)).collect()
}

/// The definitions of a name that are visible in the whole file, imports included.
pub fn top_level<'a>(symbols: &'a Symbols, name: &str) -> Vec<(u32, &'a Definition)> {
    let is_seen = |(_, definition): &(u32, &Definition)| {
        !definition.is_local && !is_member(symbols, definition) && definition.kind() != "extension"
    };
    symbols.named(name).filter(is_seen).collect()
}
