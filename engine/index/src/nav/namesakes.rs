//! Definitions found by name: those at the top level of a file, and all others of the same name.

use super::{library::Files, meaning::Place, member::is_member};
use crate::symbols::{Definition, Symbols};

impl Files<'_> {
    /// All definitions of a name in a language family that other files can see, the nearest first.
    pub fn by_name(&mut self, file: &str, name: &str, wants_member: Option<bool>) -> Vec<Place> {
        let family = self.family(file);
        let mut places = Vec::new();
        for other in self.with_name(name).iter() {
            if self.family(other) != family && !family.is_empty() {
                continue;
            }
            let Some(symbols) = self.symbols(other) else { continue };
            for (number, definition) in symbols.definitions.iter().enumerate() {
                let is_named = symbols.defined(definition) == name;
                let is_hidden = definition.is_local
                    || matches!(definition.kind(), "import" | "extension" | "parameter" | "label");
                let is_member = is_member(&symbols, definition);
                if is_named && !is_hidden && wants_member.is_none_or(|wanted| wanted == is_member) {
                    places.push(Place { file: other.clone(), definition: Some(number as u32) });
                }
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

/// The definitions of a name that are visible in the whole file, imports included.
pub fn top_level<'a>(symbols: &'a Symbols, name: &str) -> Vec<(u32, &'a Definition)> {
    let all = symbols.definitions.iter().enumerate();
    all.filter(|(_, definition)| {
        !definition.is_local
            && symbols.defined(definition) == name
            && !is_member(symbols, definition)
            && definition.kind() != "extension"
    })
    .map(|(number, definition)| (number as u32, definition))
    .collect()
}
