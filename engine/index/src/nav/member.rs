//! What a name after a dot means: a member of the class or module of the value before the dot.

use std::collections::BTreeSet;

use super::{
    answer::Resolution,
    classes::{CLASSES, enclosing_class, own_members, parameter},
    ecmascript::{constructor, given_to, is_exports, is_given, is_taken},
    library::Files,
    meaning::{Meaning, Place, as_module},
    modules,
    resolve::DEEPEST,
};
use crate::symbols::{Occurrence, Role, Symbols, can_mean};

impl Files<'_> {
    /// What a name after a dot means.
    pub fn member(
        &mut self,
        file: &str,
        symbols: &Symbols,
        one: &Occurrence,
        depth: usize,
    ) -> Meaning {
        let name = symbols.name(one);
        let Some(receiver) = one.receiver else { return Meaning::Unknown };
        let places = match self.value(file, receiver, depth) {
            Meaning::Known(places, _) => places,
            other => return other,
        };
        // The names of a namespace of C++ and of an enumeration are seen in the file as others are.
        if self.family(file) == "c"
            && places.iter().all(|place| matches!(self.kind(place), "enum" | "module"))
        {
            return match self.exported(&[file.to_owned()], name, depth) {
                Meaning::Known(places, how) => Meaning::Known(self.fitting(one.role, places), how),
                other => other,
            };
        }
        let found = self.members(&places, name, depth);
        // In Rust a field and a method may have one name, and a call never means the field.
        if one.role == Role::Call
            && self.family(file) == "rust"
            && let Meaning::Known(fields, _) = &found
            && fields.iter().all(|place| self.kind(place) == "field")
        {
            return self.methods(&places, name, depth);
        }
        match (self.family(file), found) {
            // A class may be written out apart from the one that it is a member of.
            ("c", Meaning::Unknown) if !self.is_value(file, receiver, depth) => {
                self.exported(&[file.to_owned()], name, depth)
            }
            ("c" | "java", Meaning::Known(places, how)) => {
                Meaning::Known(self.fitting(one.role, places), how)
            }
            (_, found) => found,
        }
    }

    /// Of definitions of one name, those that a role can mean, if there are any: in Java, a field and
    /// a method may have one name.
    pub fn fitting(&mut self, role: Role, places: Vec<Place>) -> Vec<Place> {
        let (fit, rest): (Vec<Place>, Vec<Place>) =
            places.into_iter().partition(|place| can_mean(role, self.kind(place)));
        if fit.is_empty() { rest } else { fit }
    }

    /// What the name of an argument means: a parameter of the called function.
    pub fn argument(
        &mut self,
        file: &str,
        symbols: &Symbols,
        one: &Occurrence,
        depth: usize,
    ) -> Meaning {
        let Some(called) = one.receiver else { return Meaning::Unknown };
        let name = symbols.name(one);
        let places = match self.resolve(file, called, depth) {
            Meaning::Known(places, _) => places,
            other => return other,
        };
        let mut found = Vec::new();
        for place in places {
            // Calling a class calls its constructor.
            let functions = if self.is_type(&place) {
                match self.members(&[place], "__init__", depth) {
                    Meaning::Known(places, _) => places,
                    other => return other,
                }
            } else {
                vec![place]
            };
            for function in functions {
                let Some(symbols) = self.symbols(&function.file) else { continue };
                found.extend(parameter(&symbols, &function, name));
            }
        }
        Meaning::of(found, Resolution::Member)
    }

    /// What a definition names that stands elsewhere: the attribute that was assigned first, or the
    /// member of the value that a pattern takes apart.
    pub fn named_before(&mut self, file: &str, symbols: &Symbols, number: u32) -> Meaning {
        let Some(found) = symbols.definition(number) else { return Meaning::Unknown };
        let name = symbols.defined(found);
        match (self.family(file), found.kind()) {
            ("ecmascript", _) if is_taken(found) => self.taken(file, symbols, number, DEEPEST),
            ("ecmascript" | "python", "member") => match enclosing_class(symbols, found.start) {
                Some(class) => {
                    let class = Place { file: file.to_owned(), definition: Some(class) };
                    self.members(&[class], name, DEEPEST)
                }
                None => Meaning::Unknown,
            },
            _ => Meaning::Unknown,
        }
    }

    /// The member of a value that a pattern of ECMAScript takes apart and gives to a variable of the
    /// same name.
    fn taken(&mut self, file: &str, symbols: &Symbols, variable: u32, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        let Some(value) = symbols.base_of(variable) else { return Meaning::Unknown };
        let name = symbols.definition(variable).map_or("", |found| symbols.defined(found));
        match self.value(file, value, depth) {
            Meaning::Known(places, _) => self.members(&places, name, depth),
            other => other,
        }
    }

    /// Variables of ECMAScript replaced by the members that patterns gave them, where these are known.
    fn taken_apart(&mut self, places: Vec<Place>, depth: usize) -> Vec<Place> {
        let mut found = Vec::new();
        for place in places {
            let symbols =
                self.symbols(&place.file).filter(|_| self.family(&place.file) == "ecmascript");
            let members = match symbols.zip(place.definition) {
                Some((symbols, number)) if symbols.definition(number).is_some_and(is_taken) => {
                    self.taken(&place.file, &symbols, number, depth)
                }
                _ => Meaning::Unknown,
            };
            match members {
                Meaning::Known(members, _) => found.extend(members),
                _ => found.push(place),
            }
        }
        found
    }

    /// The class or module that a value's members belong to.
    pub fn value(&mut self, file: &str, at: u32, depth: usize) -> Meaning {
        let Some((symbols, one)) = self.occurrence(file, at) else { return Meaning::Unknown };
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        let is_ecmascript = self.family(file) == "ecmascript";
        let is_rust = self.family(file) == "rust";
        if is_rust && matches!(symbols.name(&one), "crate" | "super") {
            return self.module_word(file, one.start, symbols.name(&one));
        }
        if is_object(self.family(file), &symbols, &one) {
            // In a function that is given to an object, it is that object.
            if is_ecmascript && let Some(object) = given_to(&symbols, one.start) {
                return self.value(file, object, depth);
            }
            if is_ecmascript && let Some(constructor) = constructor(&symbols, one.start) {
                return Meaning::one(file, constructor, Resolution::Member);
            }
            return match enclosing_class(&symbols, one.start) {
                Some(_) if is_rust => self.own_type(file, &symbols, one.start, depth),
                Some(class) => Meaning::one(file, class, Resolution::Member),
                None if is_rust => self.module_word(file, one.start, "self"),
                None => Meaning::Unknown,
            };
        }
        if is_ecmascript && is_exports(&symbols, &one) {
            return as_module(vec![file.to_owned()]);
        }
        if is_super(self.family(file), &symbols, &one) {
            return self.bases(file, &symbols, one.start, depth);
        }
        let (places, how) = match self.resolve(file, at, depth) {
            Meaning::Known(places, how) => (places, how),
            Meaning::Unknown if self.family(file) == "go" => {
                return self.package(file, &symbols, symbols.name(&one));
            }
            // A function of a type whose code a macro writes, such as `default`, makes that type.
            Meaning::Unknown if is_rust && one.is_member => {
                let of = one.receiver.map(|of| self.resolve(file, of, depth));
                let Some(Meaning::Known(places, how)) = of else { return Meaning::Unknown };
                let types = places.into_iter().filter(|place| self.is_type(place)).collect();
                return Meaning::of(types, how);
            }
            other => return other,
        };
        let mut values = Vec::new();
        for place in self.taken_apart(places, depth) {
            let Some(number) = place.definition else {
                values.push(place);
                continue;
            };
            let Some(symbols) = self.symbols(&place.file) else { continue };
            let Some(definition) = symbols.definition(number).copied() else { continue };
            if is_ecmascript && is_given(&symbols, number) {
                values.push(place.clone());
            }
            if CLASSES.contains(&definition.kind()) {
                values.push(place);
            } else if definition.kind() == "module" {
                // A module that is written out in place holds its members itself.
                values.extend(self.opened(vec![place]));
            } else if let Some(made_by) = definition.typed_by {
                match self.value(&place.file, made_by, depth) {
                    Meaning::Known(places, _) => values.extend(places),
                    Meaning::External => return Meaning::External,
                    Meaning::Unknown => {}
                }
            }
        }
        Meaning::of(values, how)
    }

    /// The base classes of the class around a byte.
    fn bases(&mut self, file: &str, symbols: &Symbols, byte: u32, depth: usize) -> Meaning {
        let Some(class) = enclosing_class(symbols, byte) else { return Meaning::Unknown };
        let mut found = Vec::new();
        let mut is_external = false;
        for (_, base) in symbols.bases.iter().filter(|(of, _)| *of == class) {
            match self.value(file, *base, depth) {
                Meaning::Known(places, _) => found.extend(places),
                Meaning::External => is_external = true,
                Meaning::Unknown => {}
            }
        }
        if found.is_empty() && is_external {
            return Meaning::External;
        }
        Meaning::of(found, Resolution::Member)
    }

    /// Whether a name means a variable or the like, not a class or a namespace.
    fn is_value(&mut self, file: &str, at: u32, depth: usize) -> bool {
        match self.resolve(file, at, depth) {
            Meaning::Known(places, _) => {
                places.iter().all(|place| !can_mean(Role::Type, self.kind(place)))
            }
            _ => true,
        }
    }

    /// Whether a definition is a type.
    fn is_type(&mut self, place: &Place) -> bool {
        CLASSES.contains(&self.kind(place))
    }

    /// The kind of a definition; empty for a file.
    pub fn kind(&mut self, place: &Place) -> &'static str {
        let symbols = place.definition.and_then(|_| self.symbols(&place.file));
        let definition = symbols.as_ref().zip(place.definition);
        definition
            .and_then(|(symbols, number)| symbols.definition(number))
            .map_or("", |one| one.kind())
    }

    /// What the member `name` of any of these classes or modules means.
    pub fn members(&mut self, places: &[Place], name: &str, depth: usize) -> Meaning {
        // The places are searched in their order.
        let mut open: Vec<Place> = places.iter().rev().cloned().collect();
        let mut seen = BTreeSet::new();
        let mut is_external = false;
        while let Some(place) = open.pop() {
            if !seen.insert(place.clone()) || seen.len() > DEEPEST * 4 {
                continue;
            }
            let Some(class) = place.definition else {
                let mut found = self.exported(std::slice::from_ref(&place.file), name, depth);
                if found == Meaning::Unknown {
                    found = self.submodule(&place.file, name);
                }
                if found != Meaning::Unknown {
                    return found;
                }
                continue;
            };
            let Some(symbols) = self.symbols(&place.file) else { continue };
            if symbols.definition(class).is_some_and(|found| found.kind() == "module") {
                let found = self.in_module(&place, &symbols, name, depth);
                if found != Meaning::Unknown {
                    return found;
                }
            }
            let own = own_members(&symbols, class, name).into_iter();
            let own =
                own.map(|number| Place { file: place.file.clone(), definition: Some(number) });
            let mut own: Vec<Place> = own.collect();
            let owner = symbols.definition(class).map_or("", |found| symbols.defined(found));
            // In C++, what is declared in a class may be defined apart from it.
            if own.is_empty() || self.family(&place.file) == "c" {
                own.extend(self.extensions(&place, owner, name, depth));
            }
            let is_assigned =
                !own.is_empty() && own.iter().all(|place| self.kind(place) == "member");
            if !own.is_empty() && !is_assigned {
                return Meaning::Known(own, Resolution::Member);
            }
            let mut bases = Vec::new();
            if self.family(&place.file) == "rust" {
                bases.extend(self.traits(&place, owner, depth));
            }
            for (_, base) in symbols.bases.iter().filter(|(of, _)| *of == class) {
                match self.value(&place.file, *base, depth) {
                    Meaning::Known(places, _) => bases.extend(places),
                    Meaning::External => is_external = true,
                    Meaning::Unknown => {}
                }
            }
            // Another name for a type has the members of that type.
            let another = symbols.definition(class).filter(|found| found.kind() == "type");
            if let Some(of) = another.and_then(|found| found.typed_by)
                && let Meaning::Known(places, _) = self.value(&place.file, of, depth)
            {
                bases.extend(places);
            }
            // What a class only assigns may be declared by a class that it derives from.
            if is_assigned {
                let known = depth.checked_sub(1).map(|depth| self.members(&bases, name, depth));
                return match known {
                    Some(Meaning::Known(places, how)) => Meaning::Known(places, how),
                    _ => Meaning::Known(own, Resolution::Member),
                };
            }
            open.extend(bases.into_iter().rev());
        }
        if is_external { Meaning::External } else { Meaning::Unknown }
    }

    /// What a name means in a module that is written out in a file.
    fn in_module(&mut self, place: &Place, symbols: &Symbols, name: &str, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        let inside = symbols
            .named(name)
            .find(|(_, one)| one.parent == place.definition && one.kind() != "extension");
        match inside {
            Some((number, one)) if one.kind() == "import" => {
                self.follow(&place.file, symbols, number, depth)
            }
            Some((number, _)) => Meaning::one(&place.file, number, Resolution::Member),
            None => Meaning::Unknown,
        }
    }

    /// Members that are written outside their class, anywhere in the root.
    pub fn extensions(
        &mut self,
        class: &Place,
        owner: &str,
        name: &str,
        depth: usize,
    ) -> Vec<Place> {
        let file = &class.file;
        let family = self.family(file);
        if !matches!(family, "c" | "ecmascript" | "go" | "rust") {
            return Vec::new();
        }
        let mut places = Vec::new();
        for place in self.definitions(name).iter() {
            let other = &place.file;
            let is_near = match family {
                "ecmascript" => other == file,
                "go" => modules::folder(other) == modules::folder(file),
                _ => true,
            };
            if !is_near || self.family(other) != family {
                continue;
            }
            let Some((symbols, number)) = self.symbols(other).zip(place.definition) else {
                continue;
            };
            let Some(definition) = symbols.definition(number) else { continue };
            let of = match family {
                "ecmascript" if definition.kind() == "member" => {
                    given_to(&symbols, definition.start)
                }
                "ecmascript" if is_taken(definition) => None,
                "c" | "ecmascript" | "go" => {
                    symbols.base_of(number).filter(|_| !CLASSES.contains(&definition.kind()))
                }
                _ => definition
                    .parent
                    .and_then(|parent| symbols.definition(parent))
                    .filter(|parent| parent.kind() == "extension")
                    .map(|parent| parent.occurrence),
            };
            let Some(at) = of else { continue };
            let is_owner = symbols.occurrence(at).is_some_and(|at| symbols.name(at) == owner);
            if is_owner && (family != "rust" || self.may_be(other, at, class, depth)) {
                places.push(place.clone());
            }
        }
        places
    }
}

/// Whether a name refers to the object of the method around it, such as `self`.
fn is_object(family: &str, symbols: &Symbols, one: &Occurrence) -> bool {
    let name = symbols.name(one);
    match family {
        "python" => {
            matches!(name, "self" | "cls")
                && one
                    .bound
                    .and_then(|bound| symbols.definition(bound))
                    .is_some_and(|bound| bound.kind() == "parameter")
        }
        "rust" => matches!(name, "self" | "Self"),
        _ => matches!(name, "this"),
    }
}

/// Whether a name refers to the base class of the class around it, such as `super`.
fn is_super(family: &str, symbols: &Symbols, one: &Occurrence) -> bool {
    matches!(family, "python" | "ecmascript" | "java")
        && one.bound.is_none()
        && symbols.name(one) == "super"
}
