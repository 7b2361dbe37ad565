//! The languages of the code family, generated from the part `[explorer]` of each
//! `queries/<key>/language.toml`.

use super::walk::Visitor;

/// A language.
#[derive(Debug)]
pub struct Language {
    /// Its key: the name of its folder in `queries/`.
    pub key: &'static str,
    /// Its name as people write it.
    pub title: &'static str,
    /// The key of its grammar.
    pub grammar: &'static str,
    /// Creates the visitor of one file.
    pub visitor: fn() -> Box<dyn Visitor>,
}

/// The language with a key; `None` if there is none.
pub fn language(key: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.key == key)
}

const fn row(
    key: &'static str,
    title: &'static str,
    grammar: &'static str,
    visitor: fn() -> Box<dyn Visitor>,
) -> Language {
    Language { key, title, grammar, visitor }
}

/// The languages, sorted by key.
static LANGUAGES: &[Language] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));
