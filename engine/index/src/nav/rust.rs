//! Rust's modules: where a path leads, and which file a module is.

use super::{
    answer::Resolution,
    classes::enclosing_class,
    library::Files,
    meaning::{Meaning, Place},
    modules::{below, folder},
    resolve::DEEPEST,
};
use crate::symbols::{Definition, Symbols};

/// Names of files whose modules lie beside them; those of other files lie in a folder of their name.
const OWNERS: [&str; 3] = ["mod.rs", "lib.rs", "main.rs"];

/// The macros of Rust's standard library whose names others are likely to use.
const STANDARD: [&str; 16] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "concat",
    "dbg",
    "debug_assert",
    "eprintln",
    "format",
    "matches",
    "panic",
    "println",
    "todo",
    "vec",
    "write",
    "writeln",
];

impl Files<'_> {
    /// Where a path leads that is written in a file, in the module around a byte.
    pub fn rust_path(&mut self, file: &str, byte: u32, path: &str, depth: usize) -> Meaning {
        let mut parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
        let Some(first) = parts.next() else { return Meaning::Unknown };
        let mut here = self.module_around(file, byte);
        let mut found = match first {
            "crate" | "$crate" => Meaning::Known(vec![self.crate_root(file)], Resolution::Import),
            "self" => Meaning::Known(vec![here], Resolution::Import),
            "super" => self.parent_module(&here),
            name => {
                let mut found = self.module_or_member(&[here.clone()], name, depth);
                // The names of a file are seen in the modules that are written out in it.
                while found == Meaning::Unknown && here.definition.is_some() {
                    here = self.outer(&here);
                    found = self.module_or_member(&[here.clone()], name, depth);
                }
                if found == Meaning::Unknown { self.other_crate(name) } else { found }
            }
        };
        for part in parts {
            let Meaning::Known(places, _) = found else { return found };
            let places = self.opened(places);
            found = match part {
                "super" => places.first().map_or(Meaning::Unknown, |at| self.parent_module(at)),
                name => self.module_or_member(&places, name, depth),
            };
        }
        match found {
            Meaning::Known(places, how) => Meaning::Known(self.opened(places), how),
            other => other,
        }
    }

    /// A module that is declared in these modules, or else what their members of this name mean: a
    /// module and a function may have one name, and a path goes on from the module.
    fn module_or_member(&mut self, places: &[Place], name: &str, depth: usize) -> Meaning {
        for place in places {
            let Some(symbols) = self.symbols(&place.file) else { continue };
            let is_it = |one: &Definition| one.kind() == "module" && one.parent == place.definition;
            let found = symbols.named(name).find(|(_, one)| is_it(one)).map(|(number, _)| number);
            if let Some(number) = found {
                return Meaning::one(&place.file, number, Resolution::Import);
            }
        }
        self.members(places, name, depth)
    }

    /// What a name means in the module, or in the type, that a path leads to.
    pub fn in_path(&mut self, at: (&str, u32), path: &str, name: &str, depth: usize) -> Meaning {
        match self.rust_path(at.0, at.1, path, depth) {
            Meaning::Known(places, _) => match self.members(&places, name, depth) {
                Meaning::Known(places, _) => Meaning::Known(places, Resolution::Import),
                other => other,
            },
            other => other,
        }
    }

    /// What a name means that its file neither defines nor imports: another crate or a macro of the
    /// root. All names of a module that is imported whole are known, so any other is from outside.
    pub fn rust_outside(
        &mut self,
        file: &str,
        symbols: &Symbols,
        name: &str,
        depth: usize,
    ) -> Meaning {
        let found = self.macros(name);
        if found != Meaning::Unknown {
            return found;
        }
        let found = self.other_crate(name);
        if found != Meaning::External {
            return found;
        }
        let mut wildcards = symbols.imports.iter().filter(|import| import.definition.is_none());
        let is_unsure = wildcards.any(|import| {
            self.rust_path(file, 0, symbols.text(import.module), depth) == Meaning::Unknown
        });
        if is_unsure { Meaning::Unknown } else { Meaning::External }
    }

    /// What `crate`, `super` or `self` before `::` means.
    pub fn module_word(&mut self, file: &str, byte: u32, word: &str) -> Meaning {
        match word {
            "crate" | "super" => self.rust_path(file, byte, word, DEEPEST),
            _ => Meaning::Known(vec![self.module_around(file, byte)], Resolution::Import),
        }
    }

    /// Modules without a body replaced by their files.
    pub fn opened(&mut self, places: Vec<Place>) -> Vec<Place> {
        places.into_iter().map(|place| self.opened_one(&place).unwrap_or(place)).collect()
    }

    fn opened_one(&mut self, place: &Place) -> Option<Place> {
        let symbols = self.symbols(&place.file)?;
        let module = symbols.definition(place.definition?).filter(|one| one.kind() == "module")?;
        let file = self.child_module(&place.file, symbols.defined(module))?;
        Some(Place { file, definition: None })
    }

    /// The file of a module that is declared in a file without a body.
    pub fn child_module(&self, file: &str, name: &str) -> Option<String> {
        let stem = file.strip_suffix(".rs")?;
        let own = [folder(file), stem];
        // A file at the root of a crate may have any name; its modules lie beside it.
        let folders = if is_owner(file) { [own[0], own[0]] } else { [own[1], own[0]] };
        let ends = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let mut all = folders.into_iter().flat_map(|at| ends.iter().map(move |end| below(at, end)));
        all.find(|path| path != file && self.library.files.contains_key(path))
    }

    /// The module around a byte: one that is written out in the file, or the file.
    fn module_around(&mut self, file: &str, byte: u32) -> Place {
        let symbols = self.symbols(file);
        let definition = symbols.and_then(|symbols| written_out(&symbols, byte, None));
        Place { file: file.to_owned(), definition }
    }

    /// The module in whose file another one is written out.
    fn outer(&mut self, place: &Place) -> Place {
        let symbols = self.symbols(&place.file);
        let outer = symbols.and_then(|symbols| {
            let inner = symbols.definition(place.definition?)?;
            written_out(&symbols, inner.start, Some(inner))
        });
        Place { file: place.file.clone(), definition: outer }
    }

    fn parent_module(&mut self, place: &Place) -> Meaning {
        if place.definition.is_some() {
            return Meaning::Known(vec![self.outer(place)], Resolution::Import);
        }
        match self.parent_file(&place.file) {
            Some(file) => {
                Meaning::Known(vec![Place { file, definition: None }], Resolution::Import)
            }
            None => Meaning::Unknown,
        }
    }

    /// The file that declares the module that another file is; `None` at the root of a crate.
    fn parent_file(&mut self, file: &str) -> Option<String> {
        let name = file.rsplit('/').next().unwrap_or(file);
        if matches!(name, "lib.rs" | "main.rs") {
            return None;
        }
        let (at, module) = if name == "mod.rs" {
            let own = folder(file);
            (folder(own), own.rsplit('/').next().unwrap_or(own))
        } else {
            (folder(file), name.strip_suffix(".rs")?)
        };
        let mut candidates: Vec<String> = OWNERS.iter().map(|owner| below(at, owner)).collect();
        candidates.push(format!("{at}.rs"));
        candidates.extend(super::modules::in_folder(&self.library.files, at, ".rs"));
        candidates.retain(|other| other != file && self.library.files.contains_key(other));
        candidates.into_iter().find(|other| {
            self.symbols(other)
                .is_some_and(|symbols| symbols.named(module).any(|(_, one)| one.kind() == "module"))
        })
    }

    /// The file at the root of the crate of a file.
    fn crate_root(&mut self, file: &str) -> Place {
        let mut file = file.to_owned();
        // Files of a broken repository may declare each other.
        for _ in 0..DEEPEST {
            match self.parent_file(&file) {
                Some(parent) => file = parent,
                None => break,
            }
        }
        Place { file, definition: None }
    }

    /// Another crate of the root, by its name.
    fn other_crate(&self, name: &str) -> Meaning {
        match self.library.crates.get(name) {
            Some(file) if self.library.files.contains_key(file) => {
                let place = Place { file: file.clone(), definition: None };
                Meaning::Known(vec![place], Resolution::Import)
            }
            _ => Meaning::External,
        }
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

    /// The methods of a name that types of Rust are given apart from their fields.
    pub fn methods(&mut self, types: &[Place], name: &str, depth: usize) -> Meaning {
        let mut found = Vec::new();
        for place in types {
            let Some(symbols) = self.symbols(&place.file) else { continue };
            let owner = place.definition.and_then(|number| symbols.definition(number));
            let owner = owner.map_or("", |owner| symbols.defined(owner));
            found.extend(self.extensions(place, owner, name, depth));
        }
        Meaning::of(found, Resolution::Member)
    }

    /// The traits whose methods a type of Rust has.
    pub fn traits(&mut self, class: &Place, owner: &str, depth: usize) -> Vec<Place> {
        let mut found = Vec::new();
        for file in self.with_name(owner).iter().filter(|file| file.ends_with(".rs")) {
            let Some(symbols) = self.symbols(file) else { continue };
            for (number, base) in &symbols.bases {
                let extension = symbols
                    .definition(*number)
                    .filter(|one| one.kind() == "extension" && symbols.defined(one) == owner);
                let Some(extension) = extension else { continue };
                if self.may_be(file, extension.occurrence, class, depth)
                    && let Meaning::Known(places, _) = self.value(file, *base, depth)
                {
                    found.extend(places);
                }
            }
        }
        found
    }

    /// Whether the type that an occurrence names may be this one: types of several modules may have
    /// one name.
    pub fn may_be(&mut self, file: &str, at: u32, class: &Place, depth: usize) -> bool {
        match self.resolve(file, at, depth) {
            Meaning::Known(places, _) => {
                places.contains(class) || places.iter().any(|place| self.kind(place) == "type")
            }
            _ => true,
        }
    }

    /// The macros of a name in the root: they are seen in the files after their definition. A name of
    /// the standard library's means that one, unless the same file defines it.
    pub fn macros(&mut self, name: &str) -> Meaning {
        let mut places = Vec::new();
        if STANDARD.contains(&name) {
            return Meaning::Unknown;
        }
        for place in self.definitions(name).iter().filter(|place| place.file.ends_with(".rs")) {
            if self.kind(place) == "macro" {
                places.push(place.clone());
            }
        }
        Meaning::of(places, Resolution::Import)
    }
}

/// Whether the modules of a file lie beside it by its name.
fn is_owner(file: &str) -> bool {
    OWNERS.contains(&file.rsplit('/').next().unwrap_or(file))
}

/// The innermost module around a byte that is written out in the file and is not `inner`.
fn written_out(symbols: &Symbols, byte: u32, inner: Option<&Definition>) -> Option<u32> {
    let all = symbols.definitions.iter().enumerate();
    let around = all.filter(|(_, one)| {
        one.kind() == "module" && one.start <= byte && byte < one.end && inner != Some(one)
    });
    around.min_by_key(|(_, one)| one.end - one.start).map(|(number, _)| number as u32)
}
