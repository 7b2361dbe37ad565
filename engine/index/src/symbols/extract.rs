//! From a text to its symbols.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use base::{guard, watch};
use map::language::Language;
use tree_sitter::{
    Node, Parser, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator as _, Tree,
    TreeCursor,
};

use super::{
    Definition, Import, Occurrence, Role, Symbols,
    bind::{self, Scope},
    query::{Capture, Locals, LocalsError, locals},
};

/// Why a text has no symbols.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ExtractError {
    /// Its language has none.
    #[error(transparent)]
    Locals(#[from] LocalsError),
    /// Its shape would keep the parser or the query busy.
    #[error("not parsed: {0}")]
    Refused(&'static str),
    /// Parsing and searching took too long.
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

/// Extracts the symbols of a text within a time.
pub fn extract(
    language: &'static Language,
    text: &str,
    time: Duration,
) -> Result<Extracted, ExtractError> {
    let locals = locals(language)?;
    let started = Instant::now();
    let is_over = || watch::is_given_up() || started.elapsed() > time;
    let tree = parse(language, locals, text, &is_over)?;
    if guard::is_excessive(&tree) {
        return Err(ExtractError::Refused("its syntax tree nests too deep for a query"));
    }
    let mut found =
        Found { symbols: Symbols::default(), at: BTreeMap::new(), names: BTreeMap::new() };
    found.identifiers(&tree, text);
    let matches = matches(locals, &tree, text, &is_over)?;
    found.apply(locals, &matches, text);
    if locals.has_scopes {
        bind::bind(&mut found.symbols, &matches.scopes, text.len());
    }
    Ok(Extracted { symbols: found.symbols, tree })
}

fn parse(
    language: &Language,
    locals: &Locals,
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
        .set_language(&locals.grammar)
        .map_err(|error| LocalsError::Invalid(language.key, error.to_string()))?;
    let _alone = guard::alone(language.grammar);
    guard::parse_until(&mut parser, text, is_over).map_err(|why| {
        if why == watch::TIMED_OUT { ExtractError::TimedOut } else { ExtractError::Refused(why) }
    })
}

/// A match: its captures in order.
type Match<'tree> = Vec<(Capture, Node<'tree>)>;

/// What the query finds.
struct Matches<'tree> {
    /// Matches about names.
    named: Vec<Match<'tree>>,
    /// The scopes, outer ones first.
    scopes: Vec<Scope>,
}

fn matches<'tree>(
    locals: &Locals,
    tree: &'tree Tree,
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Matches<'tree>, ExtractError> {
    let (mut named, mut scopes) = (Vec::new(), Vec::new());
    let mut cursor = QueryCursor::new();
    let mut stop = |_: &QueryCursorState| is_over();
    let options = QueryCursorOptions::new().progress_callback(&mut stop);
    let root = tree.root_node();
    let mut all = cursor.matches_with_options(&locals.query, root, text.as_bytes(), options);
    while let Some(one) = all.next() {
        let mut captures = Match::new();
        for capture in one.captures {
            let says = locals.captures.get(capture.index as usize).copied();
            match says.unwrap_or(Capture::Helper) {
                says @ (Capture::Scope | Capture::Members | Capture::Class) => {
                    let range = capture.node.byte_range();
                    scopes.push(Scope {
                        start: range.start as u32,
                        end: range.end as u32,
                        is_class: says != Capture::Scope,
                        is_seen_inside: says != Capture::Members,
                    });
                }
                Capture::Helper => {}
                says => captures.push((says, capture.node)),
            }
        }
        if !captures.is_empty() {
            named.push(captures);
        }
    }
    if is_over() {
        return Err(ExtractError::TimedOut);
    }
    scopes.sort_unstable_by_key(|scope| (scope.start, std::cmp::Reverse(scope.end)));
    scopes.dedup_by_key(|scope| (scope.start, scope.end));
    Ok(Matches { named, scopes })
}

/// Symbols while they are put together.
struct Found {
    symbols: Symbols,
    /// Occurrences by first byte.
    at: BTreeMap<u32, u32>,
    /// Positions of names.
    names: BTreeMap<String, u32>,
}

impl Found {
    fn name(&mut self, text: &str) -> u32 {
        if let Some(known) = self.names.get(text) {
            return *known;
        }
        let position = self.symbols.names.len() as u32;
        self.symbols.names.push(text.to_owned());
        self.names.insert(text.to_owned(), position);
        position
    }

    /// Takes every identifier of the tree, without recursion.
    fn identifiers(&mut self, tree: &Tree, text: &str) {
        let mut columns = Columns { text, row: 0, byte: 0, start: 0, column: 0 };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.child_count() == 0
                && let Some(name) = text.get(node.byte_range())
                && is_identifier(&node, name)
            {
                let start = node.start_byte() as u32;
                let (row, column) = columns.of(&node);
                let name = self.name(name);
                self.at.insert(start, self.symbols.occurrences.len() as u32);
                self.symbols.occurrences.push(Occurrence {
                    name,
                    start,
                    row,
                    column,
                    role: Role::Read,
                    bound: None,
                    is_member: false,
                    receiver: None,
                });
            }
            if !next(&mut cursor) {
                return;
            }
        }
    }

    /// The occurrence that a node is, or ends in.
    fn occurrence(&self, node: &Node) -> Option<u32> {
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let (first, at) = self.at.range(start..end).next_back()?;
        let found = self.symbols.occurrence(*at)?;
        let ends = first + self.symbols.name(found).len() as u32;
        (ends == end).then_some(*at)
    }

    fn apply(&mut self, locals: &Locals, matches: &Matches, text: &str) {
        let mut definitions = BTreeMap::new();
        let mut imports = Vec::new();
        let mut bases = Vec::new();
        for one in &matches.named {
            let node = |wanted: Capture| {
                one.iter().find(|(says, _)| *says == wanted).map(|(_, node)| *node)
            };
            let name = node(Capture::Name).and_then(|node| self.occurrence(&node));
            for (says, at) in one {
                match *says {
                    Capture::Definition(kind) => {
                        let Some(name) = name else { continue };
                        let typed = node(Capture::Type).and_then(|node| self.occurrence(&node));
                        let whole = define(name, kind, at, typed);
                        let known = definitions.entry(name).or_insert(whole);
                        known.typed_by = known.typed_by.or(whole.typed_by);
                        // Another pattern knows better what it is.
                        if WEAK.contains(&known.kind()) && !WEAK.contains(&whole.kind()) {
                            known.kind = whole.kind;
                        }
                        let module = node(Capture::Module);
                        if let Some(module) = module.and_then(|node| text.get(node.byte_range())) {
                            let module = self.name(unquoted(module));
                            let imported = node(Capture::Imported);
                            let imported = imported
                                .and_then(|node| text.get(node.byte_range()))
                                .map(|name| self.name(name));
                            imports.push((Some(name), module, imported));
                        }
                    }
                    Capture::NamedDefinition(kind) => {
                        let Some(name) = self.occurrence(at) else { continue };
                        let whole = at.parent().unwrap_or(*at);
                        definitions.entry(name).or_insert(define(name, kind, &whole, None));
                    }
                    Capture::Wildcard => {
                        let module = node(Capture::Module);
                        if let Some(module) = module.and_then(|node| text.get(node.byte_range())) {
                            let module = self.name(unquoted(module));
                            imports.push((None, module, None));
                        }
                    }
                    Capture::Base => {
                        bases.extend(name.zip(self.occurrence(at)));
                    }
                    Capture::Reference(role) => {
                        let found = self.occurrence(at).map(|at| at as usize);
                        if let Some(found) =
                            found.and_then(|at| self.symbols.occurrences.get_mut(at))
                        {
                            found.role = role;
                        }
                    }
                    Capture::Member => {
                        let receiver =
                            node(Capture::Receiver).and_then(|node| self.occurrence(&node));
                        let found = self.occurrence(at).map(|at| at as usize);
                        if let Some(found) =
                            found.and_then(|at| self.symbols.occurrences.get_mut(at))
                        {
                            found.is_member = true;
                            found.receiver = receiver;
                        }
                    }
                    _ => {}
                }
            }
        }
        self.finish(locals, definitions, imports, &bases);
    }

    fn finish(
        &mut self,
        locals: &Locals,
        definitions: BTreeMap<u32, Definition>,
        imports: Vec<(Option<u32>, u32, Option<u32>)>,
        bases: &[(u32, u32)],
    ) {
        let symbols = &mut self.symbols;
        let mut numbers = BTreeMap::new();
        for (number, (at, definition)) in definitions.into_iter().enumerate() {
            numbers.insert(at, number as u32);
            if let Some(found) = symbols.occurrences.get_mut(at as usize) {
                let is_import = definition.kind() == "import";
                found.role = if is_import { Role::Import } else { Role::Definition };
                found.bound = Some(number as u32);
            }
            symbols.definitions.push(definition);
        }
        bind::parents(symbols);
        symbols.imports = imports
            .into_iter()
            .map(|(at, module, name)| Import {
                definition: at.and_then(|at| numbers.get(&at).copied()),
                module,
                name,
            })
            .collect();
        let class = |(at, base): &(u32, u32)| Some((*numbers.get(at)?, *base));
        symbols.bases = bases.iter().filter_map(class).collect();
        if !locals.has_scopes {
            return;
        }
        symbols.bases.sort_unstable();
        symbols.bases.dedup();
    }
}

fn define(occurrence: u32, kind: u8, whole: &Node, typed_by: Option<u32>) -> Definition {
    Definition {
        occurrence,
        kind,
        parent: None,
        is_local: false,
        typed_by,
        start: whole.start_byte() as u32,
        end: whole.end_byte() as u32,
    }
}

/// A module as it is written, without the quotes around it.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '<', '>'])
}

/// Goes on to the next node in order.
fn next(cursor: &mut TreeCursor) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Kinds that a definition has only if no pattern gives another.
const WEAK: [&str; 2] = ["type", "variable"];

/// Ends of the kinds of nodes that hold text which is no name.
const NO_NAMES: [&str; 9] =
    ["comment", "string", "content", "text", "literal", "number", "escape", "fragment", "char"];

/// Words for the object of a method; they are looked up as names.
pub const OBJECTS: [&str; 3] = ["self", "this", "super"];

/// Whether a leaf is an identifier: a named node whose text could be one, and no part of a text.
pub fn is_identifier(node: &Node, text: &str) -> bool {
    let kind = node.kind();
    if !node.is_named() || node.is_error() {
        return false;
    }
    if kind.ends_with("identifier") {
        return !text.is_empty() && !text.contains(['\n', ' ']);
    }
    let is_start = |c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@');
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!' | '\'' | '-');
    let mut characters = text.chars();
    characters.next().is_some_and(is_start)
        && characters.all(is_part)
        && (kind != text || OBJECTS.contains(&kind))
        && !NO_NAMES.iter().any(|end| kind.contains(end))
        && !matches!(kind, "true" | "false" | "none" | "null" | "nil")
}

/// Counts columns in code points; nodes come in order.
struct Columns<'a> {
    text: &'a str,
    row: u32,
    /// Byte that was counted to.
    byte: usize,
    /// First byte of the row.
    start: usize,
    column: u32,
}

impl Columns<'_> {
    fn of(&mut self, node: &Node) -> (u32, u32) {
        let position = node.start_position();
        let row = position.row as u32;
        let start = node.start_byte() - position.column;
        if row != self.row || start != self.start || node.start_byte() < self.byte {
            (self.row, self.start, self.byte, self.column) = (row, start, start, 0);
        }
        let between = self.text.get(self.byte..node.start_byte()).unwrap_or_default();
        self.column += between.chars().count() as u32;
        self.byte = node.start_byte();
        // A mark of byte order is no character of the first line.
        let mark = u32::from(row == 0 && self.text.starts_with('\u{feff}'));
        (row, self.column.saturating_sub(mark))
    }
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
