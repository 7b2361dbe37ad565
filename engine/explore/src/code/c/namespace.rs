//! Namespaces, and the scopes written before a name.

use tree_sitter::Node;

use super::declarator::path;
use crate::{
    code::walk::{Scope, Step, Walk, children},
    symbol::SymbolKind,
};

/// A namespace; `a::b` is one inside the other.
pub(super) fn namespace(walk: &mut Walk, node: Node) -> Step {
    let exported = walk.scope().and_then(|scope| scope.exported);
    let Some(name) = walk.field(node, "name") else {
        return Step::Inside(Scope { exported: Some(false), ..Scope::default() });
    };
    let parts: Vec<Node> = match name.kind() {
        "nested_namespace_specifier" => flat(name),
        _ => vec![name],
    };
    let mut scope = walk.parent();
    for part in parts {
        let mut symbol = walk.symbol(SymbolKind::Namespace, part, node);
        symbol.parent.clone_from(&scope);
        symbol.exported = Some(false);
        scope = Some(match scope {
            Some(outer) => format!("{outer}::{}", symbol.name),
            None => symbol.name.clone(),
        });
        walk.symbols.push(symbol);
    }
    Step::Inside(Scope { name: scope, exported, ..Scope::default() })
}

/// The components of `a::b::c`, which some grammars nest.
fn flat(name: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    let mut waiting = vec![name];
    while let Some(node) = waiting.pop() {
        if node.kind() == "nested_namespace_specifier" {
            let mut parts: Vec<Node> = children(node).collect();
            parts.reverse();
            waiting.extend(parts);
        } else {
            names.push(node);
        }
    }
    names
}

/// The qualified name of a symbol's owner: the scopes written before the symbol's name, appended to
/// the scope around it.
pub(super) fn owner(walk: &Walk, scopes: &[Node]) -> Option<String> {
    let mut name = walk.parent();
    for scope in scopes {
        let (_, last) = path(*scope);
        let part = walk.node_text(last);
        name = Some(match name {
            Some(outer) => format!("{outer}::{part}"),
            None => part.to_owned(),
        });
    }
    name
}
