//! What a name means: by the scopes of its file, by imports, or as a member (`member.rs`).

use std::sync::Arc;

use super::{
    answer::Resolution,
    library::Files,
    meaning::{Meaning, Place, as_module},
    modules,
    namesakes::{merged, top_level},
    python::OF_MODULE,
};
use crate::symbols::{DEFAULT, Occurrence, Role, Symbols, can_mean};

/// Maximum number of steps from one file to the next, or from a value to its type.
pub const DEEPEST: usize = 12;
/// Most names that are resolved for the meaning of one: each step may ask about several others.
const MOST_STEPS: usize = 2_000;
/// Families in which a file sees names of other files without importing each of them.
const OPEN: [&str; 2] = ["c", "go"];
/// Families whose scopes are known.
pub const SCOPED: [&str; 6] = ["c", "ecmascript", "go", "java", "python", "rust"];

impl Files<'_> {
    /// What an occurrence means, leaving out definitions that only have the same name.
    pub fn meaning(&mut self, file: &str, at: u32) -> Meaning {
        self.in_vain.clear();
        self.steps = 0;
        let found = self.resolve(file, at, DEEPEST);
        let Some((symbols, one)) = self.occurrence(file, at) else { return found };
        if one.role == Role::Definition
            && let Some(bound) = one.bound
        {
            let earlier = self.named_before(file, &symbols, bound);
            if matches!(earlier, Meaning::Known(..)) {
                return earlier;
            }
        }
        match (self.family(file), found) {
            ("c" | "java", Meaning::Known(places, how)) => {
                Meaning::Known(self.by_arguments(file, &one, places), how)
            }
            // The length of an array.
            ("java", Meaning::Unknown)
                if one.is_member && one.role != Role::Call && symbols.name(&one) == "length" =>
            {
                Meaning::External
            }
            (_, found) => found,
        }
    }

    /// As [`Files::meaning`], within at most `depth` steps.
    pub fn resolve(&mut self, file: &str, at: u32, depth: usize) -> Meaning {
        let Some((symbols, one)) = self.occurrence(file, at) else { return Meaning::Unknown };
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Meaning::Unknown;
        }
        if let Some(bound) = one.bound {
            let Some(definition) = symbols.definition(bound) else { return Meaning::Unknown };
            return match definition.kind() {
                "import" => self.follow(file, &symbols, bound, depth),
                "export" => self.stood_for(file, &symbols, bound, depth),
                // Each overload is a definition of its own.
                _ if one.role == Role::Definition && self.family(file) == "java" => {
                    Meaning::one(file, bound, Resolution::Scope)
                }
                "constructor" | "method" if self.family(file) == "c" => {
                    self.redeclared(file, &symbols, bound, depth)
                }
                _ => self.declared(file, &symbols, bound, Resolution::Scope),
            };
        }
        if one.role == Role::Import
            && let Some(definition) = symbols.imported_at(&one)
        {
            return self.follow(file, &symbols, definition, depth);
        }
        if self.family(file) == "rust" && symbols.name(&one) == "Self" {
            return self.own_type(file, &symbols, one.start, depth);
        }
        if self.family(file) == "python"
            && OF_MODULE.contains(&symbols.name(&one))
            && !one.is_member
        {
            let module = Place { file: file.to_owned(), definition: None };
            return Meaning::Known(vec![module], Resolution::Scope);
        }
        if self.family(file) == "python"
            && let Some(module) = symbols.module_at(at)
        {
            return as_module(self.module(file, module).to_vec());
        }
        if one.is_argument {
            return self.argument(file, &symbols, &one, depth);
        }
        if one.is_member {
            return self.member(file, &symbols, &one, depth);
        }
        let name = symbols.name(&one).to_owned();
        let own = self.implied(file, &symbols, &one, depth);
        if matches!(own, Meaning::Known(..)) {
            return own;
        }
        let found = self.seen_from(file, &symbols, &name, depth);
        if found != Meaning::Unknown || !SCOPED.contains(&self.family(file)) {
            return found;
        }
        if self.family(file) == "rust" {
            return self.rust_outside(file, &symbols, &name, depth);
        }
        if self.family(file) == "go" {
            let package = self.package(file, &symbols, &name);
            if package != Meaning::Unknown {
                return package;
            }
        }
        if OPEN.contains(&self.family(file)) {
            let same = self.by_name(file, &name, None);
            let is_type = one.role == Role::Type;
            let mut meant = same.iter().filter(|at| !is_type || can_mean(one.role, self.kind(at)));
            if meant.next().is_none() {
                return Meaning::External;
            }
        }
        let has_wildcard = symbols.imports.iter().any(|import| import.definition.is_none());
        let is_java = self.family(file) == "java";
        let is_open = OPEN.contains(&self.family(file)) || has_wildcard && !is_java;
        if is_open { Meaning::Unknown } else { Meaning::External }
    }

    /// A definition, together with those that declare the same thing.
    fn declared(&self, file: &str, symbols: &Symbols, number: u32, how: Resolution) -> Meaning {
        if !matches!(self.family(file), "c" | "ecmascript" | "java") {
            return Meaning::one(file, number, how);
        }
        let place = |number| Place { file: file.to_owned(), definition: Some(number) };
        Meaning::Known(merged(symbols, number).into_iter().map(place).collect(), how)
    }

    /// What a name means that this file neither defines nor imports by name.
    fn seen_from(&mut self, file: &str, symbols: &Symbols, name: &str, depth: usize) -> Meaning {
        let family = self.family(file);
        let package: Vec<String> = match family {
            "go" => modules::in_folder(&self.library.files, modules::folder(file), ".go"),
            "java" => return self.java_seen(file, symbols, name, depth),
            _ => Vec::new(),
        };
        let places = self.top_level_of(&package, name);
        if !places.is_empty() {
            return Meaning::Known(places, Resolution::Scope);
        }
        // In Go, an import without a name makes a package available, not the names in it.
        let wildcards: Vec<String> = symbols
            .imports
            .iter()
            .filter(|import| import.definition.is_none() && family != "go")
            .map(|import| symbols.text(import.module).to_owned())
            .collect();
        for module in wildcards {
            if family == "rust" {
                let found = self.in_path((file, 0), &module, name, depth);
                if matches!(found, Meaning::Known(..)) {
                    return found;
                }
                continue;
            }
            let files = self.module(file, &module);
            let found = self.exported(&files, name, depth);
            if found != Meaning::Unknown {
                return found;
            }
        }
        Meaning::Unknown
    }

    /// What an import refers to.
    pub fn follow(&mut self, file: &str, symbols: &Symbols, bound: u32, depth: usize) -> Meaning {
        let Some(import) = symbols.import_of(bound).copied() else { return Meaning::Unknown };
        let family = self.family(file);
        let module = symbols.text(import.module);
        let local = symbols.definition(bound).map_or("", |found| symbols.defined(found));
        if family == "rust" {
            let at = symbols.definition(bound).map_or(0, |found| found.start);
            return match import.name.map(|name| symbols.text(name)) {
                Some(name) => self.in_path((file, at), module, name, depth),
                None => self.rust_path(file, at, module, depth),
            };
        }
        if family == "java" {
            return self.java_path(file, module, depth);
        }
        let Some(name) = import.name.map(|name| symbols.text(name)) else {
            // `import a.b` binds `a`.
            let whole =
                module.split('.').next().filter(|first| family == "python" && *first == local);
            let files = self.module(file, whole.unwrap_or(module));
            return self.whole(files.to_vec(), depth);
        };
        let files = self.module(file, module);
        let found = self.exported(&files, name, depth);
        if found != Meaning::Unknown {
            return found;
        }
        if family == "ecmascript" && name == DEFAULT {
            return self.whole(files.to_vec(), depth);
        }
        // A module of a package can be imported in the same way as a name in it.
        let separator = if module.ends_with('.') { "" } else { "." };
        let inner = format!("{module}{separator}{name}");
        let inner = self.module(file, &inner);
        if !inner.is_empty() {
            return as_module(inner.to_vec());
        }
        if files.is_empty() { Meaning::External } else { Meaning::Unknown }
    }

    /// What a name means at the top level of these files, re-exports included.
    pub fn exported(&mut self, files: &[String], name: &str, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        for file in files {
            let Some(symbols) = self.symbols(file) else { continue };
            let found = top_level(&symbols, name);
            // The last definition counts, as in a module that runs from top to bottom. In C, one of
            // several is chosen by conditions.
            let is_c = self.family(file) == "c";
            let one = if is_c { found.first() } else { found.last() };
            if let Some((number, definition)) = one.copied() {
                return match definition.kind() {
                    "import" => self.follow(file, &symbols, number, depth),
                    "export" => match self.stood_for(file, &symbols, number, depth) {
                        Meaning::Known(places, _) => Meaning::Known(places, Resolution::Import),
                        other => other,
                    },
                    _ => self.declared(file, &symbols, number, Resolution::Import),
                };
            }
            // Files that include each other can be reached in very many ways.
            let search = (file.clone(), name.to_owned());
            if self.in_vain.get(&search).is_some_and(|steps| *steps >= depth) {
                continue;
            }
            self.in_vain.insert(search.clone(), depth);
            let found = self.seen_from(file, &symbols, name, depth);
            if let Meaning::Known(places, _) = found {
                self.in_vain.remove(&search);
                return Meaning::Known(places, Resolution::Import);
            }
        }
        Meaning::Unknown
    }

    /// An occurrence, together with the symbols of its file.
    pub fn occurrence(&mut self, file: &str, at: u32) -> Option<(Arc<Symbols>, Occurrence)> {
        let symbols = self.symbols(file)?;
        let one = *symbols.occurrence(at)?;
        Some((symbols, one))
    }
}
