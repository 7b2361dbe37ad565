//! Extracts the symbols of a text.

use std::time::{Duration, Instant};

use base::{guard, watch};
use map::language::Language;
use tree_sitter::{Parser, Tree};

use super::{
    Symbols,
    bind::{self, Rules},
    dialect::dialect,
    found::Found,
    macros,
    matches::matches,
    query::{LocalsError, grammar, locals},
};

/// Why a text has no symbols.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ExtractError {
    /// Its language has no usable query.
    #[error(transparent)]
    Locals(#[from] LocalsError),
    /// Its shape would keep the parser or the query busy for too long.
    #[error("not parsed: {0}")]
    Refused(&'static str),
    /// Parsing and querying took too long.
    #[error("{}", watch::TIMED_OUT)]
    TimedOut,
}

/// The symbols of a text and its syntax tree.
#[derive(Debug)]
pub struct Extracted {
    /// The symbols.
    pub symbols: Symbols,
    /// The tree.
    pub tree: Tree,
}

/// Extracts the symbols of a text within a time limit.
pub fn extract(
    language: &'static Language,
    text: &str,
    time: Duration,
) -> Result<Extracted, ExtractError> {
    let language = dialect(language, text);
    let locals = locals(language)?;
    let source = language.source(text);
    let text = &*source;
    let started = Instant::now();
    let is_over = || watch::is_given_up() || started.elapsed() > time;
    let tree = parse(language, text, &is_over)?;
    let mut found = Found::default();
    let inner = match language.key {
        "rust" => macros::arguments(&tree, text, |parser, ranges| {
            parser.set_included_ranges(ranges).ok()?;
            let parsed = guard::parse_until(parser, text, &is_over).ok()?;
            (!guard::is_excessive(&parsed)).then_some(parsed)
        }),
        _ => Vec::new(),
    };
    let trees = || [&tree].into_iter().chain(&inner);
    found.identifiers(trees(), text);
    let matches = matches(locals, trees(), text, &is_over)?;
    found.apply(locals, &matches, text);
    if locals.has_scopes {
        let rules = Rules::of(language.key);
        bind::bind(&mut found.symbols, &matches.scopes, &matches.initializers, text.len(), rules);
    }
    Ok(Extracted { symbols: found.symbols, tree })
}

/// The syntax tree of a text, parsed within a time limit. The query is not compiled, which takes longer
/// than parsing most files.
pub fn tree(language: &'static Language, text: &str, time: Duration) -> Result<Tree, ExtractError> {
    let language = dialect(language, text);
    let started = Instant::now();
    let is_over = || watch::is_given_up() || started.elapsed() > time;
    parse(language, &language.source(text), &is_over)
}

fn parse(
    language: &Language,
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Tree, ExtractError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ExtractError::Refused("it is larger than 4 GiB"));
    }
    if let Some(why) = guard::refuse(language.grammar, text) {
        return Err(ExtractError::Refused(why));
    }
    let mut parser = Parser::new();
    parser
        .set_language(&grammar(language)?)
        .map_err(|error| LocalsError::Invalid(language.key, error.to_string()))?;
    let _alone = guard::alone(language.grammar);
    let tree = guard::parse_until(&mut parser, text, is_over).map_err(|why| {
        if why == watch::TIMED_OUT { ExtractError::TimedOut } else { ExtractError::Refused(why) }
    })?;
    if guard::is_excessive(&tree) {
        return Err(ExtractError::Refused("its syntax tree nests too deep for a query"));
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use map::language::registry;

    use super::extract;
    use crate::symbols::{Symbols, decode, encode};

    fn symbols(key: &str, text: &str) -> Symbols {
        let language = registry().by_key(key).unwrap();
        let found = extract(language, text, Duration::from_mins(1)).unwrap().symbols;
        assert_eq!(decode(&encode(&found)).unwrap(), found, "a row holds all of it");
        found
    }

    #[test]
    fn groups_and_macros_of_any_depth_and_number_are_read() {
        let groups = format!("use {}b{};\n", "a::{".repeat(500), "}".repeat(500));
        assert_eq!(symbols("rust", &groups).imports.len(), 1);
        let calls = format!("fn f(x: u8) {{ {} }}\n", "a!(b!(x.y), |z| z);".repeat(2_000));
        let found = symbols("rust", &calls);
        let is_parameter =
            |of: u32| found.definition(of).is_some_and(|one| one.kind() == "parameter");
        let bound = found.occurrences.iter().filter(|one| found.name(one) == "z");
        assert!(bound.clone().all(|one| one.bound.is_some_and(is_parameter)));
        assert_eq!(bound.count(), 4_000);
    }

    #[test]
    fn imports_are_read_with_module_and_name() {
        let text = "import a.b\nimport c as d\nfrom e.f import g, h as i\nfrom .j import *\n";
        let found = symbols("python", text);
        let imports: Vec<_> = found
            .imports
            .iter()
            .map(|import| {
                let local = import.definition.and_then(|at| found.definition(at));
                let local = local.map_or("*", |definition| found.defined(definition));
                (local, found.text(import.module), import.name.map_or("", |name| found.text(name)))
            })
            .collect();
        let expected = [("a", "a.b", ""), ("d", "c", ""), ("g", "e.f", "g"), ("i", "e.f", "h")];
        assert_eq!(imports[..4], expected);
        assert_eq!(imports[4..], [("*", ".j", "")]);
    }

    #[test]
    fn a_damaged_row_is_no_row() {
        let mut row = encode(&symbols("rust", "fn f(a: u8) -> u8 { a }\nstruct S { x: u8 }\n"));
        while row.data.pop().is_some() {
            assert_eq!(decode(&row), None, "{}", row.data.len());
        }
    }
}
