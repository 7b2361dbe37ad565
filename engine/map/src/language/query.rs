//! A language's compiled tag query.

use std::sync::OnceLock;

use tree_sitter::{CaptureQuantifier, Query};

use super::{Language, Paths};
use crate::syntax::TagKind;

/// The capture on a name in patterns of the paired style.
const PAIRED: &str = "name";

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

/// A tag query, and what each of its captures tags.
#[derive(Debug)]
pub struct TagQuery {
    /// By capture index, which kind of tag its nodes are; `None` for helpers.
    pub tag_kinds: Vec<Option<TagKind>>,
    /// Its patterns as paths, if all of them are paths.
    pub paths: Option<Paths>,
    /// The grammar that the query is for.
    pub grammar: tree_sitter::Language,
    source: String,
    file: String,
    compiled: OnceLock<Result<Compiled, QueryError>>,
}

/// A query as the query engine runs it.
#[derive(Debug)]
pub struct Compiled {
    /// The query. Patterns of the paired style never match in it.
    pub query: Query,
    /// The patterns of the paired style, if the query file has any.
    pub paired: Option<PairedPatterns>,
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
    /// The language's own query. If its patterns are paths, the query engine is not asked until a
    /// walk leaves the order of captures open, since compiling takes up to a hundred milliseconds.
    fn of(language: &Language) -> Result<Self, QueryError> {
        let query = Self::read(language, language.query)?;
        if query.paths.is_none() {
            query.compiled()?;
        }
        Ok(query)
    }

    /// Compiles a query for a language's grammar. The language's own query is
    /// [`Language::tag_query`]; this is for trying another text.
    pub fn compile(language: &Language, source: &str) -> Result<Self, QueryError> {
        let query = Self::read(language, source)?;
        query.compiled()?;
        Ok(query)
    }

    fn read(language: &Language, source: &str) -> Result<Self, QueryError> {
        let grammar = grammars::language(language.grammar)
            .map(tree_sitter::Language::new)
            .ok_or_else(|| QueryError::NoGrammar(language.grammar.to_owned()))?;
        // A paired capture belongs to a match, which a walk does not know.
        let is_modern = |paths: &Paths| paths.captures.iter().all(|name| name != PAIRED);
        let paths = Paths::of(source, &grammar).filter(is_modern);
        let mut query = Self {
            tag_kinds: Vec::new(),
            paths,
            grammar,
            source: source.to_owned(),
            file: language.query_file.to_owned(),
            compiled: OnceLock::new(),
        };
        let (definition, reference) = ("name.definition.", "name.reference.");
        query.tag_kinds = if let Some(paths) = &query.paths {
            kinds(&paths.captures, definition, reference)
        } else {
            kinds(query.compiled()?.query.capture_names(), definition, reference)
        };
        Ok(query)
    }

    /// The query as the query engine runs it.
    ///
    /// # Errors
    ///
    /// If it does not fit the grammar.
    pub fn compiled(&self) -> Result<&Compiled, QueryError> {
        let compiled = self.compiled.get_or_init(|| self.compile_now());
        compiled.as_ref().map_err(Clone::clone)
    }

    /// The patterns of the paired style, if there are any.
    ///
    /// # Errors
    ///
    /// As [`TagQuery::compiled`].
    pub fn paired(&self) -> Result<Option<&PairedPatterns>, QueryError> {
        match &self.paths {
            Some(_) => Ok(None),
            None => Ok(self.compiled()?.paired.as_ref()),
        }
    }

    fn compile_now(&self) -> Result<Compiled, QueryError> {
        let build = || {
            Query::new(&self.grammar, &self.source).map_err(|error| QueryError::Invalid {
                file: self.file.clone(),
                why: error.to_string(),
            })
        };
        let mut query = build()?;
        let Some(name) = query.capture_index_for_name(PAIRED) else {
            return Ok(Compiled { query, paired: None });
        };
        let mut paired = build()?;
        for pattern in 0..query.pattern_count() {
            let quantifier = query.capture_quantifiers(pattern).get(name as usize);
            if quantifier.is_none_or(|found| *found == CaptureQuantifier::Zero) {
                paired.disable_pattern(pattern);
            } else {
                query.disable_pattern(pattern);
            }
        }
        let tag_kinds = kinds(paired.capture_names(), "definition.", "reference.");
        Ok(Compiled { query, paired: Some(PairedPatterns { query: paired, name, tag_kinds }) })
    }
}

/// Which kind of tag each capture of a query gives, judged by the prefix of its name.
fn kinds(names: &[impl AsRef<str>], definition: &str, reference: &str) -> Vec<Option<TagKind>> {
    let kind = |name: &str| {
        if name.starts_with(definition) {
            Some(TagKind::Definition)
        } else if name.starts_with(reference) {
            Some(TagKind::Reference)
        } else {
            None
        }
    };
    names.iter().map(|name| kind(name.as_ref())).collect()
}

/// A query that is read when its language is first needed.
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
