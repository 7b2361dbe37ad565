//! Python's modules: their own names, and those of a package.

use super::{
    library::Files,
    meaning::{Meaning, as_module},
    modules,
};

/// Names that every module of Python has for itself.
pub const OF_MODULE: [&str; 6] =
    ["__doc__", "__file__", "__name__", "__package__", "__path__", "__spec__"];

impl Files<'_> {
    /// The module called `name` in the package of a file.
    pub fn submodule(&self, file: &str, name: &str) -> Meaning {
        if !file.ends_with("/__init__.py") {
            return Meaning::Unknown;
        }
        let found = modules::files(self.library, "python", file, &format!(".{name}"));
        if found.is_empty() { Meaning::Unknown } else { as_module(found) }
    }
}
