//! The registry of languages, read from the embedded `queries/languages.json`.

use std::{collections::BTreeMap, sync::LazyLock};

use base::{profile::Profile, text::paths};
use serde::Deserialize;

use super::query::{QueryCell, QueryError, TagQuery, manifest_text};

/// One language of the manifest.
#[derive(Debug, Deserialize)]
pub struct Language {
    /// The language key, such as `python`.
    pub key: String,
    /// File name of its query in `queries/`.
    pub query_file: String,
    /// Key of its grammar in the `grammars` crate.
    pub grammar: String,
    /// Extensions with their dot, case-sensitive.
    pub extensions: Vec<String>,
    /// Whole file names, which are looked at before extensions.
    pub file_names: Vec<String>,
    /// `parity` if the pinned comparator runs it, else `enhancement`.
    pub profile: Profile,
    #[serde(skip)]
    compiled: QueryCell,
}

impl Language {
    /// The compiled tag query; compiled once, on first use, by whichever thread comes first.
    pub fn tag_query(&self) -> Result<&TagQuery, QueryError> {
        self.compiled.get(self)
    }
}

/// What a file name says about its language.
#[derive(Debug, Clone, Copy)]
pub enum Detected {
    /// A language with a tag query.
    Tagged(&'static Language),
    /// Anything else: such a file yields no tags.
    Untagged,
}

/// The manifest with its look-up tables.
#[derive(Debug)]
pub struct Registry {
    languages: Vec<Language>,
    by_name: BTreeMap<String, Option<usize>>,
    by_extension: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct Manifest {
    languages: Vec<Language>,
    /// File names that the comparator maps to a language without a query: they yield no tags
    /// whatever their extension says.
    shadowed_file_names: Vec<String>,
}

/// The registry that is compiled into this binary.
///
/// # Panics
/// Never in a released binary: the manifest is embedded, and a test loads it.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        #[expect(clippy::expect_used, reason = "the manifest is embedded and loaded by a test")]
        Registry::parse(manifest_text()).expect("the embedded language manifest is valid")
    });
    &REGISTRY
}

impl Registry {
    fn parse(json: &str) -> serde_json::Result<Self> {
        let manifest: Manifest = serde_json::from_str(json)?;
        let mut by_name: BTreeMap<_, _> =
            manifest.shadowed_file_names.into_iter().map(|name| (name, None)).collect();
        let mut by_extension = BTreeMap::new();
        for (index, language) in manifest.languages.iter().enumerate() {
            for name in &language.file_names {
                by_name.insert(name.clone(), Some(index));
            }
            for extension in &language.extensions {
                by_extension.insert(extension.clone(), index);
            }
        }
        Ok(Self { languages: manifest.languages, by_name, by_extension })
    }

    /// All languages in manifest order.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// The language of a file by its whole name, else by its extension.
    pub fn detect(&'static self, path: &str, profile: Profile) -> Detected {
        let index = match self.by_name.get(paths::basename(path)) {
            Some(named) => *named,
            None => self.by_extension.get(paths::split_extension(path).1).copied(),
        };
        match index.and_then(|index| self.languages.get(index)) {
            Some(language) if language.profile.is_parity() || !profile.is_parity() => {
                Detected::Tagged(language)
            }
            _ => Detected::Untagged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Detected, registry};
    use base::profile::Profile;

    fn key(path: &str, profile: Profile) -> Option<&'static str> {
        match registry().detect(path, profile) {
            Detected::Tagged(language) => Some(&language.key),
            Detected::Untagged => None,
        }
    }

    #[test]
    fn every_query_compiles_for_its_grammar() {
        for language in registry().languages() {
            assert!(language.tag_query().is_ok(), "{}: {:?}", language.key, language.tag_query());
        }
    }

    // The comparator's own table, as measured.
    #[test]
    fn detection_follows_the_comparator() {
        let parity = |path| key(path, Profile::Parity);
        assert_eq!(parity("a/b.py"), Some("python"));
        assert_eq!(parity("b.tsx"), Some("typescript"));
        assert_eq!(parity("b.h"), Some("c"));
        assert_eq!(parity("b.m"), Some("matlab"));
        assert_eq!(parity("b.mjs"), Some("javascript"));
        // The comparator looks whole names up in the same table as extensions.
        assert_eq!(parity(".py"), Some("python"));
        for untagged in ["b.pyi", "b.cjs", "b.mts", "b.cts", "b.PY", "..py", "b.sh", "b.jl", "b.ql"]
        {
            assert_eq!(parity(untagged), None, "{untagged}");
        }
    }

    #[test]
    fn languages_that_crash_the_comparator_are_for_the_enhancement_profile() {
        assert_eq!(key("b.jl", Profile::Enhancement), Some("julia"));
        assert_eq!(key("b.ql", Profile::Enhancement), Some("ql"));
    }
}
