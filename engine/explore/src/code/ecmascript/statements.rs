//! Top-level statements: variables, directives and calls.

use tree_sitter::Node;

use super::{
    Ecmascript, What,
    declaration::{annotation, signature},
    is_top, nested,
};
use crate::{
    code::walk::{Scope, Step, Walk, children, end_line},
    symbol::SymbolKind,
};

/// Marks the head of a loop.
const LOOP_HEAD: &str = "loop";

impl Ecmascript {
    /// The variables of a top-level statement.
    pub(super) fn variables(&self, walk: &mut Walk, node: Node) -> Step {
        if walk.owner().is_some() {
            return Step::Into;
        }
        if !is_top(walk) {
            let in_loop = node.parent().is_some_and(|one| one.kind() == "for_statement");
            // The head of a loop is not a statement: names below it keep their owner.
            return if in_loop {
                Step::Inside(Scope { mark: LOOP_HEAD, ..Scope::default() })
            } else {
                Step::Into
            };
        }
        let keyword = node.child(0).map(|one| walk.node_text(one)).unwrap_or_default();
        for one in children(node).filter(|one| one.kind() == "variable_declarator") {
            let Some(name) = walk.field(one, "name").filter(|one| one.kind() == "identifier")
            else {
                continue;
            };
            let value = walk.field(one, "value");
            let callable = value.filter(|value| {
                matches!(
                    value.kind(),
                    "arrow_function" | "function_expression" | "generator_function" | "function"
                )
            });
            let kind = if callable.is_some() { SymbolKind::Function } else { SymbolKind::Variable };
            let mut symbol = self.declare(walk, kind, Some(name), node);
            symbol.modifiers.retain(|word| word != "const");
            symbol.modifiers.push(keyword.to_owned());
            symbol.end_line = end_line(one);
            symbol.return_type = walk.field_text(one, "type").map(annotation);
            if let Some(value) = callable {
                signature(walk, &mut symbol, value);
                symbol.idioms.extend(callable_idioms(walk, &mut symbol.modifiers, value));
                symbol.return_type =
                    symbol.return_type.or_else(|| walk.field_text(one, "type").map(annotation));
            }
            if value.is_some() {
                symbol.idioms.push("initialised".to_owned());
            }
            walk.symbols.push(symbol);
        }
        Step::Into
    }

    /// The value of a variable without an owner: declarations inside the value belong to the
    /// variable.
    pub(super) fn declarator(&mut self, walk: &Walk, node: Node) -> Step {
        if walk.owner().is_some() || walk.scope().is_some_and(|scope| scope.mark == LOOP_HEAD) {
            return Step::Into;
        }
        let (Some(name), Some(value)) = (walk.field(node, "name"), walk.field(node, "value"))
        else {
            return Step::Skip;
        };
        self.skip_before = value.start_byte();
        let name = Some(walk.node_text(name).to_owned());
        Step::Inside(Scope { name, exported: Some(false), ..Scope::default() })
    }

    /// An expression statement: directives, top-level calls, namespaces.
    pub(super) fn statement(&mut self, walk: &Walk, node: Node) -> Step {
        let Some(first) = node.named_child(0).filter(|_| is_top(walk)) else { return nested(walk) };
        match first.kind() {
            // The grammar parses TypeScript's namespaces as expressions.
            "internal_module" => return Step::Into,
            "string" if walk.node_text(first).trim_matches(['"', '\'']) == "use strict" => {
                self.note(walk, node, What::Strict);
            }
            "call_expression" | "await_expression" | "new_expression" | "unary_expression" => {
                let text = walk.node_text(first);
                let called = walk.field(first, "function");
                let is_iife = called.is_some_and(|one| one.kind() == "parenthesized_expression")
                    && (text.contains("function") || text.contains("=>"))
                    || first.kind() == "unary_expression" && text.contains("function");
                self.note(walk, node, if is_iife { What::Iife } else { What::Run });
            }
            "parenthesized_expression"
                if walk.node_text(first).trim_end_matches([')', ' ']).ends_with('(') =>
            {
                self.note(walk, node, What::Iife);
            }
            _ => {}
        }
        nested(walk)
    }
}

fn callable_idioms(walk: &Walk, modifiers: &mut Vec<String>, value: Node) -> Vec<String> {
    let mut idioms = Vec::new();
    if value.kind() == "arrow_function" {
        idioms.push("arrow".to_owned());
    }
    if value.kind() == "generator_function" {
        idioms.push("generator".to_owned());
    }
    if value.child(0).is_some_and(|first| walk.node_text(first) == "async") {
        modifiers.push("async".to_owned());
    }
    idioms
}
