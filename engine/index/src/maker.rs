//! What a row of the store was made with: its level, and the grammar, query and code that it
//! depends on.

use map::language::Language;
use sha2::{Digest as _, Sha256};

include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// What the rows of a level hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The tags of a map.
    Tags,
    /// The symbols that navigation reads.
    Symbols,
}

/// The digest of everything that decides what a level holds of a text in a language. Rows made with
/// another grammar, query or code have another digest and are ignored.
pub fn digest(level: Level, language: &Language, query: &str) -> [u8; 32] {
    let grammar = grammars::provenance(language.grammar).map_or("", |found| found.parser_sha256);
    let (name, code) = match level {
        Level::Tags => ("tags", TAGS_CODE),
        Level::Symbols => ("symbols", SYMBOLS_CODE),
    };
    let mut hasher = Sha256::new();
    let embedded = format!("{:?}", language.embedded);
    let rival = language.rival().map_or("", |rival| rival.query);
    for part in [name, language.key, grammar, query, rival, code, &embedded] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The digest of everything that decides how a map of the enhancement profile is made, besides the
/// question and the files: the code of the map and of all that it uses, every query and grammar, and
/// the versions of the libraries.
pub fn maps() -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(MAPS_CODE);
    for provenance in grammars::keys().filter_map(grammars::provenance) {
        hasher.update(provenance.parser_sha256);
    }
    hasher.finalize().into()
}

/// The digest of everything that decides which chunks and terms are kept, in all languages: every
/// grammar, the explorers, and the code that makes chunks and terms.
pub fn chunks() -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(CHUNKS_CODE);
    for provenance in grammars::keys().filter_map(grammars::provenance) {
        hasher.update(provenance.parser_sha256);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use map::language::registry;

    use super::{Level, digest};

    #[test]
    fn level_language_and_query_each_change_the_digest() {
        let language = |key| registry().by_key(key).unwrap();
        let of = |level, key| digest(level, language(key), "q");
        let all = [
            of(Level::Tags, "python"),
            of(Level::Symbols, "python"),
            of(Level::Tags, "go"),
            digest(Level::Tags, language("python"), "r"),
        ];
        for (at, one) in all.iter().enumerate() {
            assert_eq!(all.iter().position(|other| other == one), Some(at));
        }
    }
}
