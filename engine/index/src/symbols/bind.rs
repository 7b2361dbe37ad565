//! Binds names to definitions by the scopes of a file.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::{Definition, Role, Symbols};

/// Kinds of definitions that contain others.
const CONTAINERS: [&str; 13] = [
    "class",
    "constructor",
    "enum",
    "extension",
    "function",
    "interface",
    "method",
    "module",
    "object",
    "struct",
    "trait",
    "type",
    "union",
];

/// A range of a text whose names are visible inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// First byte.
    pub start: u32,
    /// Byte after the last one.
    pub end: u32,
    /// True for a class: its names are members.
    pub is_class: bool,
    /// False if nested scopes do not see its names.
    pub is_seen_inside: bool,
}

/// A value that names are given where they are defined, such as that of `let`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Initializer {
    /// First byte of the definition around it. The names between here and `start` are defined.
    pub from: u32,
    /// First byte of the value.
    pub start: u32,
    /// Byte after the value: from here on, the names are seen.
    pub end: u32,
}

impl Initializer {
    /// The initializer that a node is.
    pub fn of(value: &Node) -> Self {
        let (start, end) = (value.start_byte() as u32, value.end_byte() as u32);
        let from = value.parent().map_or(start, |whole| whole.start_byte() as u32);
        Self { from, start, end }
    }
}

/// The byte from which on the name at a byte is seen.
fn seen_from(initializers: &[Initializer], byte: u32) -> u32 {
    let after = initializers.partition_point(|one| one.start <= byte);
    let own = initializers.get(after).filter(|one| one.from <= byte);
    own.map_or(byte, |one| one.end)
}

/// Records for each definition which one encloses it.
pub fn parents(symbols: &mut Symbols) {
    let mut order: Vec<u32> = (0..symbols.definitions.len() as u32).collect();
    let range = |symbols: &Symbols, at: u32| {
        symbols.definition(at).map_or((0, 0), |found| (found.start, found.end))
    };
    order.sort_by_key(|at| {
        let (start, end) = range(symbols, *at);
        (start, std::cmp::Reverse(end))
    });
    let mut open: Vec<u32> = Vec::new();
    for at in order {
        let (start, end) = range(symbols, at);
        while open.last().is_some_and(|around| range(symbols, *around).1 < end.max(start + 1)) {
            open.pop();
        }
        // A second name in the same definition, such as that of a parameter, does not enclose
        // itself.
        let parent = open.iter().rev().find(|around| range(symbols, **around) != (start, end));
        let parent = parent.copied();
        if let Some(found) = symbols.definitions.get_mut(at as usize) {
            found.parent = parent;
            if CONTAINERS.contains(&found.kind()) {
                open.push(at);
            }
        }
    }
}

/// Definitions by scope and name, each with the byte from which on it is seen.
type Names = BTreeMap<(usize, u32), Vec<(u32, u32)>>;

/// What a language says of names in a scope.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Whether a name in a role can mean a definition of a kind.
    pub fits: fn(Role, &str) -> bool,
    /// Whether a second definition of a name in a scope is an assignment to the first.
    pub first_counts: bool,
    /// Whether a function sees its variables before they are defined.
    pub is_hoisted: bool,
}

impl Rules {
    /// The rules of a language.
    pub fn of(key: &str) -> Self {
        let fits = match key {
            "java" => can_mean,
            "c" | "cpp" => |role, kind: &str| role != Role::Type || can_mean(role, kind),
            // What stands where a type does may be a constant.
            "rust" => {
                |role, kind: &str| role != Role::Type || kind == "constant" || can_mean(role, kind)
            }
            _ => |_, _: &str| true,
        };
        let is_hoisted = !matches!(key, "c" | "cpp" | "go" | "java" | "rust");
        Self { fits, first_counts: key == "go", is_hoisted }
    }
}

/// Binds every name that is not a member of another value, and records which definitions are local.
pub fn bind(
    symbols: &mut Symbols,
    scopes: &[Scope],
    initializers: &[Initializer],
    length: usize,
    rules: Rules,
) {
    // The first scope is the whole text.
    let whole = Scope { start: 0, end: length as u32 + 1, is_class: false, is_seen_inside: true };
    let mut all = vec![whole];
    all.extend(scopes.iter().filter(|scope| scope.start > 0 || scope.end < length as u32));
    let outer = outer(&all);
    // What is written apart from its type or object is named through that alone.
    let apart: BTreeSet<u32> = symbols.bases.iter().map(|(number, _)| *number).collect();
    let mut names = Names::new();
    for number in 0..symbols.definitions.len() {
        let Some(found) = symbols.definitions.get(number).copied() else { continue };
        let Some(at) = symbols.occurrence(found.occurrence).copied() else { continue };
        let inside = innermost(&all, &outer, at.start);
        // The name of a definition that opens a scope lies outside that scope.
        let names_scope = CONTAINERS.contains(&found.kind());
        let mut scope = inside;
        while names_scope && scope > 0 && all.get(scope).is_some_and(|one| one.start >= found.start)
        {
            scope = outer.get(scope).copied().unwrap_or(0);
        }
        let is_member = matches!(found.kind(), "extension" | "field" | "member" | "property");
        let in_class = all.get(scope).is_some_and(|scope| scope.is_class);
        let is_seen = in_class && all.get(scope).is_some_and(|scope| scope.is_seen_inside);
        if let Some(found) = symbols.definitions.get_mut(number) {
            found.is_local = scope > 0 && !in_class && !is_member;
        }
        let is_method = matches!(found.kind(), "constructor" | "method");
        let is_apart = is_method && apart.contains(&(number as u32));
        if found.kind() != "export" && !is_apart && (!is_member || is_seen) {
            let known = names.entry((scope, at.name)).or_default();
            let first = known.first().map(|(_, first)| *first);
            match first.filter(|_| rules.first_counts) {
                Some(first) if found.kind() == "variable" => {
                    let assigned = symbols.occurrences.get_mut(found.occurrence as usize);
                    if let Some(assigned) = assigned {
                        assigned.bound = Some(first);
                    }
                }
                Some(_) => {}
                None => known.push((seen_from(initializers, at.start), number as u32)),
            }
        }
    }
    for number in 0..symbols.occurrences.len() {
        let Some(at) = symbols.occurrences.get(number).copied() else { continue };
        if at.is_member || at.is_argument || at.bound.is_some() || at.role == Role::Import {
            continue;
        }
        // Whether a definition can be meant by a name that stands before it, or behind it.
        let is_meant = |number: u32, is_before: bool| {
            let definition = symbols.definition(number);
            let kind = definition.map_or("", Definition::kind);
            let is_late = is_before
                && !rules.is_hoisted
                && definition.is_some_and(|one| one.is_local)
                && matches!(kind, "parameter" | "variable");
            (rules.fits)(at.role, kind) && !is_late
        };
        let bound = lookup(&all, &outer, &names, at.name, at.start, &is_meant);
        if let Some(found) = symbols.occurrences.get_mut(number) {
            found.bound = bound;
        }
    }
}

/// The enclosing scope of each scope.
fn outer(scopes: &[Scope]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut outer = Vec::with_capacity(scopes.len());
    for (number, scope) in scopes.iter().enumerate() {
        while open
            .last()
            .and_then(|at| scopes.get(*at))
            .is_some_and(|around| around.end < scope.end)
        {
            open.pop();
        }
        outer.push(open.last().copied().unwrap_or(0));
        open.push(number);
    }
    outer
}

/// The smallest scope that contains a byte.
fn innermost(scopes: &[Scope], outer: &[usize], byte: u32) -> usize {
    let mut at = scopes.partition_point(|scope| scope.start <= byte).saturating_sub(1);
    while at > 0 && scopes.get(at).is_some_and(|scope| scope.end <= byte) {
        at = outer.get(at).copied().unwrap_or(0);
    }
    at
}

/// The definition that a name refers to at a byte: in the innermost scope that has one, the last
/// definition before the byte that fits, or else the first one after it.
fn lookup(
    scopes: &[Scope],
    outer: &[usize],
    names: &Names,
    name: u32,
    byte: u32,
    fits: &dyn Fn(u32, bool) -> bool,
) -> Option<u32> {
    let first = innermost(scopes, outer, byte);
    let mut scope = first;
    loop {
        let is_seen = scope == first || scopes.get(scope).is_none_or(|one| one.is_seen_inside);
        if let Some(known) = names.get(&(scope, name)).filter(|_| is_seen) {
            let mut seen = known.iter().rev().filter(|(from, _)| *from <= byte);
            let seen = seen.find(|(_, definition)| fits(*definition, false));
            let mut later = known.iter().filter(|(from, _)| *from > byte);
            let later = || later.find(|(_, definition)| fits(*definition, true));
            if let Some((_, definition)) = seen.or_else(later) {
                return Some(*definition);
            }
        }
        if scope == 0 {
            return None;
        }
        scope = outer.get(scope).copied().unwrap_or(0);
    }
}

/// Whether a name in a role can mean a definition of a kind, where calls, types and values have names
/// of their own.
pub fn can_mean(role: Role, kind: &str) -> bool {
    let is_callable = matches!(kind, "constructor" | "method");
    let is_value = matches!(kind, "constant" | "field" | "parameter" | "variable");
    match role {
        Role::Call => !is_value,
        Role::Type => !is_callable && !is_value && kind != "function",
        Role::Read | Role::Write => !is_callable,
        Role::Definition | Role::Import => true,
    }
}
