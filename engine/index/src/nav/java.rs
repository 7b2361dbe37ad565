//! Java's packages and types: what an import leads to, and what a file sees without one.

use super::{answer::Resolution, library::Files, meaning::Meaning, modules};
use crate::symbols::Symbols;

impl Files<'_> {
    /// The type, or the static member, that a path leads to. Of a path without a file, the part
    /// before the last dot is a type that has it as a member.
    pub fn java_path(&mut self, file: &str, path: &str, depth: usize) -> Meaning {
        let Some(depth) = depth.checked_sub(1) else { return Meaning::Unknown };
        let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
        let files = self.module(file, path);
        if !files.is_empty() {
            let places = self.top_level_of(&files, name);
            return Meaning::of(places, Resolution::Import);
        }
        // Packages have lower case by convention, and a package has no members.
        if !outer.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase)) {
            return Meaning::External;
        }
        match self.java_path(file, outer, depth) {
            Meaning::Known(places, _) => match self.members(&places, name, depth) {
                Meaning::Known(places, _) => Meaning::Known(places, Resolution::Import),
                other => other,
            },
            other => other,
        }
    }

    /// What a name means that all files of a package see, or that an import of all names brings.
    pub fn java_seen(
        &mut self,
        file: &str,
        symbols: &Symbols,
        name: &str,
        depth: usize,
    ) -> Meaning {
        let beside = modules::in_folder(&self.library.files, modules::folder(file), ".java");
        let places = self.top_level_of(&beside, name);
        if !places.is_empty() {
            return Meaning::Known(places, Resolution::Scope);
        }
        let package =
            package(symbols).map(|package| (format!("{package}.{name}"), Resolution::Scope));
        let wildcards = symbols.imports.iter().filter(|import| import.definition.is_none());
        let paths = wildcards
            .map(|import| (format!("{}.{name}", symbols.text(import.module)), Resolution::Import));
        for (path, how) in package.into_iter().chain(paths) {
            if let Meaning::Known(places, _) = self.java_path(file, &path, depth) {
                return Meaning::Known(places, how);
            }
        }
        Meaning::Unknown
    }
}

/// The package that a file says it belongs to: the first path in it.
fn package(symbols: &Symbols) -> Option<&str> {
    let mut found: Option<&str> = None;
    for (_, path) in &symbols.modules {
        let path = symbols.text(*path);
        if found.is_some_and(|before| !path.starts_with(before)) {
            break;
        }
        found = Some(path);
    }
    found
}
