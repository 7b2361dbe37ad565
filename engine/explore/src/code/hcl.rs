//! HCL (Terraform, Packer, Nomad): the top-level blocks and attributes of a file.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Step, Visitor, Walk, child, children, folded},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// HCL.
#[derive(Debug)]
pub struct Hcl;

const COMMENTS: Style = Style { line: &["#", "//"], block: Some(("/*", "*/")) };

impl Visitor for Hcl {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "config_file" | "body" | "ERROR" => Step::Into,
            "block" => block(walk, node),
            "attribute" => attribute(walk, node),
            _ => Step::Skip,
        }
    }
}

/// `resource "type" "name" { … }` has the name `type.name`; a block without labels has the name of
/// its type.
fn block(walk: &mut Walk, node: Node) -> Step {
    let mut labels = Vec::new();
    let Some(kind) = child(node, "identifier") else { return Step::Skip };
    for label in children(node).skip(1) {
        match label.kind() {
            "identifier" | "string_lit" => labels.push(label),
            _ => break,
        }
    }
    let word = walk.node_text(kind).to_owned();
    let text = |label: &Node| walk.node_text(*label).trim_matches('"').to_owned();
    let (name, row) = match labels.last() {
        Some(last) if !walk.node_text(*last).trim_matches('"').is_empty() => {
            (labels.iter().map(text).collect::<Vec<_>>().join("."), *last)
        }
        _ => (word.clone(), kind),
    };
    let mut symbol = walk.named(SymbolKind::Block, &name, super::walk::line(row), node);
    symbol.modifiers = if labels.is_empty() { Vec::new() } else { vec![word.clone()] };
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    if word == "module" {
        source(walk, node, &name);
    }
    Step::Skip
}

fn attribute(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = child(node, "identifier") {
        let mut symbol = walk.symbol(SymbolKind::Key, name, node);
        symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// The `source` of a module; a path that begins with `./` or `../` is local.
fn source(walk: &mut Walk, module: Node, name: &str) {
    let Some(body) = child(module, "body") else { return };
    for attribute in children(body).filter(|found| found.kind() == "attribute") {
        let (Some(key), Some(value)) =
            (child(attribute, "identifier"), child(attribute, "expression"))
        else {
            continue;
        };
        if walk.node_text(key) == "source" {
            let path = folded(walk.node_text(value)).trim_matches('"').to_owned();
            let category = if path.starts_with('.') {
                ImportCategory::Local
            } else {
                ImportCategory::ThirdParty
            };
            walk.import(&path, vec![name.to_owned()], category, attribute);
            return;
        }
    }
}
