//! Go's packages, by the names that their files give them.

use super::{
    library::Files,
    meaning::{Meaning, as_module},
    modules,
};
use crate::symbols::Symbols;

impl Files<'_> {
    /// The Go package that a name refers to.
    pub fn package(&mut self, file: &str, symbols: &Symbols, name: &str) -> Meaning {
        for import in &symbols.imports {
            let module = symbols.text(import.module);
            let files = self.module(file, module);
            // The test files of a folder may belong to a package of their own.
            let own = files.iter().find(|file| !file.ends_with("_test.go")).or(files.first());
            let declared = own.and_then(|own| self.symbols(own));
            let is_named = match declared.as_deref().and_then(clause) {
                Some(package) => package == name,
                None => modules::package_name(module) == name,
            };
            if is_named {
                return as_module(files.to_vec());
            }
        }
        Meaning::Unknown
    }
}

/// The package named in the package clause of a Go file. Only comments may stand before the clause.
fn clause(symbols: &Symbols) -> Option<&str> {
    symbols.occurrences.first().map(|first| symbols.name(first))
}
