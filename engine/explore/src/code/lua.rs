//! Lua.

use tree_sitter::Node;

use super::{
    doc,
    stdlib::Names,
    walk::{Step, Visitor, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Lua.
pub struct Lua;

/// Longest target of an assigned function, in bytes. Computed keys can contain functions in turn,
/// so the names in a deep nest would otherwise grow with the square of the file.
const LONGEST_NAME: usize = 512;

static STDLIB: Names = Names::embedded(include_str!("../../../../queries/lua/stdlib.txt"));

impl Visitor for Lua {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "function_declaration" => {
                if let Some(name) = node.child_by_field_name("name") {
                    let local = node.child(0).is_some_and(|first| first.kind() == "local");
                    function(walk, name, node, node, local);
                }
                Step::Into
            }
            "assignment_statement" => assignment(walk, node),
            "function_call" => {
                require(walk, node);
                Step::Into
            }
            "comment" | "string" | "number" | "identifier" | "parameters" => Step::Skip,
            _ => Step::Into,
        }
    }
}

/// `M.f = function() end`, `local f = function() end`.
fn assignment(walk: &mut Walk, node: Node) -> Step {
    let (Some(names), Some(values)) =
        (child(node, "variable_list"), child(node, "expression_list"))
    else {
        return Step::Into;
    };
    let local = node.parent().is_some_and(|parent| parent.kind() == "variable_declaration");
    let mut cursor = names.walk();
    let names: Vec<Node> = names.children_by_field_name("name", &mut cursor).collect();
    let values = children(values).filter(|value| value.kind() != "comment");
    for (name, value) in names.into_iter().zip(values) {
        if value.kind() == "function_definition" {
            function(walk, name, value, node, local);
        }
    }
    Step::Into
}

fn function(walk: &mut Walk, name: Node, body: Node, declaration: Node, local: bool) {
    if name.byte_range().len() > LONGEST_NAME {
        return;
    }
    let written = |node: Node| walk.node_text(node).split_whitespace().collect::<String>();
    let table = name.child_by_field_name("table").map(written);
    let key = name.child_by_field_name("field").or_else(|| name.child_by_field_name("method"));
    // A computed key, as in `t[k] = function`, is shown as it is written.
    let own = match (name.kind(), key) {
        ("bracket_index_expression", Some(key)) => format!("[{}]", written(key)),
        (_, Some(key)) => walk.node_text(key).to_owned(),
        _ => walk.node_text(name).to_owned(),
    };
    let method = name.kind() == "method_index_expression"
        || table.as_ref().is_some_and(|table| table.contains(':'));
    let kind = if method { SymbolKind::Method } else { SymbolKind::Function };
    let mut symbol = walk.named(kind, &own, line(name), declaration);
    symbol.parent = table;
    if let Some(parameters) = body.child_by_field_name("parameters") {
        symbol.params = children(parameters).map(|each| folded(walk.node_text(each))).collect();
    }
    if local {
        symbol.modifiers.push("local".to_owned());
    }
    symbol.exported = Some(!local);
    symbol.doc = doc::above(walk.text, declaration.start_byte(), doc::DASHES);
    walk.symbols.push(symbol);
}

fn require(walk: &mut Walk, node: Node) {
    if walk.field_text(node, "name") != Some("require") {
        return;
    }
    let Some(argument) = node
        .child_by_field_name("arguments")
        .and_then(|arguments| children(arguments).next())
        .filter(|argument| argument.kind() == "string")
    else {
        return;
    };
    let module = child(argument, "string_content").map_or("", |content| walk.node_text(content));
    let category = if STDLIB.has(module) {
        ImportCategory::Stdlib
    } else if walk.project.has_lua(walk.file, module) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(module, Vec::new(), category, node);
}
