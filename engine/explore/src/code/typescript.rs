//! TypeScript, with and without JSX: what it adds to `ecmascript`.

use tree_sitter::Node;

use super::{
    ecmascript::{self, declare, nested},
    landmarks::Signs,
    walk::{Language, Scope, Step, Walk, child, children, folded},
};
use crate::symbol::{Symbol, SymbolKind};

/// TypeScript.
#[derive(Debug)]
pub struct TypeScript {
    /// Whether it has JSX.
    pub jsx: bool,
}

impl Language for TypeScript {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        enter(walk, node, false)
    }

    fn landmarks(&self) -> Option<&'static Signs> {
        Some(if self.jsx { &ecmascript::LANDMARKS_OF_JSX } else { &ecmascript::LANDMARKS })
    }

    fn finish(&self, walk: &mut Walk, root: Node) {
        ecmascript::finish_typescript(walk, root);
    }
}

/// Looks at one node. `commonjs`: whether `module.exports` exports.
pub fn enter(walk: &mut Walk, node: Node, commonjs: bool) -> Step {
    if node.start_byte() < walk.memo.skip_before {
        return Step::Skip;
    }
    let kind = node.kind();
    match kind {
        "interface_declaration" => interface(walk, node),
        "type_alias_declaration" => alias(walk, node),
        "enum_declaration" => enumeration(walk, node),
        "internal_module" | "module" => namespace(walk, node),
        "ambient_declaration" => ambient(walk, node),
        _ => ecmascript::enter(walk, node, kind, commonjs),
    }
}

fn interface(walk: &mut Walk, node: Node) -> Step {
    let Some(mut symbol) = named(walk, SymbolKind::Interface, node) else { return nested(walk) };
    let heritage = children(node).filter(|one| one.kind().starts_with("extends"));
    symbol.bases = heritage.flat_map(children).map(|one| folded(walk.of(one))).collect();
    ecmascript::open(walk, symbol)
}

fn alias(walk: &mut Walk, node: Node) -> Step {
    let Some(mut symbol) = named(walk, SymbolKind::Type, node) else { return nested(walk) };
    symbol.return_type = walk.field(node, "value").map(folded);
    walk.memo.types_before = walk.memo.types_before.max(node.end_byte());
    ecmascript::open(walk, symbol)
}

fn enumeration(walk: &mut Walk, node: Node) -> Step {
    let Some(symbol) = named(walk, SymbolKind::Enum, node) else { return nested(walk) };
    let (scope, exported) = (ecmascript::scope_of(&symbol), symbol.exported);
    walk.symbols.push(symbol);
    for member in walk.part(node, "body").into_iter().flat_map(children) {
        if member.kind() == "comment" {
            walk.pass_comment(member);
            continue;
        }
        let name = walk.part(member, "name").unwrap_or(member);
        let mut symbol = walk.symbol(SymbolKind::EnumMember, name, member);
        symbol.parent.clone_from(&scope.name);
        symbol.exported = exported;
        symbol.return_type = walk.field(member, "value").map(folded);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// A namespace; `A.B` is one in the other.
fn namespace(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.part(node, "name") else { return nested(walk) };
    let mut parts = vec![name];
    while let Some(first) = parts.first().filter(|one| one.kind() == "nested_identifier") {
        let (object, property) = (walk.part(*first, "object"), walk.part(*first, "property"));
        let (Some(object), Some(property)) = (object, property) else { break };
        parts.splice(..1, [object, property]);
    }
    let mut scope: Option<Scope> = None;
    for part in parts {
        let mut symbol = declare(walk, SymbolKind::Namespace, Some(part), node);
        if let Some(outer) = &scope {
            symbol.parent.clone_from(&outer.name);
            symbol.exported = outer.exported;
            (symbol.decl_line, symbol.modifiers) = (symbol.line, Vec::new());
        }
        scope = Some(ecmascript::scope_of(&symbol));
        walk.symbols.push(symbol);
    }
    scope.map_or(Step::Into, Step::Inside)
}

/// `declare …`: the declaration inside begins here; `declare global` is a namespace.
fn ambient(walk: &mut Walk, node: Node) -> Step {
    let mut cursor = node.walk();
    let global = node.children(&mut cursor).find(|one| one.kind() == "global" && !one.is_named());
    if let Some(global) = global {
        let symbol = declare(walk, SymbolKind::Namespace, Some(global), node);
        let scope = ecmascript::scope_of(&symbol);
        walk.symbols.push(symbol);
        return Step::Inside(scope);
    }
    let inner = child_declaration(node);
    ecmascript::wrap(walk, node, inner, &["declare"]);
    Step::Into
}

fn child_declaration(node: Node) -> Option<Node> {
    child(node, "expression_statement")
        .and_then(|one| one.named_child(0))
        .or_else(|| children(node).find(|one| !matches!(one.kind(), "comment" | "decorator")))
}

fn named(walk: &Walk, kind: SymbolKind, node: Node) -> Option<Symbol> {
    let name = walk.part(node, "name")?;
    let mut symbol = declare(walk, kind, Some(name), node);
    if walk.part(node, "type_parameters").is_some() {
        symbol.idioms.push("generic".to_owned());
    }
    Some(symbol)
}
