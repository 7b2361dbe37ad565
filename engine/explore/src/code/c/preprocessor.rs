//! Directives: conditional code, includes and macros.

use tree_sitter::Node;

use super::{C, DEAD, branches::literal_end, conditional};
use crate::{
    code::{
        doc,
        stdlib::Names,
        walk::{Scope, Step, Walk, children, folded, line},
    },
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

static C_HEADERS: Names = Names::embedded(include_str!("../../../../../queries/c/stdlib.txt"));
pub(super) static CPP_HEADERS: Names =
    Names::embedded(include_str!("../../../../../queries/cpp/stdlib.txt"));

impl C {
    /// Looks at a directive.
    pub(super) fn preprocessor(&mut self, walk: &mut Walk, node: Node, kind: &str) -> Step {
        let dead = walk.scope().is_some_and(|scope| scope.mark == DEAD);
        match kind {
            "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef"
            | "preproc_else" => {
                let alternative =
                    matches!(kind, "preproc_elif" | "preproc_elifdef" | "preproc_else");
                if dead && !alternative {
                    return Step::Skip;
                }
                let taken = alternative
                    && node.parent().is_some_and(|before| {
                        conditional::truth(walk, before, self.cpp) == Some(true)
                    });
                if taken {
                    return Step::Skip;
                }
                let outer = walk.scope().cloned().unwrap_or_default();
                match conditional::truth(walk, node, self.cpp) {
                    Some(false) => {
                        self.branches_left_out += 1;
                        walk.facts.set("branches_left_out", self.branches_left_out);
                        Step::Inside(Scope { name: None, mark: DEAD, ..outer })
                    }
                    _ if dead => Step::Inside(Scope { name: None, mark: "", ..outer }),
                    _ => Step::Into,
                }
            }
            _ if dead => Step::Skip,
            "preproc_include" => include(walk, node),
            "preproc_def" | "preproc_function_def" => define(walk, node),
            "preproc_call" => define_between(walk, node),
            _ => Step::Skip,
        }
    }
}

fn include(walk: &mut Walk, node: Node) -> Step {
    let Some(path) = walk.field(node, "path") else { return Step::Skip };
    let text = walk.node_text(path);
    let quoted = text.starts_with('"');
    let header = text.trim_matches(['"', '<', '>']);
    if !quoted && !text.starts_with('<') {
        return Step::Skip;
    }
    let standard = C_HEADERS.has_above(header, '/') || CPP_HEADERS.has_above(header, '/');
    let category = match quoted {
        true if standard && !walk.project.has_header(walk.file, header) => ImportCategory::Stdlib,
        true => ImportCategory::Local,
        false if standard => ImportCategory::Stdlib,
        false if walk.project.has_header(walk.file, header) => ImportCategory::Local,
        false => ImportCategory::ThirdParty,
    };
    walk.import(header, Vec::new(), category, node);
    Step::Skip
}

fn define(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Skip };
    let mut symbol = walk.symbol(SymbolKind::Macro, name, node);
    if let Some(parameters) = walk.field(node, "parameters") {
        symbol.params = children(parameters).map(|each| folded(walk.node_text(each))).collect();
        symbol.modifiers.push("function-like".to_owned());
    }
    if guards(walk, node) {
        symbol.idioms.push("header_guard".to_owned());
    }
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    let value = walk.field_text(node, "value");
    let behind = walk.text.get(name.end_byte()..node.end_byte());
    symbol.end_line = symbol.line.saturating_add(lines_of(behind));
    add(walk, symbol, value)
}

/// How many lines further the definition of a macro ends that goes on with this text behind its name. A comment behind
/// the definition is no part of it.
fn lines_of(text: Option<&str>) -> u32 {
    let bytes = text.unwrap_or_default().as_bytes();
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let rest = bytes.get(at + 2..).unwrap_or_default();
                at = memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |found| at + found + 4);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            quote @ (b'"' | b'\'') => {
                at = literal_end(bytes, at + 1, *quote);
                end = at;
                continue;
            }
            b'\\' if bytes.get(at + 1).is_some_and(|next| b"\r\n".contains(next)) => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => end = at + 1,
        }
        at += 1;
    }
    let lines = memchr::memchr_iter(b'\n', bytes.get(..end).unwrap_or_default()).count();
    u32::try_from(lines).unwrap_or(u32::MAX)
}

/// Adds a macro with the text that it stands for, wherever it is defined.
fn add(walk: &mut Walk, mut symbol: Symbol, value: Option<&str>) -> Step {
    symbol.parent = None;
    symbol.exported = Some(false);
    symbol.return_type = value.map(|value| folded(&value.replace("\\\n", " ")));
    walk.symbols.push(symbol);
    Step::Skip
}

/// A macro that is defined between the members of an enumeration, where the grammar knows no definitions.
fn define_between(walk: &mut Walk, node: Node) -> Step {
    let directive = walk.field_text(node, "directive").unwrap_or_default();
    let text = walk.field_text(node, "argument").unwrap_or_default().trim();
    let is_name = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let (name, value) = text.split_at(text.find(|one| !is_name(one)).unwrap_or(text.len()));
    if directive.trim_start_matches(['#', ' ', '\t']) != "define" || name.is_empty() {
        return Step::Skip;
    }
    let mut symbol = walk.named(SymbolKind::Macro, name, line(node), node);
    let is_function = value.starts_with('(');
    if is_function {
        symbol.modifiers.push("function-like".to_owned());
    }
    let value = Some(value).filter(|value| !is_function && !value.trim().is_empty());
    add(walk, symbol, value)
}

/// Whether a macro without a value is the include guard of the file.
fn guards(walk: &Walk, node: Node) -> bool {
    walk.field(node, "value").is_none()
        && node.prev_named_sibling().is_some_and(|before| before.kind() == "identifier")
        && node.parent().is_some_and(|parent| {
            parent.kind() == "preproc_ifdef"
                && walk.field_text(parent, "name") == walk.field_text(node, "name")
                && parent.parent().is_some_and(|above| above.parent().is_none())
        })
}
