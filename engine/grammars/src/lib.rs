//! The tree-sitter grammars at exactly the revisions of the pinned comparator.
//!
//! The build script compiles them from locked archives; see `archives.toml` and `queries/` for the list and
//! the README for how and why. Load a language with the core `tree-sitter =0.25.10`: other
//! versions of the core recover from syntax errors differently.

use tree_sitter_language::LanguageFn;

/// Where a grammar comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The language key.
    pub key: &'static str,
    /// The grammar's own repository, as `owner/name`.
    pub upstream: &'static str,
    /// The commit there that the archive's author took, in hexadecimal digits.
    pub revision: &'static str,
    /// The sha256 of the compiled `parser.c`, in hexadecimal digits.
    pub parser_sha256: &'static str,
}

struct Grammar {
    provenance: Provenance,
    function: LanguageFn,
}

/// The generated table: `GRAMMARS`, sorted by key.
#[allow(unsafe_code, reason = "the parsers are foreign functions")]
mod table {
    use super::{Grammar, LanguageFn, Provenance};

    include!(concat!(env!("OUT_DIR"), "/table.rs"));

    pub(super) fn grammars() -> &'static [Grammar] {
        GRAMMARS
    }
}

/// The language with this key, if there is one. Takes a binary search over the keys.
pub fn language(key: &str) -> Option<LanguageFn> {
    find(key).map(|grammar| grammar.function)
}

/// Where the grammar with this key comes from, if there is one.
pub fn provenance(key: &str) -> Option<Provenance> {
    find(key).map(|grammar| grammar.provenance)
}

/// All keys, sorted. `c_sharp` and `csharp` are one grammar.
pub fn keys() -> impl Iterator<Item = &'static str> {
    table::grammars().iter().map(|grammar| grammar.provenance.key)
}

fn find(key: &str) -> Option<&'static Grammar> {
    let grammars = table::grammars();
    let index = grammars.binary_search_by_key(&key, |grammar| grammar.provenance.key).ok()?;
    grammars.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_unique() {
        let keys: Vec<_> = keys().collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn every_key_has_a_language_and_a_full_provenance() {
        let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        for key in keys() {
            assert!(language(key).is_some());
            let provenance = provenance(key).expect("listed");
            assert_eq!(provenance.key, key);
            assert!(provenance.upstream.split('/').count() == 2, "{key}");
            assert!(provenance.revision.len() == 40 && hexadecimal(provenance.revision), "{key}");
            let digest = provenance.parser_sha256;
            assert!(digest.len() == 64 && hexadecimal(digest), "{key}");
        }
    }

    #[test]
    fn an_alias_is_the_same_parser() {
        let digest = |key| provenance(key).map(|found| found.parser_sha256);
        assert_eq!(digest("c_sharp"), digest("csharp"));
    }

    #[test]
    fn an_unknown_key_gives_none() {
        assert!(language("klingon").is_none());
        assert!(provenance("").is_none());
    }
}
