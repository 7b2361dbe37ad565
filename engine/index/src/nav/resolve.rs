//! What a name means: by the scopes of its file, by imports, as a member, or by its name alone.

use std::{collections::BTreeSet, sync::Arc};

use super::{answer::Resolution, library::Files, modules};
use crate::symbols::{Definition, Occurrence, Role, Symbols};

/// Steps from one file to the next, or from a value to its type, that are taken.
const DEEPEST: usize = 12;
/// Kinds that have members.
const CLASSES: [&str; 9] =
    ["class", "enum", "interface", "object", "struct", "trait", "type", "union", "extension"];
/// Kinds of members.
const MEMBERS: [&str; 8] =
    ["constructor", "constant", "field", "function", "member", "method", "property", "variable"];

/// Families in which one file sees names of others without an import of each.
const OPEN: [&str; 3] = ["c", "go", "java"];
/// Families whose scopes are known.
pub const SCOPED: [&str; 6] = ["c", "ecmascript", "go", "java", "python", "rust"];

/// A definition in a file, or a file as a module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Path of the file, relative to the root.
    pub file: String,
    /// The definition; none for the file itself.
    pub definition: Option<u32>,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// These definitions, found so.
    Known(Vec<Place>, Resolution),
    /// Something from outside of the root.
    External,
    /// Nothing says.
    Unknown,
}

impl Meaning {
    fn one(file: &str, definition: u32, how: Resolution) -> Self {
        Self::Known(vec![Place { file: file.to_owned(), definition: Some(definition) }], how)
    }

    fn of(places: Vec<Place>, how: Resolution) -> Self {
        if places.is_empty() { Self::Unknown } else { Self::Known(places, how) }
    }
}

impl Files<'_> {
    /// What an occurrence means, without names that only look the same.
    pub fn meaning(&mut self, file: &str, at: u32) -> Meaning {
        self.resolve(file, at, DEEPEST)
    }

    fn resolve(&mut self, file: &str, at: u32, depth: usize) -> Meaning {
        let Some((symbols, one)) = self.occurrence(file, at) else { return Meaning::Unknown };
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        if let Some(bound) = one.bound {
            let kind = symbols.definition(bound).map_or("", Definition::kind);
            if kind == "import" {
                return self.follow(file, &symbols, bound, depth);
            }
            return Meaning::one(file, bound, Resolution::Scope);
        }
        if one.role == Role::Import
            && let Some(import) =
                symbols.imports.iter().find(|import| import.name == Some(one.name))
            && let Some(definition) = import.definition
        {
            return self.follow(file, &symbols, definition, depth);
        }
        if one.is_member {
            return self.member(file, &symbols, &one, depth);
        }
        let name = symbols.name(&one).to_owned();
        let found = self.seen_from(file, &symbols, &name, depth);
        if found != Meaning::Unknown || !SCOPED.contains(&self.family(file)) {
            return found;
        }
        let has_wildcard = symbols.imports.iter().any(|import| import.definition.is_none());
        let is_open = OPEN.contains(&self.family(file)) || has_wildcard;
        if is_open { Meaning::Unknown } else { Meaning::External }
    }

    /// What a name means that this file neither defines nor imports by itself.
    fn seen_from(&mut self, file: &str, symbols: &Symbols, name: &str, depth: usize) -> Meaning {
        let family = self.family(file);
        let package: Vec<String> = match family {
            "go" => modules::in_folder(&self.library.files, modules::folder(file), ".go"),
            "java" => modules::in_folder(&self.library.files, modules::folder(file), ".java"),
            _ => Vec::new(),
        };
        let places = self.top_level_of(&package, name);
        if !places.is_empty() {
            return Meaning::Known(places, Resolution::Scope);
        }
        // Go's imports without a name bring a package, not the names in it.
        let wildcards: Vec<String> = symbols
            .imports
            .iter()
            .filter(|import| import.definition.is_none() && family != "go")
            .map(|import| symbols.text(import.module).to_owned())
            .collect();
        for module in wildcards {
            let files = modules::files(&self.library.files, family, file, &module);
            let found = self.exported(&files, name, depth);
            if found != Meaning::Unknown {
                return found;
            }
        }
        Meaning::Unknown
    }

    /// What an import brings.
    fn follow(&mut self, file: &str, symbols: &Symbols, bound: u32, depth: usize) -> Meaning {
        let Some(import) = symbols.import_of(bound).copied() else { return Meaning::Unknown };
        let family = self.family(file);
        let module = symbols.text(import.module);
        let local = symbols.definition(bound).map_or("", |found| symbols.defined(found));
        let Some(name) = import.name.map(|name| symbols.text(name)) else {
            // `import a.b` brings `a`.
            let whole =
                module.split('.').next().filter(|first| family == "python" && *first == local);
            let files = modules::files(&self.library.files, family, file, whole.unwrap_or(module));
            if family == "java" {
                let name = module.rsplit('.').next().unwrap_or(module);
                let places = self.top_level_of(&files, name);
                return if files.is_empty() {
                    Meaning::External
                } else {
                    Meaning::of(places, Resolution::Import)
                };
            }
            return as_module(files);
        };
        let files = modules::files(&self.library.files, family, file, module);
        let found = self.exported(&files, name, depth);
        if found != Meaning::Unknown {
            return found;
        }
        // A module of a package can be imported like a name of it.
        let separator = if family == "rust" { "::" } else { "." };
        let separator = if module.ends_with('.') { "" } else { separator };
        let inner = format!("{module}{separator}{name}");
        let inner = modules::files(&self.library.files, family, file, &inner);
        if family == "rust" {
            let is_same = inner == files;
            if !is_same {
                return as_module(inner);
            }
        } else if !inner.is_empty() {
            return as_module(inner);
        }
        if files.is_empty() { Meaning::External } else { Meaning::Unknown }
    }

    /// What a name means at the top level of some files, re-exports included.
    fn exported(&mut self, files: &[String], name: &str, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        for file in files {
            let Some(symbols) = self.symbols(file) else { continue };
            let found = top_level(&symbols, name);
            // The last definition counts, as where a module runs from top to bottom.
            if let Some((number, definition)) = found.last().copied() {
                if definition.kind() == "import" {
                    return self.follow(file, &symbols, number, depth);
                }
                return Meaning::one(file, number, Resolution::Import);
            }
            let found = self.seen_from(file, &symbols, name, depth);
            if let Meaning::Known(places, _) = found {
                return Meaning::Known(places, Resolution::Import);
            }
        }
        Meaning::Unknown
    }

    /// The definitions of a name at the top level of some files.
    fn top_level_of(&mut self, files: &[String], name: &str) -> Vec<Place> {
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

    /// What a name behind a dot means.
    fn member(&mut self, file: &str, symbols: &Symbols, one: &Occurrence, depth: usize) -> Meaning {
        let Some(receiver) = one.receiver else { return Meaning::Unknown };
        let name = symbols.name(one);
        match self.value(file, receiver, depth) {
            Meaning::External => Meaning::External,
            Meaning::Known(places, _) => self.members(&places, name, depth),
            Meaning::Unknown => Meaning::Unknown,
        }
    }

    /// The class or module whose names a value has.
    fn value(&mut self, file: &str, at: u32, depth: usize) -> Meaning {
        let Some((symbols, one)) = self.occurrence(file, at) else { return Meaning::Unknown };
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        if is_object(self.family(file), &symbols, &one) {
            return match enclosing_class(&symbols, one.start) {
                Some(class) => Meaning::one(file, class, Resolution::Member),
                None => Meaning::Unknown,
            };
        }
        let (places, how) = match self.resolve(file, at, depth) {
            Meaning::Known(places, how) => (places, how),
            Meaning::Unknown if self.family(file) == "go" => {
                return self.package(file, &symbols, symbols.name(&one));
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
            if CLASSES.contains(&definition.kind()) {
                values.push(place);
            } else if definition.kind() == "module" {
                values.extend(self.inner_module(&place.file, &symbols, &definition));
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

    /// The package that a name stands for by the end of its path.
    fn package(&self, file: &str, symbols: &Symbols, name: &str) -> Meaning {
        let ends = |module: &&str| module.rsplit('/').next() == Some(name);
        let mut modules = symbols.imports.iter().map(|import| symbols.text(import.module));
        match modules.find(ends) {
            Some(module) => {
                as_module(modules::files(&self.library.files, self.family(file), file, module))
            }
            None => Meaning::Unknown,
        }
    }

    /// The file of a module that is only declared.
    fn inner_module(&self, file: &str, symbols: &Symbols, definition: &Definition) -> Vec<Place> {
        let module = format!("self::{}", symbols.defined(definition));
        let found = modules::files(&self.library.files, self.family(file), file, &module);
        found.into_iter().map(|file| Place { file, definition: None }).collect()
    }

    /// The members of a name that classes or modules have.
    fn members(&mut self, places: &[Place], name: &str, depth: usize) -> Meaning {
        let mut open: Vec<Place> = places.to_vec();
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
                let rest = open.is_empty();
                if found != Meaning::Unknown || rest {
                    return found;
                }
                continue;
            };
            let Some(symbols) = self.symbols(&place.file) else { continue };
            let own = own_members(&symbols, class, name);
            if !own.is_empty() {
                let place = |number| Place { file: place.file.clone(), definition: Some(number) };
                return Meaning::Known(own.into_iter().map(place).collect(), Resolution::Member);
            }
            let owner = symbols.definition(class).map_or("", |found| symbols.defined(found));
            let extended = self.extensions(&place.file, owner, name);
            if !extended.is_empty() {
                return Meaning::Known(extended, Resolution::Member);
            }
            for (_, base) in symbols.bases.iter().filter(|(of, _)| *of == class) {
                match self.value(&place.file, *base, depth) {
                    Meaning::Known(places, _) => open.extend(places),
                    Meaning::External => is_external = true,
                    Meaning::Unknown => {}
                }
            }
        }
        if is_external { Meaning::External } else { Meaning::Unknown }
    }

    /// The module of a name in the package that a file stands for.
    fn submodule(&self, file: &str, name: &str) -> Meaning {
        if !file.ends_with("/__init__.py") {
            return Meaning::Unknown;
        }
        let found = modules::files(&self.library.files, "python", file, &format!(".{name}"));
        if found.is_empty() { Meaning::Unknown } else { as_module(found) }
    }

    /// Members that are written apart from their class, anywhere in the root.
    fn extensions(&mut self, file: &str, owner: &str, name: &str) -> Vec<Place> {
        let family = self.family(file);
        if !matches!(family, "c" | "go" | "rust") {
            return Vec::new();
        }
        let mut places = Vec::new();
        for other in self.with_name(name).iter() {
            let is_near = family != "go" || modules::folder(other) == modules::folder(file);
            let Some(symbols) =
                self.symbols(other).filter(|_| is_near && self.family(other) == family)
            else {
                continue;
            };
            for (number, definition) in symbols.definitions.iter().enumerate() {
                let of = match family {
                    "c" | "go" => definition.typed_by.filter(|_| definition.kind() == "method"),
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

    /// All definitions of a name in a family that other files can see, the nearest first.
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

    fn occurrence(&mut self, file: &str, at: u32) -> Option<(Arc<Symbols>, Occurrence)> {
        let symbols = self.symbols(file)?;
        let one = *symbols.occurrence(at)?;
        Some((symbols, one))
    }
}

/// Files as a module; one that has none is from outside.
fn as_module(files: Vec<String>) -> Meaning {
    if files.is_empty() {
        return Meaning::External;
    }
    let place = |file| Place { file, definition: None };
    Meaning::Known(files.into_iter().map(place).collect(), Resolution::Import)
}

/// Whether a name stands for the object of the method around it.
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

/// The class around a byte.
fn enclosing_class(symbols: &Symbols, byte: u32) -> Option<u32> {
    let around = symbols.definitions.iter().enumerate().filter(|(_, definition)| {
        CLASSES.contains(&definition.kind()) && definition.start <= byte && byte < definition.end
    });
    around.min_by_key(|(_, definition)| definition.end - definition.start).map(|(at, _)| at as u32)
}

/// The definitions of a name that the whole file sees, imports included.
fn top_level<'a>(symbols: &'a Symbols, name: &str) -> Vec<(u32, &'a Definition)> {
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

/// Whether a definition belongs to a class.
pub fn is_member(symbols: &Symbols, definition: &Definition) -> bool {
    matches!(definition.kind(), "field" | "member" | "property" | "method" | "constructor")
        || definition
            .parent
            .and_then(|parent| symbols.definition(parent))
            .is_some_and(|parent| CLASSES.contains(&parent.kind()))
}

/// The members of a name that stand within a class.
fn own_members(symbols: &Symbols, class: u32, name: &str) -> Vec<u32> {
    let of_class = |definition: &Definition| {
        let mut parent = definition.parent;
        // What a method gives its object belongs to the class around the method.
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
    // A method before what is assigned, and of assignments only the first.
    found.sort_by_key(|at| symbols.definition(*at).is_some_and(|found| found.kind() == "member"));
    let assigned = |at: &u32| symbols.definition(*at).is_some_and(|found| found.kind() == "member");
    let first = found.iter().position(assigned);
    if let Some(first) = first {
        found.truncate(first + 1);
    }
    found
}
