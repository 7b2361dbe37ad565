//! What a name after a dot means: a member of the class or module of the value before the dot.

use std::collections::BTreeSet;

use super::{
    answer::Resolution,
    library::Files,
    meaning::{Meaning, Place, as_module},
    modules,
    resolve::{DEEPEST, MODULE_EXPORTS},
};
use crate::symbols::{Definition, Occurrence, Role, Symbols, can_mean};

/// Kinds of definitions that have members.
const CLASSES: [&str; 9] =
    ["class", "enum", "interface", "object", "struct", "trait", "type", "union", "extension"];
/// Kinds of definitions that are members.
const MEMBERS: [&str; 8] =
    ["constructor", "constant", "field", "function", "member", "method", "property", "variable"];

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
            return self.methods(&places, name);
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
        let apart = symbols.bases.iter().find(|(number, _)| *number == method);
        let classes = match (apart, definition.and_then(|found| found.parent)) {
            (Some((_, class)), _) => self.value(file, *class, depth),
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

    /// Of definitions of one name, those that a role can mean, if there are any: in Java, a field and
    /// a method may have one name.
    fn fitting(&mut self, role: Role, places: Vec<Place>) -> Vec<Place> {
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

    /// The class or module that a value's members belong to.
    fn value(&mut self, file: &str, at: u32, depth: usize) -> Meaning {
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
        for place in places {
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

    /// The Go package that a name refers to.
    pub fn package(&mut self, file: &str, symbols: &Symbols, name: &str) -> Meaning {
        for import in &symbols.imports {
            let module = symbols.text(import.module);
            let files = modules::files(self.library, self.family(file), file, module);
            // The test files of a folder may belong to a package of their own.
            let own = files.iter().find(|file| !file.ends_with("_test.go")).or(files.first());
            let declared = own.and_then(|own| self.symbols(own));
            let is_named = match declared.as_deref().and_then(clause) {
                Some(package) => package == name,
                None => modules::package_name(module) == name,
            };
            if is_named {
                return as_module(files);
            }
        }
        Meaning::Unknown
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

    /// The methods of a name that types of Rust are given apart from their fields.
    fn methods(&mut self, types: &[Place], name: &str) -> Meaning {
        let mut found = Vec::new();
        for place in types {
            let Some(symbols) = self.symbols(&place.file) else { continue };
            let owner = place.definition.and_then(|number| symbols.definition(number));
            let owner = owner.map_or("", |owner| symbols.defined(owner));
            found.extend(self.extensions(&place.file, owner, name));
        }
        Meaning::of(found, Resolution::Member)
    }

    /// The type that the innermost class around a byte defines, or that it extends.
    pub fn own_type(&mut self, file: &str, symbols: &Symbols, byte: u32, depth: usize) -> Meaning {
        let Some(class) = enclosing_class(symbols, byte) else { return Meaning::Unknown };
        let Some(definition) = symbols.definition(class) else { return Meaning::Unknown };
        if definition.kind() == "extension"
            && let Meaning::Known(places, _) = self.resolve(file, definition.occurrence, depth)
        {
            return Meaning::Known(places, Resolution::Member);
        }
        Meaning::one(file, class, Resolution::Member)
    }

    /// The traits whose methods a type of Rust has.
    fn traits(&mut self, owner: &str, depth: usize) -> Vec<Place> {
        let mut found = Vec::new();
        for file in self.with_name(owner).iter().filter(|file| file.ends_with(".rs")) {
            let Some(symbols) = self.symbols(file) else { continue };
            for (number, base) in &symbols.bases {
                let extends = symbols
                    .definition(*number)
                    .is_some_and(|one| one.kind() == "extension" && symbols.defined(one) == owner);
                if extends && let Meaning::Known(places, _) = self.value(file, *base, depth) {
                    found.extend(places);
                }
            }
        }
        found
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
                own.extend(self.extensions(&place.file, owner, name));
            }
            if !own.is_empty() {
                return Meaning::Known(own, Resolution::Member);
            }
            let mut bases = Vec::new();
            if self.family(&place.file) == "rust" {
                bases.extend(self.traits(owner, depth));
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
            open.extend(bases.into_iter().rev());
        }
        if is_external { Meaning::External } else { Meaning::Unknown }
    }

    /// What a name means in a module that is written out in a file.
    fn in_module(&mut self, place: &Place, symbols: &Symbols, name: &str, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        let inside = symbols.definitions.iter().enumerate().find(|(_, one)| {
            one.parent == place.definition
                && one.kind() != "extension"
                && symbols.defined(one) == name
        });
        match inside {
            Some((number, one)) if one.kind() == "import" => {
                self.follow(&place.file, symbols, number as u32, depth)
            }
            Some((number, _)) => Meaning::one(&place.file, number as u32, Resolution::Member),
            None => Meaning::Unknown,
        }
    }

    /// The module called `name` in the package of a file.
    fn submodule(&self, file: &str, name: &str) -> Meaning {
        if !file.ends_with("/__init__.py") {
            return Meaning::Unknown;
        }
        let found = modules::files(self.library, "python", file, &format!(".{name}"));
        if found.is_empty() { Meaning::Unknown } else { as_module(found) }
    }

    /// Members that are written outside their class, anywhere in the root.
    fn extensions(&mut self, file: &str, owner: &str, name: &str) -> Vec<Place> {
        let family = self.family(file);
        if !matches!(family, "c" | "ecmascript" | "go" | "rust") {
            return Vec::new();
        }
        let mut places = Vec::new();
        for other in self.with_name(name).iter() {
            let is_near = match family {
                "ecmascript" => other == file,
                "go" => modules::folder(other) == modules::folder(file),
                _ => true,
            };
            let Some(symbols) =
                self.symbols(other).filter(|_| is_near && self.family(other) == family)
            else {
                continue;
            };
            for (number, definition) in symbols.definitions.iter().enumerate() {
                let of = match family {
                    "ecmascript" if definition.kind() == "member" => {
                        given_to(&symbols, definition.start)
                    }
                    "c" | "ecmascript" | "go" => symbols
                        .bases
                        .iter()
                        .find(|(method, _)| *method == number as u32)
                        .filter(|_| !CLASSES.contains(&definition.kind()))
                        .map(|(_, receiver)| *receiver),
                    _ => definition
                        .parent
                        .and_then(|parent| symbols.definition(parent))
                        .filter(|parent| parent.kind() == "extension")
                        .map(|parent| parent.occurrence),
                };
                let of = of.and_then(|at| symbols.occurrence(at)).map(|at| symbols.name(at));
                if of == Some(owner) && symbols.defined(definition) == name {
                    places.push(Place { file: other.clone(), definition: Some(number as u32) });
                }
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

/// Whether a name refers to what the file exports: `exports`, or the same word in `module.exports`.
fn is_exports(symbols: &Symbols, one: &Occurrence) -> bool {
    let is_module = |at: u32| {
        symbols.occurrence(at).is_some_and(|of| of.bound.is_none() && symbols.name(of) == "module")
    };
    symbols.name(one) == MODULE_EXPORTS
        && if one.is_member { one.receiver.is_some_and(is_module) } else { one.bound.is_none() }
}

/// The object that the innermost function around a byte is given to, if that function lies within
/// the innermost class.
fn given_to(symbols: &Symbols, byte: u32) -> Option<u32> {
    let class = enclosing_class(symbols, byte).and_then(|at| symbols.definition(at));
    let around = symbols.bases.iter().filter_map(|(number, object)| {
        let method = symbols.definition(*number).filter(|found| found.kind() == "method")?;
        let is_around = method.start <= byte && byte < method.end;
        let is_inside = class.is_none_or(|class| class.start < method.start);
        (is_around && is_inside).then_some((method.end - method.start, *object))
    });
    around.min().map(|(_, object)| object)
}

/// The function around a byte whose prototype is given members: it makes the objects that have them.
fn constructor(symbols: &Symbols, byte: u32) -> Option<u32> {
    if enclosing_class(symbols, byte).is_some() {
        return None;
    }
    let around = symbols.definitions.iter().enumerate().filter(|(number, definition)| {
        definition.kind() == "function"
            && definition.start <= byte
            && byte < definition.end
            && is_given(symbols, *number as u32)
    });
    around.min_by_key(|(_, definition)| definition.end - definition.start).map(|(at, _)| at as u32)
}

/// Whether an object is given members in its file.
fn is_given(symbols: &Symbols, object: u32) -> bool {
    let is_it = |(_, at): &(u32, u32)| {
        symbols.occurrence(*at).is_some_and(|found| found.bound == Some(object))
    };
    symbols.bases.iter().any(is_it)
}

/// Whether a name refers to the base class of the class around it, such as `super`.
fn is_super(family: &str, symbols: &Symbols, one: &Occurrence) -> bool {
    matches!(family, "python" | "ecmascript" | "java")
        && one.bound.is_none()
        && symbols.name(one) == "super"
}

/// The parameter of a function with this name.
fn parameter(symbols: &Symbols, function: &Place, name: &str) -> Option<Place> {
    let mut all = symbols.definitions.iter().enumerate();
    let (number, _) = all.find(|(_, definition)| {
        definition.kind() == "parameter"
            && definition.parent == function.definition
            && symbols.defined(definition) == name
    })?;
    Some(Place { file: function.file.clone(), definition: Some(number as u32) })
}

/// The innermost class around a byte.
fn enclosing_class(symbols: &Symbols, byte: u32) -> Option<u32> {
    enclosing_classes(symbols, byte).into_iter().min().map(|(_, at)| at)
}

/// The classes around a byte, each with its length.
fn enclosing_classes(symbols: &Symbols, byte: u32) -> Vec<(u32, u32)> {
    let around = symbols.definitions.iter().enumerate().filter(|(_, definition)| {
        CLASSES.contains(&definition.kind()) && definition.start <= byte && byte < definition.end
    });
    around.map(|(at, definition)| (definition.end - definition.start, at as u32)).collect()
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

/// Whether a definition belongs to a class.
pub fn is_member(symbols: &Symbols, definition: &Definition) -> bool {
    matches!(definition.kind(), "field" | "member" | "property" | "method" | "constructor")
        || definition
            .parent
            .and_then(|parent| symbols.definition(parent))
            .is_some_and(|parent| CLASSES.contains(&parent.kind()))
}

/// The members with this name inside a class.
fn own_members(symbols: &Symbols, class: u32, name: &str) -> Vec<u32> {
    let of_class = |definition: &Definition| {
        let mut parent = definition.parent;
        // An attribute that a method assigns to its object belongs to the class around the method.
        if definition.kind() == "member" {
            while let Some(at) = parent.filter(|at| *at != class) {
                parent = symbols.definition(at).and_then(|found| found.parent);
            }
        }
        parent == Some(class)
    };
    let all = symbols.definitions.iter().enumerate();
    let mut found: Vec<u32> = all
        .filter(|(_, definition)| {
            MEMBERS.contains(&definition.kind()) || CLASSES.contains(&definition.kind())
        })
        .filter(|(_, definition)| symbols.defined(definition) == name && of_class(definition))
        .map(|(number, _)| number as u32)
        .collect();
    if found.is_empty() {
        found.extend(parameter_property(symbols, class, name));
    }
    // Methods come before assigned attributes, and of several assignments only the first counts.
    found.sort_by_key(|at| symbols.definition(*at).is_some_and(|found| found.kind() == "member"));
    let assigned = |at: &u32| symbols.definition(*at).is_some_and(|found| found.kind() == "member");
    let first = found.iter().position(assigned);
    if let Some(first) = first {
        found.truncate(first + 1);
    }
    found
}

/// A parameter of TypeScript's constructor that is a member as well.
fn parameter_property(symbols: &Symbols, class: u32, name: &str) -> Option<u32> {
    let is_constructor = |number: u32| {
        symbols
            .definition(number)
            .is_some_and(|one| one.parent == Some(class) && symbols.defined(one) == "constructor")
    };
    let mut all = symbols.definitions.iter().enumerate();
    let found = all.find(|(_, one)| {
        one.kind() == "parameter"
            && symbols.defined(one) == name
            && one.parent.is_some_and(is_constructor)
    });
    found.map(|(number, _)| number as u32)
}

/// The package named in the package clause of a Go file. Only comments may stand before the clause.
fn clause(symbols: &Symbols) -> Option<&str> {
    symbols.occurrences.first().map(|first| symbols.name(first))
}
