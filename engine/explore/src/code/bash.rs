//! Bash and other shells: functions, declared variables, aliases and sourced files.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Shell scripts.
#[derive(Debug)]
pub struct Bash;

const COMMENTS: Style = Style { line: &["#"], block: None };

impl Visitor for Bash {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "function_definition" => function(walk, node),
            "declaration_command" => declaration(walk, node),
            "variable_assignment" => assignment(walk, node),
            "command" => command(walk, node),
            "string" | "raw_string" | "heredoc_body" | "word" | "comment" | "test_command" => {
                Step::Skip
            }
            _ => Step::Into,
        }
    }
}

fn function(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut symbol = walk.symbol(SymbolKind::Function, name, node);
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope {
        name: Some(walk.qualified(".", &symbol.name)),
        kind: Some(SymbolKind::Function),
        callable: true,
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// `export A=1`, `readonly B=2`, `declare -r C=3` outside functions.
fn declaration(walk: &mut Walk, node: Node) -> Step {
    if walk.in_callable() {
        return Step::Skip;
    }
    let Some(word) = node.child(0).map(|word| walk.node_text(word)) else { return Step::Skip };
    let flags: Vec<&str> = children(node)
        .filter(|found| found.kind() == "word")
        .map(|flag| walk.node_text(flag))
        .collect();
    let has = |flag: char| flags.iter().any(|word| word.starts_with('-') && word.contains(flag));
    let constant = word == "readonly" || has('r');
    let exported = word == "export" || has('x');
    for assignment in children(node).filter(|found| found.kind() == "variable_assignment") {
        let Some(name) = child(assignment, "variable_name") else { continue };
        let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
        let mut symbol = walk.symbol(kind, name, assignment);
        symbol.modifiers = vec![word.to_owned()];
        symbol.exported = Some(exported);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// The first assignment of a variable at the top level of the script.
fn assignment(walk: &mut Walk, node: Node) -> Step {
    let top = node.parent().is_some_and(|parent| parent.kind() == "program");
    let Some(name) = child(node, "variable_name").filter(|_| top) else { return Step::Into };
    let text = walk.node_text(name);
    if !walk.has_symbol(text) {
        let mut symbol = walk.symbol(SymbolKind::Variable, name, node);
        symbol.exported = Some(false);
        walk.symbols.push(symbol);
    }
    Step::Into
}

/// `source file`, `. file` and `alias name=…`.
fn command(walk: &mut Walk, node: Node) -> Step {
    let word = walk.field_text(node, "name").unwrap_or_default();
    let arguments: Vec<Node> =
        children(node).filter(|found| found.kind() != "command_name").collect();
    match (word, arguments.first()) {
        ("source" | ".", Some(file)) => {
            let path = walk.node_text(*file).trim_matches(['"', '\'']).to_owned();
            let category = if path.starts_with('/') {
                ImportCategory::ThirdParty
            } else {
                ImportCategory::Local
            };
            walk.import(&path, Vec::new(), category, node);
            Step::Skip
        }
        ("alias", Some(_)) if !walk.in_callable() => {
            for argument in arguments {
                let Some((name, _)) = walk.node_text(argument).split_once('=') else { continue };
                let row = super::walk::line(argument);
                let symbol = walk.named(SymbolKind::Alias, name, row, argument);
                walk.symbols.push(symbol);
            }
            Step::Skip
        }
        _ => Step::Into,
    }
}
