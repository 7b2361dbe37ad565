//! Which symbols are parts, and which part is in which.

use explore::{Symbol, SymbolKind as Kind};

use crate::Part;

/// Most parts that begin in one line: a file of a program that writes everything into one line has few.
const MOST_IN_LINE: usize = 8;
/// Parts deeper than this are left to the part around them.
const MOST_DEPTH: usize = 64;

/// The symbols that are parts, in their order, each inside the smallest one around it. `lines` is the number of
/// lines of the file.
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

/// Sorts parts by their first line, the longer first, and finds what each is inside of.
pub fn order(parts: &mut Vec<Part>) {
    // The sort is stable: what begins and ends in the same lines keeps the order of the source.
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

/// Whether a part, whose lines include those of another, has it inside: of the same lines, only if the other's
/// scope ends with its name.
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

/// Types, containers and what can be called are parts wherever they stand; values and keys only at the top of
/// a file, because those inside something are part of what it is.
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
