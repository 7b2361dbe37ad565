//! MATLAB and Octave: functions and classes.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::symbol::SymbolKind;

/// MATLAB.
#[derive(Debug)]
pub struct Matlab;

const COMMENTS: Style = Style { line: &["%", "#"], block: None };

impl Visitor for Matlab {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "class_definition" => class(walk, node),
            "function_definition" => function(walk, node),
            "source_file" | "methods" | "block" | "ERROR" => Step::Into,
            _ => Step::Skip,
        }
    }
}

fn class(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut symbol = walk.symbol(SymbolKind::Class, name, node);
    symbol.bases = child(node, "superclasses").map_or_else(Vec::new, |list| {
        children(list).map(|base| folded(walk.node_text(base))).collect()
    });
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope {
        name: Some(symbol.name.clone()),
        kind: Some(SymbolKind::Class),
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// `function [out] = name(in)`; an accessor has a name such as `get.property`.
fn function(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let before = walk.text.get(..name.start_byte()).unwrap_or_default();
    let prefix = ["get.", "set."].iter().find(|prefix| before.ends_with(**prefix));
    let method = walk.scope().is_some_and(|scope| scope.kind == Some(SymbolKind::Class));
    let kind = if method { SymbolKind::Method } else { SymbolKind::Function };
    let full = format!("{}{}", prefix.unwrap_or(&""), walk.node_text(name));
    let mut symbol = walk.named(kind, &full, line(name), node);
    symbol.params = child(node, "function_arguments").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
    });
    symbol.return_type = child(node, "function_output")
        .map(|output| folded(walk.node_text(output)).trim_end_matches('=').trim().to_owned());
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Into
}
