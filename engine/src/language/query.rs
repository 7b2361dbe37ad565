//! A language's compiled tag query.

use std::sync::OnceLock;

use tree_sitter::Query;

use super::Language;

include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// Why a language cannot be parsed or tagged.
#[derive(Debug, Clone, thiserror::Error)]
pub enum QueryError {
    /// No grammar is compiled in under the language's grammar key.
    #[error("no grammar is compiled in for {0}")]
    NoGrammar(String),
    /// The manifest names a query file that is not embedded.
    #[error("the query file {0} is not embedded")]
    NoQuery(String),
    /// The query does not fit the grammar.
    #[error("the query {file} does not compile: {why}")]
    Invalid {
        /// The query file.
        file: String,
        /// The grammar library's message.
        why: String,
    },
}

/// A compiled query and what each of its captures stands for.
#[derive(Debug)]
pub struct TagQuery {
    /// The compiled query.
    pub query: Query,
    /// Per capture index: true for a definition, false for a reference, absent for helpers.
    pub is_definition: Vec<Option<bool>>,
    /// The grammar that the query was compiled for.
    pub grammar: tree_sitter::Language,
}

impl TagQuery {
    fn compile(language: &Language) -> Result<Self, QueryError> {
        let grammar = grammars::language(&language.grammar)
            .map(tree_sitter::Language::new)
            .ok_or_else(|| QueryError::NoGrammar(language.grammar.clone()))?;
        let source = query_text(&language.query_file)
            .ok_or_else(|| QueryError::NoQuery(language.query_file.clone()))?;
        let query = Query::new(&grammar, source).map_err(|error| QueryError::Invalid {
            file: language.query_file.clone(),
            why: error.to_string(),
        })?;
        let is_definition = query
            .capture_names()
            .iter()
            .map(|name| {
                if name.starts_with("name.definition.") {
                    Some(true)
                } else if name.starts_with("name.reference.") {
                    Some(false)
                } else {
                    None
                }
            })
            .collect();
        Ok(Self { query, is_definition, grammar })
    }
}

/// The text of an embedded query file.
fn query_text(file: &str) -> Option<&'static str> {
    let at = QUERIES.binary_search_by_key(&file, |(name, _)| name).ok()?;
    QUERIES.get(at).map(|(_, text)| *text)
}

/// Compiled queries, each made when its language is first met: a large grammar's query takes
/// tens of milliseconds to compile.
#[derive(Debug, Default)]
pub(super) struct QueryCell(OnceLock<Result<TagQuery, QueryError>>);

impl QueryCell {
    pub(super) fn get(&self, language: &Language) -> Result<&TagQuery, QueryError> {
        self.0.get_or_init(|| TagQuery::compile(language)).as_ref().map_err(Clone::clone)
    }
}
