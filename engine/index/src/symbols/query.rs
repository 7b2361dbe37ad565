//! The queries that find names and scopes: `queries/<key>/locals.scm`, or the tag query for a
//! language without that file.

use std::{collections::BTreeMap, sync::OnceLock};

use map::language::{Language, registry};
use tree_sitter::Query;

use super::{KINDS, Role, dialect::CPP};
use crate::{
    maker::{self, Level},
    rows::Digest,
};

include!(concat!(env!("OUT_DIR"), "/locals.rs"));

/// Why a language has no symbols.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LocalsError {
    /// No grammar is compiled in.
    #[error("no grammar is compiled in for {0}")]
    NoGrammar(&'static str),
    /// The query does not fit the grammar.
    #[error("the query of {0} does not compile: {1}")]
    Invalid(&'static str, String),
}

/// What a capture says about its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// The name that the match is about.
    Name,
    /// A declarator of C, with the name that the match is about.
    Declarator,
    /// The whole definition of something of this kind.
    Definition(u8),
    /// The name of a definition of this kind; its parent node is the whole definition.
    NamedDefinition(u8),
    /// The identifier's role.
    Reference(Role),
    /// A scope: everything inside sees the names in it.
    Scope,
    /// A class whose members are visible only directly inside it, not in nested scopes.
    Members,
    /// A class whose members are visible everywhere inside it.
    Class,
    /// The part after a dot.
    Member,
    /// The name of an argument.
    Argument,
    /// The part before the dot, or the called function.
    Receiver,
    /// The type of the name, or the class or function that it is initialised from.
    Type,
    /// The value that the names of the pattern before it are given; these are not seen in it.
    Initializer,
    /// A base class of the class with this name.
    Base,
    /// The module of an import, as text.
    Module,
    /// The imported name.
    Imported,
    /// The module's default export is imported.
    ImportedDefault,
    /// All names of the module are imported.
    Wildcard,
    /// Used only by a predicate of the query.
    Helper,
}

/// A compiled query.
#[derive(Debug)]
pub struct Locals {
    /// The query.
    pub query: Query,
    /// What each capture says about its node, by its number.
    pub captures: Vec<Capture>,
    /// Whether scopes are known; if not, names are only compared.
    pub has_scopes: bool,
}

/// The text of a language's query, and whether it describes scopes.
fn source(language: &Language) -> (&'static str, bool) {
    let key = match language.key {
        // One query serves both grammars.
        "tsx" => "typescript",
        key => key,
    };
    match LOCALS.iter().find(|(of, _)| *of == key) {
        Some((_, query)) => (query, true),
        None => (language.query, false),
    }
}

/// The digest of everything that decides the symbols of a language.
pub fn maker(language: &Language) -> Digest {
    let own = source(language).0;
    match registry().by_key(CPP).filter(|_| language.key == "c") {
        Some(other) => maker::digest(Level::Symbols, language, &[own, source(other).0].concat()),
        None => maker::digest(Level::Symbols, language, own),
    }
}

/// The extensions of all languages, sorted.
pub fn supported() -> Vec<&'static str> {
    let languages = registry().languages().iter();
    let mut extensions: Vec<_> = languages
        .flat_map(|one| one.extensions.iter().chain(one.enhancement_extensions))
        .copied()
        .collect();
    extensions.sort_unstable();
    extensions.dedup();
    extensions
}

/// The compiled query of a language; compiled once.
pub fn locals(language: &'static Language) -> Result<&'static Locals, LocalsError> {
    type Cells = BTreeMap<&'static str, OnceLock<Result<Locals, LocalsError>>>;
    static CELLS: OnceLock<Cells> = OnceLock::new();
    let cells = CELLS.get_or_init(|| {
        registry().languages().iter().map(|language| (language.key, OnceLock::new())).collect()
    });
    let Some(cell) = cells.get(language.key) else {
        return Err(LocalsError::NoGrammar(language.key));
    };
    cell.get_or_init(|| compile(language)).as_ref().map_err(Clone::clone)
}

/// The grammar of a language.
pub fn grammar(language: &Language) -> Result<tree_sitter::Language, LocalsError> {
    grammars::language(language.grammar)
        .map(tree_sitter::Language::new)
        .ok_or(LocalsError::NoGrammar(language.key))
}

fn compile(language: &'static Language) -> Result<Locals, LocalsError> {
    let grammar = grammar(language)?;
    let (text, has_scopes) = source(language);
    let query = Query::new(&grammar, text)
        .map_err(|error| LocalsError::Invalid(language.key, error.to_string()))?;
    let captures = query.capture_names().iter().map(|name| capture(name)).collect();
    Ok(Locals { query, captures, has_scopes })
}

fn capture(name: &str) -> Capture {
    let kind = |name: &str| {
        let known = KINDS.iter().position(|kind| *kind == name).unwrap_or(KINDS.len() - 1);
        known as u8
    };
    let role = |name: &str| match name {
        "call" | "send" => Role::Call,
        "type" | "class" | "implementation" | "interface" => Role::Type,
        "import" => Role::Import,
        "write" => Role::Write,
        _ => Role::Read,
    };
    if let Some(of) = name.strip_prefix("name.definition.") {
        return Capture::NamedDefinition(kind(of));
    }
    if let Some(of) = name.strip_prefix("name.reference.").or(name.strip_prefix("reference.")) {
        return Capture::Reference(role(of));
    }
    if let Some(of) = name.strip_prefix("definition.") {
        return Capture::Definition(kind(of));
    }
    match name {
        "declarator" => Capture::Declarator,
        "name" => Capture::Name,
        "scope" => Capture::Scope,
        "scope.members" => Capture::Members,
        "scope.class" => Capture::Class,
        "member" => Capture::Member,
        "argument" => Capture::Argument,
        "receiver" => Capture::Receiver,
        "type" => Capture::Type,
        "initializer" => Capture::Initializer,
        "base" => Capture::Base,
        "module" => Capture::Module,
        "imported" => Capture::Imported,
        "imported.default" => Capture::ImportedDefault,
        "wildcard" => Capture::Wildcard,
        _ => Capture::Helper,
    }
}

#[cfg(test)]
mod tests {
    use map::language::registry;

    use super::{LOCALS, locals};

    #[test]
    fn every_query_compiles_for_its_grammar() {
        for language in registry().languages() {
            assert!(locals(language).is_ok(), "{}: {:?}", language.key, locals(language));
        }
        for (key, _) in LOCALS {
            assert!(registry().by_key(key).is_some(), "{key} is a language of the map");
        }
    }
}
