//! A language's compiled tag query.

use std::sync::OnceLock;

use tree_sitter::{CaptureQuantifier, Query};

use super::{Language, Paths};
use crate::syntax::TagKind;

/// Why a language cannot be parsed or tagged.
#[derive(Debug, Clone, thiserror::Error)]
pub enum QueryError {
    /// No grammar is compiled in under the language's grammar key.
    #[error("no grammar is compiled in for {0}")]
    NoGrammar(String),
    /// The query does not fit the grammar.
    #[error("the query {file} does not compile: {why}")]
    Invalid {
        /// The query file.
        file: String,
        /// The grammar library's message.
        why: String,
    },
}

/// A compiled query, and what each of its captures tags.
#[derive(Debug)]
pub struct TagQuery {
    /// The compiled query. Patterns of the paired style never match in it.
    pub query: Query,
    /// By capture index, which kind of tag its nodes are; `None` for helpers.
    pub tag_kinds: Vec<Option<TagKind>>,
    /// The same patterns as paths, if all of them are paths.
    pub paths: Option<Paths>,
    /// The patterns of the paired style, if the query file has any.
    pub paired: Option<PairedPatterns>,
    /// The grammar that the query was compiled for.
    pub grammar: tree_sitter::Language,
}

/// The patterns of the paired captures, the older style: `@name` on the node of the name and, in
/// the same match, `@definition.<type>` or `@reference.<type>` on the node around it.
///
/// The comparator makes no tags of them, so only the enhancement profile uses them. They are
/// compiled separately, because even a pattern without tags can change the order in which the query
/// engine returns the captures of the others.
#[derive(Debug)]
pub struct PairedPatterns {
    /// The compiled query, in which only these patterns match.
    pub query: Query,
    /// Index of the capture `name`.
    pub name: u32,
    /// By capture index, which kind of tag the name of its match is; `None` for all other captures.
    pub tag_kinds: Vec<Option<TagKind>>,
}

impl TagQuery {
    fn of(language: &Language) -> Result<Self, QueryError> {
        Self::compile(language, language.query)
    }

    /// Compiles a query for a language's grammar. The language's own query is
    /// [`Language::tag_query`]; this is for trying another text.
    pub fn compile(language: &Language, source: &str) -> Result<Self, QueryError> {
        let grammar = grammars::language(language.grammar)
            .map(tree_sitter::Language::new)
            .ok_or_else(|| QueryError::NoGrammar(language.grammar.to_owned()))?;
        let build = || {
            Query::new(&grammar, source).map_err(|error| QueryError::Invalid {
                file: language.query_file.to_owned(),
                why: error.to_string(),
            })
        };
        let mut query = build()?;
        let tag_kinds = kinds(&query, "name.definition.", "name.reference.");
        let paired = match query.capture_index_for_name("name") {
            None => None,
            Some(name) => {
                let mut paired = build()?;
                for pattern in 0..query.pattern_count() {
                    let quantifier = query.capture_quantifiers(pattern).get(name as usize);
                    if quantifier.is_none_or(|found| *found == CaptureQuantifier::Zero) {
                        paired.disable_pattern(pattern);
                    } else {
                        query.disable_pattern(pattern);
                    }
                }
                let tag_kinds = kinds(&paired, "definition.", "reference.");
                Some(PairedPatterns { query: paired, name, tag_kinds })
            }
        };
        let paths = match paired {
            None => Paths::of(&query, source, &grammar),
            Some(_) => None,
        };
        Ok(Self { query, tag_kinds, paths, paired, grammar })
    }
}

/// Which kind of tag each capture of a query gives, judged by the prefix of its name.
fn kinds(query: &Query, definition: &str, reference: &str) -> Vec<Option<TagKind>> {
    let kind = |name: &&str| {
        if name.starts_with(definition) {
            Some(TagKind::Definition)
        } else if name.starts_with(reference) {
            Some(TagKind::Reference)
        } else {
            None
        }
    };
    query.capture_names().iter().map(kind).collect()
}

/// A query that is compiled when its language is first needed: compiling the query of a large
/// grammar takes tens of milliseconds.
#[derive(Debug)]
pub(super) struct QueryCell(OnceLock<Result<TagQuery, QueryError>>);

impl QueryCell {
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(super) fn get(&self, language: &Language) -> Result<&TagQuery, QueryError> {
        self.0.get_or_init(|| TagQuery::of(language)).as_ref().map_err(Clone::clone)
    }
}
