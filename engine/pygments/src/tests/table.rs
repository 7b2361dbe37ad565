//! The table of lexers and the table of languages refer to each other consistently.

use std::{collections::BTreeSet, path::Path};

use languages::Table;

use crate::lexers::{LEXERS, Lexer, Pattern};

fn has(lexer: &Lexer, extensions: &[String]) -> bool {
    lexer.patterns.iter().any(|pattern| match pattern {
        Pattern::Extension(own) => extensions.iter().any(|one| one.strip_prefix('.') == Some(*own)),
        _ => false,
    })
}

#[test]
fn each_language_names_the_lexers_of_its_extensions_and_each_lexer_has_a_language() {
    let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../queries");
    let table = Table::read(&queries).unwrap();
    let mut named = BTreeSet::new();
    for (key, tags) in table.tagged() {
        let lexers = LEXERS.iter().filter(|lexer| has(lexer, &tags.extensions));
        let lexers: Vec<&str> = lexers.map(|lexer| lexer.alias).collect();
        assert_eq!(tags.lexers, lexers, "queries/{key}/language.toml");
        named.extend(lexers);
    }
    let by_extension = |pattern: &Pattern| matches!(pattern, Pattern::Extension(_));
    for lexer in LEXERS.iter().filter(|lexer| lexer.patterns.iter().any(by_extension)) {
        assert!(named.contains(lexer.alias), "no language has the extensions of {}", lexer.alias);
    }
}
