//! The externally visible shape of a compiled grammar: enough to distinguish two revisions.

use std::fmt::Write as _;

use super::{Language, QueryError};

/// Maximum number of entries of the parse table that are sampled, at even distances.
const SAMPLES: usize = 20_000;

/// The shape of a grammar's tables, read by functions that every binding of the core offers.
///
/// Two grammars with equal shapes have the same node kinds and fields under the same numbers, the
/// same number of parse states, and the same transitions at the sampled entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarShape {
    /// Version of the table format.
    pub abi: usize,
    /// Number of parse states.
    pub states: usize,
    /// One line for each node kind, each field and each sampled transition, to compute a digest
    /// from.
    pub lines: String,
}

impl GrammarShape {
    /// The shape of a language's grammar.
    pub fn of(language: &Language) -> Result<Self, QueryError> {
        let grammar = grammars::language(language.grammar)
            .map(tree_sitter::Language::new)
            .ok_or_else(|| QueryError::NoGrammar(language.grammar.to_owned()))?;
        let (kinds, states) = (grammar.node_kind_count(), grammar.parse_state_count());
        let mut lines = String::new();
        // Writing to a string cannot fail.
        for kind in 0..kinds {
            let id = kind as u16;
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            let named = u8::from(grammar.node_kind_is_named(id));
            let visible = u8::from(grammar.node_kind_is_visible(id));
            let _ = writeln!(lines, "kind {kind} {named} {visible} {name}");
        }
        for field in 1..=grammar.field_count() {
            let name = grammar.field_name_for_id(field as u16).unwrap_or_default();
            let _ = writeln!(lines, "field {field} {name}");
        }
        let cells = kinds * states;
        let stride = (cells / SAMPLES).max(1);
        for cell in (0..cells).step_by(stride) {
            let (state, kind) = (cell / kinds, cell % kinds);
            let next = grammar.next_state(state as u16, kind as u16);
            let _ = writeln!(lines, "next {state} {kind} {next}");
        }
        Ok(Self { abi: grammar.abi_version(), states, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::GrammarShape;
    use crate::language::registry;

    #[test]
    fn every_grammar_has_its_own_shape_and_the_abi_that_the_manifest_says() {
        let shape = |key: &str| {
            let language = registry().languages().iter().find(|language| language.key == key);
            GrammarShape::of(language.unwrap()).unwrap()
        };
        assert_ne!(shape("c"), shape("cpp"));
        assert_eq!(shape("csharp"), shape("c_sharp"), "an alias");
        assert_eq!(shape("python").abi, 15);
        assert!(shape("python").lines.contains("field "));
    }
}
