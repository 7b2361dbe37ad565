//! Assignments in the bodies of modules and classes, and `__all__`.

use tree_sitter::Node;

use super::{BRANCH, CLASS, Python, is_public};
use crate::{
    code::walk::{Step, Walk, child, children, folded},
    symbol::SymbolKind,
};

impl Python {
    /// The names that a statement of a module or a class assigns.
    pub(super) fn statement(&mut self, walk: &mut Walk, node: Node) -> Step {
        let top = walk.scope().is_none_or(|scope| scope.mark == BRANCH);
        if top || walk.scope().is_some_and(|scope| scope.mark == CLASS) {
            let mut next = assignment(node);
            while let Some(assignment) = next {
                self.assign(walk, node, assignment);
                next = walk.field(assignment, "right").filter(|one| one.kind() == "assignment");
            }
        }
        Step::Skip
    }

    fn assign(&mut self, walk: &mut Walk, statement: Node, assignment: Node) {
        let Some(left) = walk.field(assignment, "left") else { return };
        let annotation = walk.field_text(assignment, "type").map(folded);
        if left.kind() == "identifier"
            && walk.node_text(left) == "__all__"
            && walk.scope().is_none()
        {
            self.declare_exports(walk, statement, annotation.is_some());
        }
        let mut pending = vec![left];
        while let Some(target) = pending.pop() {
            match target.kind() {
                "identifier" => {
                    let mut symbol = walk.symbol(SymbolKind::Variable, target, statement);
                    symbol.exported = Some(is_public(&symbol.name));
                    symbol.return_type.clone_from(&annotation);
                    if is_constant(&symbol.name) {
                        symbol.idioms.push("constant".to_owned());
                    }
                    walk.symbols.push(symbol);
                }
                // Attributes and subscripts are not names.
                "attribute" | "subscript" => {}
                _ => {
                    let inner: Vec<Node> = children(target).collect();
                    pending.extend(inner.into_iter().rev());
                }
            }
        }
    }

    /// Records a literal `__all__`.
    fn declare_exports(&mut self, walk: &mut Walk, statement: Node, annotated: bool) {
        let mut value = assignment(statement);
        while let Some(assignment) = value.filter(|one| one.kind() == "assignment") {
            value = walk.field(assignment, "right");
        }
        while let Some(inner) = value.filter(|one| one.kind() == "parenthesized_expression") {
            value = inner.named_child(0);
        }
        let is_list =
            |one: &Node| matches!(one.kind(), "list" | "tuple" | "set" | "expression_list");
        let Some(list) = value.filter(is_list) else { return };
        let names: Option<Vec<String>> = children(list)
            .filter(|one| one.kind() != "comment")
            .map(|one| literal(walk, one))
            .collect();
        if let Some(names) = names {
            walk.facts.set("exports", &names);
            // An annotated list is only shown; a plain assignment decides what is exported.
            if !annotated {
                self.exports = Some(names.into_iter().collect());
            }
        }
    }

    /// `__all__` decides what a module exports.
    pub(super) fn apply_exports(&self, walk: &mut Walk) {
        let Some(names) = &self.exports else { return };
        for symbol in walk.symbols.iter_mut().filter(|symbol| symbol.parent.is_none()) {
            symbol.exported = Some(names.contains(&symbol.name));
        }
    }
}

/// The assignment in a statement, if it is one.
fn assignment(statement: Node) -> Option<Node> {
    let is = |one: &Node| one.kind() == "assignment";
    Some(statement).filter(is).or_else(|| statement.named_child(0).filter(is))
}

/// The value of a string literal, with adjacent strings joined; `None` if it is not a plain string.
fn literal(walk: &Walk, node: Node) -> Option<String> {
    match node.kind() {
        "string" => {
            if child(node, "interpolation").is_some() {
                return None;
            }
            Some(
                child(node, "string_content")
                    .map(|text| walk.node_text(text))
                    .unwrap_or_default()
                    .to_owned(),
            )
        }
        "concatenated_string" => children(node).map(|one| literal(walk, one)).collect(),
        _ => None,
    }
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
