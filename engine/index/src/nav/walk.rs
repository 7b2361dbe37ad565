//! All files of a root with what their names mean: what exports and graphs are made of.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{
    NavError, Navigator,
    answer::Freshness,
    described::Described,
    library::Files,
    meaning::{Meaning, Place},
    show,
};
use crate::symbols::{self, Symbols};

/// The files of one root as they are now. What was read of a file is kept until the walk ends.
#[derive(Debug)]
pub struct Walk<'a> {
    files: Files<'a>,
    freshness: Freshness,
    parse_timeout: Duration,
}

impl Navigator {
    /// Brings the index up to date, and hands over all files.
    ///
    /// # Errors
    /// [`NavError::Root`]: the root or the store cannot be read.
    pub fn walk<T>(&mut self, visit: impl FnOnce(&mut Walk) -> T) -> Result<T, NavError> {
        self.with_files(|settings, files, freshness| {
            let parse_timeout = Duration::from_millis(settings.parse_timeout_ms);
            visit(&mut Walk { files, freshness, parse_timeout })
        })
    }
}

impl Walk<'_> {
    /// The paths of all files relative to the root, sorted.
    pub fn files(&self) -> Vec<String> {
        self.files.library.files.keys().cloned().collect()
    }

    /// How fresh the files are.
    pub const fn freshness(&self) -> Freshness {
        self.freshness
    }

    /// The key of a file's language.
    pub fn language(&self, file: &str) -> Option<&'static str> {
        self.files.language(file).map(|language| language.key)
    }

    /// The text of a file, if it has not changed since the walk began.
    pub fn text(&mut self, file: &str) -> Option<Arc<str>> {
        self.files.text(file)
    }

    /// The identifiers and definitions of a file.
    pub fn symbols(&mut self, file: &str) -> Option<Arc<Symbols>> {
        self.files.symbols(file)
    }

    /// What an occurrence means, by its position in [`Symbols::occurrences`]. Names are never only
    /// compared.
    pub fn meaning(&mut self, file: &str, at: u32) -> Meaning {
        self.files.meaning(file, at)
    }

    /// The definitions that have the name of an occurrence, the nearest first, where nothing tells
    /// which of them it means.
    pub fn namesakes(&mut self, file: &str, at: u32) -> Vec<Place> {
        self.files.namesakes(file, at)
    }

    /// The files that contain an identifier, sorted.
    pub fn with_name(&mut self, name: &str) -> Arc<[String]> {
        self.files.with_name(name)
    }

    /// The definitions of a name that other files can see, in the order of the files.
    pub fn definitions(&mut self, name: &str) -> Arc<[Place]> {
        self.files.definitions(name)
    }

    /// The family of a file's language: files of one family can use each other's names.
    pub fn family(&self, file: &str) -> &'static str {
        self.files.family(file)
    }

    /// The kind of a definition as answers show it, such as `method`.
    pub fn kind(&mut self, file: &str, definition: u32) -> Option<&'static str> {
        let symbols = self.files.symbols(file)?;
        symbols.definition(definition).map(|found| show::kind(&symbols, found))
    }

    /// What stands at the definitions of a file, by their positions. Parses the file once. Empty if
    /// it has changed, or takes too long to parse.
    pub fn described(&mut self, file: &str, wanted: &[u32]) -> BTreeMap<u32, Described> {
        let (Some(text), Some(language)) = (self.files.text(file), self.files.language(file))
        else {
            return BTreeMap::new();
        };
        let tree = symbols::tree(language, &text, self.parse_timeout);
        let (Ok(tree), Some(symbols)) = (tree, self.files.symbols(file)) else {
            return BTreeMap::new();
        };
        let describe = |number: &u32| {
            Some((*number, Described::of(&tree, &text, symbols.definition(*number)?)?))
        };
        wanted.iter().filter_map(describe).collect()
    }
}
