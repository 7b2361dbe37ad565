//! The additions of TypeScript: interfaces, type aliases, enumerations, namespaces and `declare`.

use tree_sitter::Node;

use super::{
    Ecmascript,
    declaration::{open, scope_of},
    nested,
};
use crate::{
    code::walk::{Scope, Step, Walk, child, children, folded},
    symbol::{Symbol, SymbolKind},
};

impl Ecmascript {
    /// An interface; its members follow.
    pub(super) fn interface(&self, walk: &mut Walk, node: Node) -> Step {
        let Some(mut symbol) = self.named(walk, SymbolKind::Interface, node) else {
            return nested(walk);
        };
        let heritage = children(node).filter(|one| one.kind().starts_with("extends"));
        symbol.bases = heritage.flat_map(children).map(|one| folded(walk.node_text(one))).collect();
        open(walk, symbol)
    }

    /// A type alias.
    pub(super) fn alias(&mut self, walk: &mut Walk, node: Node) -> Step {
        let Some(mut symbol) = self.named(walk, SymbolKind::Type, node) else {
            return nested(walk);
        };
        symbol.return_type = walk.field_text(node, "value").map(folded);
        self.types_before = self.types_before.max(node.end_byte());
        open(walk, symbol)
    }

    /// An enumeration with its members.
    pub(super) fn enumeration(&self, walk: &mut Walk, node: Node) -> Step {
        let Some(symbol) = self.named(walk, SymbolKind::Enum, node) else { return nested(walk) };
        let (scope, exported) = (scope_of(&symbol), symbol.exported);
        walk.symbols.push(symbol);
        for member in walk.field(node, "body").into_iter().flat_map(children) {
            if member.kind() == "comment" {
                walk.pass_comment(member);
                continue;
            }
            let name = walk.field(member, "name").unwrap_or(member);
            let mut symbol = walk.symbol(SymbolKind::EnumMember, name, member);
            symbol.parent.clone_from(&scope.name);
            symbol.exported = exported;
            symbol.return_type = walk.field_text(member, "value").map(folded);
            walk.symbols.push(symbol);
        }
        Step::Skip
    }

    /// A namespace; `A.B` is one inside the other.
    pub(super) fn namespace(&self, walk: &mut Walk, node: Node) -> Step {
        let Some(name) = walk.field(node, "name") else { return nested(walk) };
        let mut parts = vec![name];
        while let Some(first) = parts.first().filter(|one| one.kind() == "nested_identifier") {
            let (object, property) = (walk.field(*first, "object"), walk.field(*first, "property"));
            let (Some(object), Some(property)) = (object, property) else { break };
            parts.splice(..1, [object, property]);
        }
        let mut scope: Option<Scope> = None;
        for part in parts {
            let mut symbol = self.declare(walk, SymbolKind::Namespace, Some(part), node);
            if let Some(outer) = &scope {
                symbol.parent.clone_from(&outer.name);
                symbol.exported = outer.exported;
                (symbol.decl_line, symbol.modifiers) = (symbol.line, Vec::new());
            }
            scope = Some(scope_of(&symbol));
            walk.symbols.push(symbol);
        }
        scope.map_or(Step::Into, Step::Inside)
    }

    /// `declare …`: the declaration inside begins here; `declare global` is a namespace.
    pub(super) fn ambient(&mut self, walk: &mut Walk, node: Node) -> Step {
        let mut cursor = node.walk();
        let global =
            node.children(&mut cursor).find(|one| one.kind() == "global" && !one.is_named());
        if let Some(global) = global {
            let symbol = self.declare(walk, SymbolKind::Namespace, Some(global), node);
            let scope = scope_of(&symbol);
            walk.symbols.push(symbol);
            return Step::Inside(scope);
        }
        let inner = child_declaration(node);
        self.wrap(walk, node, inner, &["declare"]);
        Step::Into
    }

    /// A symbol with a name and, perhaps, type parameters.
    fn named(&self, walk: &Walk, kind: SymbolKind, node: Node) -> Option<Symbol> {
        let name = walk.field(node, "name")?;
        let mut symbol = self.declare(walk, kind, Some(name), node);
        if walk.field(node, "type_parameters").is_some() {
            symbol.idioms.push("generic".to_owned());
        }
        Some(symbol)
    }
}

fn child_declaration(node: Node) -> Option<Node> {
    child(node, "expression_statement")
        .and_then(|one| one.named_child(0))
        .or_else(|| children(node).find(|one| !matches!(one.kind(), "comment" | "decorator")))
}
