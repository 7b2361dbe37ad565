//! Members that are named without a dot: in Java and C++, those of the classes around a name.

use super::{
    answer::Resolution,
    classes::{CLASSES, enclosing_classes},
    library::Files,
    meaning::{Meaning, Place},
};
use crate::symbols::{Occurrence, Role, Symbols, can_mean};

impl Files<'_> {
    /// What a name without a dot means as a member of the classes around it.
    pub fn implied(
        &mut self,
        file: &str,
        symbols: &Symbols,
        one: &Occurrence,
        depth: usize,
    ) -> Meaning {
        let is_java = self.family(file) == "java";
        if !is_java && self.family(file) != "c" {
            return Meaning::Unknown;
        }
        let mut around = enclosing_classes(symbols, one.start);
        // What a class derives from is looked for outside of that class.
        let at = symbols.occurrences.binary_search_by_key(&one.start, |one| one.start);
        let derives = |class: u32| {
            at.is_ok_and(|at| symbols.bases.binary_search(&(class, at as u32)).is_ok())
        };
        around.retain(|(_, class)| !derives(*class));
        around.sort_unstable();
        let name = symbols.name(one);
        for (_, class) in around {
            let place = Place { file: file.to_owned(), definition: Some(class) };
            if let Meaning::Known(mut places, how) = self.members(&[place], name, depth) {
                places.retain(|place| can_mean(one.role, self.kind(place)));
                if !places.is_empty() {
                    return Meaning::Known(places, how);
                }
            }
        }
        // A method that is written apart from its class sees the names of that class.
        let Some(class) = (!is_java).then(|| written_for(symbols, one.start)).flatten() else {
            return Meaning::Unknown;
        };
        let Meaning::Known(places, _) = self.value(file, class, depth) else {
            return Meaning::Unknown;
        };
        match self.members(&places, name, depth) {
            Meaning::Known(mut places, how) => {
                places
                    .retain(|place| can_mean(one.role, self.kind(place)) || one.role == Role::Call);
                Meaning::of(places, how)
            }
            other => other,
        }
    }

    /// A method of C++, with where else it is declared or defined.
    pub fn redeclared(
        &mut self,
        file: &str,
        symbols: &Symbols,
        method: u32,
        depth: usize,
    ) -> Meaning {
        let itself = Place { file: file.to_owned(), definition: Some(method) };
        let definition = symbols.definition(method);
        let apart = symbols.base_of(method);
        let classes = match (apart, definition.and_then(|found| found.parent)) {
            (Some(class), _) => self.value(file, class, depth),
            (None, Some(class)) => Meaning::one(file, class, Resolution::Scope),
            (None, None) => Meaning::Unknown,
        };
        let name = definition.map_or("", |found| symbols.defined(found));
        let mut places = vec![itself.clone()];
        if let Meaning::Known(classes, _) = classes
            && let Meaning::Known(others, _) = self.members(&classes, name, depth)
        {
            let count = self.parameters(&itself);
            places.extend(others.into_iter().filter(|other| *other != itself));
            places.retain(|place| self.parameters(place) == count);
        }
        Meaning::Known(places, Resolution::Scope)
    }
}

/// The class that the method around a byte is written for, apart from that class.
fn written_for(symbols: &Symbols, byte: u32) -> Option<u32> {
    let around = symbols.bases.iter().filter_map(|(number, class)| {
        let method = symbols.definition(*number)?;
        let is_method = !CLASSES.contains(&method.kind());
        let is_around = is_method && method.start <= byte && byte < method.end;
        is_around.then_some((method.end - method.start, *class))
    });
    around.min().map(|(_, class)| class)
}
