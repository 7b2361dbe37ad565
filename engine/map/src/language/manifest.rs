//! The registry of languages, generated at build time from `queries/`.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use base::{profile::Profile, text::paths};

use super::{
    embedded::{self, Embedded},
    parted::Parted,
    query::{QueryCell, QueryError, TagQuery},
};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// One language with a tag query: the part `[tags]` of `queries/<key>/language.toml`.
#[derive(Debug)]
pub struct Language {
    /// The language key, such as `python`.
    pub key: &'static str,
    /// Text of its tag query.
    pub query: &'static str,
    /// The file of that query, relative to `queries/`.
    pub query_file: &'static str,
    /// Key of its grammar in the `grammars` crate.
    pub grammar: &'static str,
    /// Extensions with their dot, case-sensitive.
    pub extensions: &'static [&'static str],
    /// Whole file names, which are checked before extensions.
    pub file_names: &'static [&'static str],
    /// Further extensions, for the enhancement profile alone.
    pub enhancement_extensions: &'static [&'static str],
    /// Further whole file names, for the enhancement profile alone.
    pub enhancement_file_names: &'static [&'static str],
    /// Which part of its files is source code; `None` if all of it is.
    pub embedded: Option<Embedded>,
    /// `parity` if the pinned comparator runs it, else `enhancement`.
    pub profile: Profile,
    compiled: QueryCell,
}

impl Language {
    /// The compiled tag query, compiled when it is first used.
    pub fn tag_query(&self) -> Result<&TagQuery, QueryError> {
        self.compiled.get(self)
    }

    /// The source code in a file of the language: its whole text, or the text with everything
    /// around the code replaced by spaces, so that every byte keeps its position.
    pub fn source<'text>(&self, text: &'text str) -> Cow<'text, str> {
        match self.embedded {
            None => Cow::Borrowed(text),
            Some(part) => Cow::Owned(embedded::code(part, text)),
        }
    }

    /// Whether a file is of the language by a name or extension that only the enhancement profile
    /// uses.
    pub fn is_further(&self, path: &str) -> bool {
        let extension = paths::split_extension(path).1;
        self.enhancement_file_names.contains(&paths::basename(path))
            || self.enhancement_extensions.contains(&extension)
    }
}

/// What a file name tells about the language.
#[derive(Debug, Clone, Copy)]
pub enum Detected {
    /// A language with a tag query.
    Tagged(&'static Language),
    /// Anything else: such a file yields no tags.
    Untagged,
}

/// The languages, with their look-up tables.
#[derive(Debug)]
pub struct Registry {
    /// Languages by whole file name. `None` is for names of languages without a query: such files
    /// yield no tags, whatever their extension.
    by_name: BTreeMap<&'static str, Option<&'static Language>>,
    by_extension: BTreeMap<&'static str, &'static Language>,
    /// Names and extensions that only the enhancement profile uses.
    further: BTreeMap<&'static str, &'static Language>,
}

/// The registry that is built into this program.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        let mut by_name: BTreeMap<_, _> =
            SHADOWED_FILE_NAMES.iter().map(|name| (*name, None)).collect();
        let mut by_extension = BTreeMap::new();
        let mut further = BTreeMap::new();
        for language in &LANGUAGES {
            by_name.extend(language.file_names.iter().map(|name| (*name, Some(language))));
            by_extension.extend(language.extensions.iter().map(|name| (*name, language)));
            let more = language.enhancement_extensions.iter();
            let more = more.chain(language.enhancement_file_names);
            further.extend(more.map(|name| (*name, language)));
        }
        Registry { by_name, by_extension, further }
    });
    &REGISTRY
}

/// The files that the registry was generated from, as (path relative to `queries/`, text), sorted
/// by path.
pub const fn sources() -> &'static [(&'static str, &'static str)] {
    SOURCES
}

impl Registry {
    /// All languages in order of their keys.
    pub fn languages(&self) -> &'static [Language] {
        &LANGUAGES
    }

    /// How a file is tagged from its exploration, if it is. Used only in the enhancement profile.
    pub fn parted(&self, path: &str) -> Option<&'static Parted> {
        let name = paths::basename(path).to_lowercase();
        PARTED.iter().find(|parted| parted.has(&name))
    }

    /// The language with a key.
    pub fn by_key(&self, key: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.key == key)
    }

    /// The language of a file by its whole name, or else by its extension. The enhancement profile
    /// also uses names and extensions that the comparator does not know.
    pub fn detect(&self, path: &str, profile: Profile) -> Detected {
        let (name, extension) = (paths::basename(path), paths::split_extension(path).1);
        let language = match self.by_name.get(name) {
            Some(named) => *named,
            None => self.by_extension.get(extension).copied(),
        };
        let further = || self.further.get(name).or_else(|| self.further.get(extension)).copied();
        match language.or_else(|| further().filter(|_| !profile.is_parity())) {
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
            Detected::Tagged(language) => Some(language.key),
            Detected::Untagged => None,
        }
    }

    #[test]
    fn every_query_compiles_for_its_grammar() {
        for language in registry().languages() {
            let compiled = language.tag_query().and_then(|query| query.compiled().map(|_| query));
            assert!(compiled.is_ok(), "{}: {compiled:?}", language.key);
        }
    }

    /// A query whose patterns are paths is not compiled until it has to be, so its reader counts
    /// captures and patterns by itself.
    #[test]
    fn captures_and_patterns_of_paths_are_numbered_as_the_query_engine_numbers_them() {
        let mut read = 0;
        for language in registry().languages() {
            let query = language.tag_query().unwrap();
            let Some(paths) = &query.paths else { continue };
            let compiled = &query.compiled().unwrap().query;
            assert_eq!(paths.captures, compiled.capture_names(), "{}", language.key);
            assert_eq!(paths.patterns, compiled.pattern_count(), "{}", language.key);
            read += 1;
        }
        assert!(read >= 20, "{read}");
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
        // The comparator looks up whole names and extensions in one table.
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

    #[test]
    fn names_that_the_comparator_does_not_know_count_in_the_enhancement_profile_alone() {
        for (path, language) in [
            ("a/b.pyi", "python"),
            ("b.pyw", "python"),
            ("b.mts", "typescript"),
            ("b.d.cts", "typescript"),
            ("b.cjs", "javascript"),
            ("b.sh", "bash"),
            ("b.ksh", "bash"),
            ("b.xhtml", "html"),
            ("a/PKGBUILD", "bash"),
            ("b.html", "html"),
            ("b.vue", "vue"),
            ("b.svelte", "svelte"),
            ("b.astro", "astro"),
            ("b.proto", "proto"),
            ("b.graphql", "graphql"),
        ] {
            assert_eq!(key(path, Profile::Enhancement), Some(language), "{path}");
            assert_eq!(key(path, Profile::Parity), None, "{path}");
        }
        for untagged in ["b.PYI", "pyi", "CMakeLists.txt", "b.sh.txt", "requirements.txt"] {
            assert_eq!(key(untagged, Profile::Enhancement), None, "{untagged}");
        }
    }

    #[test]
    fn files_without_a_grammar_are_known_by_stem_extension_or_word() {
        let key = |path| registry().parted(path).map(|parted| parted.key);
        for (path, parted) in [
            ("Makefile", "make"),
            ("a/GNUmakefile", "make"),
            ("rules.mk", "make"),
            ("Dockerfile.dev", "dockerfile"),
            ("api.Dockerfile", "dockerfile"),
            ("schema.SQL", "sql"),
            ("docs/openapi.yaml", "openapi"),
            ("petstore-Swagger.json", "openapi"),
        ] {
            assert_eq!(key(path), Some(parted), "{path}");
        }
        for other in ["a.json", "b.yaml", "openapi.txt", "makefile_parser.rs", "docker.yml", "a"] {
            assert_eq!(key(other), None, "{other}");
        }
    }
}
