//! Which symbols are parts, and how parts nest.

use explore::{Symbol, SymbolKind as Kind};

use crate::Part;

/// Maximum number of parts that begin in one line. It limits the parts of generated files that are
/// written in one line.
const MOST_IN_LINE: usize = 8;
/// Parts nested deeper than this are left to the enclosing part.
const MOST_DEPTH: usize = 64;

/// The symbols that are parts, in their order, each inside the smallest one that encloses it.
/// `lines` is the number of lines of the file.
pub fn parts(symbols: &[Symbol], lines: usize) -> Vec<Part> {
    let last = u32::try_from(lines).unwrap_or(u32::MAX);
    let mut parts: Vec<Part> = symbols
        .iter()
        .filter(|symbol| is_part(symbol) && symbol.decl_line >= 1 && symbol.decl_line <= last)
        .map(|symbol| Part {
            kind: symbol.kind.as_str(),
            name: symbol.name.clone(),
            is_symbol: true,
            parent: symbol.parent.clone(),
            inside: None,
            depth: 0,
            line: symbol.line.clamp(symbol.decl_line, last),
            start: symbol.decl_line,
            end: symbol.end_line.clamp(symbol.decl_line, last),
            signature: String::new(),
            documentation: symbol.doc.clone(),
            imports: Vec::new(),
        })
        .collect();
    order(&mut parts);
    parts
}

/// Sorts parts by first line, longer ones first, and finds the enclosing part of each.
pub fn order(parts: &mut Vec<Part>) {
    // The sort is stable: parts with the same lines keep the order of the source.
    parts.sort_by(|one, other| one.start.cmp(&other.start).then(other.end.cmp(&one.end)));
    let mut around: Vec<(usize, u32)> = Vec::new();
    let mut kept: Vec<Part> = Vec::with_capacity(parts.len());
    let (mut line, mut in_line) = (0, 0);
    for mut part in parts.drain(..) {
        while around.last().is_some_and(|&(index, end)| {
            part.start > end || part.end > end || !holds(&kept[index], &part)
        }) {
            around.pop();
        }
        if part.start != line {
            (line, in_line) = (part.start, 0);
        }
        in_line += 1;
        if in_line > MOST_IN_LINE || around.len() >= MOST_DEPTH {
            continue;
        }
        part.inside = around.last().map(|&(index, _)| index);
        part.depth = around.len();
        around.push((kept.len(), part.end));
        kept.push(part);
    }
    *parts = kept;
}

/// Whether the part `outer`, whose lines include those of `inner`, encloses it. If both have the
/// same lines, that is so only if the scope of `inner` ends with the name of `outer`.
fn holds(outer: &Part, inner: &Part) -> bool {
    if !outer.is_symbol {
        return false;
    }
    let same = outer.start == inner.start && outer.end == inner.end;
    !same
        || inner.parent.as_deref().is_some_and(|parent| {
            parent.strip_suffix(outer.name.as_str()).is_some_and(|before| {
                !before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
            })
        })
}

/// Types, containers and callables are parts wherever they stand. Values and keys are parts only at
/// the top level of a file: inside something, they belong to it.
fn is_part(symbol: &Symbol) -> bool {
    match symbol.kind {
        Kind::Property
        | Kind::Field
        | Kind::Variable
        | Kind::Constant
        | Kind::Static
        | Kind::EnumMember
        | Kind::Variant
        | Kind::Event
        | Kind::Error
        | Kind::Key
        | Kind::Intent
        | Kind::Slot
        | Kind::Rule => symbol.parent.is_none(),
        _ => true,
    }
}
