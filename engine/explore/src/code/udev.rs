//! udev rules: the labels that rules jump to, and how many rules there are.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Step, Visitor, Walk, child, children},
};
use crate::symbol::SymbolKind;

/// udev rules.
#[derive(Debug)]
pub struct Udev;

const COMMENTS: Style = Style { line: &["#"], block: None };

impl Visitor for Udev {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "rules" | "ERROR" => Step::Into,
            "rule" => rule(walk, node),
            _ => Step::Skip,
        }
    }

    /// Replaces carriage returns, which the grammar does not know.
    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        text.contains('\r').then(|| text.replace('\r', " "))
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let count = children(root).filter(|found| found.kind() == "rule").count();
        walk.facts.set("rule_count", count);
    }
}

fn rule(walk: &mut Walk, node: Node) -> Step {
    for assignment in children(node).filter(|found| found.kind() == "assignment") {
        let label = walk.node_text(assignment).trim_start().starts_with("LABEL");
        let content = child(assignment, "value").and_then(|value| child(value, "content"));
        if let Some(name) = content.filter(|_| label) {
            let mut symbol = walk.symbol(SymbolKind::Rule, name, node);
            symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
            walk.symbols.push(symbol);
        }
    }
    Step::Skip
}
