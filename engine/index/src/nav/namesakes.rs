//! Definitions found by name: those at the top level of a file, and all others of the same name.

use super::{classes::is_member, library::Files, meaning::Place, resolve::SCOPED};
use crate::symbols::{Definition, Role, Symbols, can_mean};

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

    /// The definitions that have the name of an occurrence, where nothing tells which of them it means.
    pub fn namesakes(&mut self, file: &str, at: u32) -> Vec<Place> {
        let Some((symbols, one)) = self.occurrence(file, at) else { return Vec::new() };
        let family = self.family(file);
        // In C++ and Java, a name without a dot may be a member of the class around it.
        let is_told = SCOPED.contains(&family) && !matches!(family, "c" | "java");
        let wants_member =
            is_told.then_some(one.is_member || family == "ecmascript" && one.is_argument);
        let mut found = self.by_name(file, symbols.name(&one), wants_member);
        if family == "rust" && one.role == Role::Call {
            found.retain(|place| self.kind(place) != "field");
        }
        if family == "c" && one.role == Role::Type {
            found.retain(|place| can_mean(Role::Type, self.kind(place)));
        }
        found
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
