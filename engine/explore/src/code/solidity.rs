//! Solidity.

use tree_sitter::Node;

use super::{
    doc,
    walk::{Scope, Step, Visitor, Walk, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Solidity.
pub struct Solidity;

impl Visitor for Solidity {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "import_directive" => import(walk, node),
            "contract_declaration" => container(walk, node, SymbolKind::Contract),
            "interface_declaration" => container(walk, node, SymbolKind::Interface),
            "library_declaration" => container(walk, node, SymbolKind::Library),
            "struct_declaration" => container(walk, node, SymbolKind::Struct),
            "struct_member" => member(walk, node, SymbolKind::Field, Visibility::Public),
            "enum_declaration" => member(walk, node, SymbolKind::Enum, Visibility::Public),
            "event_definition" => member(walk, node, SymbolKind::Event, Visibility::Public),
            "error_declaration" => member(walk, node, SymbolKind::Error, Visibility::Public),
            "modifier_definition" => member(walk, node, SymbolKind::Modifier, Visibility::Internal),
            "user_defined_type_definition" => {
                member(walk, node, SymbolKind::Type, Visibility::Public)
            }
            "constant_variable_declaration" => {
                member(walk, node, SymbolKind::Constant, Visibility::Public)
            }
            "state_variable_declaration" => {
                member(walk, node, SymbolKind::Variable, Visibility::Internal)
            }
            "function_definition" => {
                let kind =
                    if walk.parent().is_some() { SymbolKind::Method } else { SymbolKind::Function };
                member(walk, node, kind, Visibility::Public)
            }
            "constructor_definition" => special(walk, node, SymbolKind::Constructor),
            "fallback_receive_definition" => special(walk, node, SymbolKind::Method),
            "source_file" | "contract_body" | "struct_body" | "ERROR" => Step::Into,
            _ => Step::Skip,
        }
    }
}

fn container(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.bases = children(node)
        .filter(|part| part.kind() == "inheritance_specifier")
        .filter_map(|part| walk.field_text(part, "ancestor"))
        .map(folded)
        .collect();
    if walk.node_text(node).starts_with("abstract") {
        symbol.modifiers.push("abstract".to_owned());
    }
    show(&mut symbol, Visibility::Public);
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
    let scope = walk.qualified(".", walk.node_text(name));
    Step::Inside(Scope { name: Some(scope), kind: Some(kind), ..Scope::default() })
}

fn member(walk: &mut Walk, node: Node, kind: SymbolKind, usual: Visibility) -> Step {
    if let Some(name) = node.child_by_field_name("name") {
        let symbol = walk.symbol(kind, name, node);
        describe(walk, node, symbol, usual);
    }
    Step::Skip
}

/// A declaration that has a keyword in place of a name.
fn special(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let text = walk.node_text(node);
    let name = ["constructor", "receive"]
        .into_iter()
        .find(|word| text.starts_with(word))
        .unwrap_or("fallback");
    let symbol = walk.named(kind, name, line(node), node);
    describe(walk, node, symbol, Visibility::Public);
    Step::Skip
}

fn describe(walk: &mut Walk, node: Node, mut symbol: Symbol, usual: Visibility) {
    let mut visibility = usual;
    for part in children(node) {
        let text = walk.node_text(part);
        match part.kind() {
            "parameter" | "event_parameter" | "error_parameter" => {
                symbol.params.push(folded(text));
            }
            "visibility" => {
                visibility = match text {
                    "external" => Visibility::External,
                    "internal" => Visibility::Internal,
                    "private" => Visibility::Private,
                    _ => Visibility::Public,
                };
                symbol.modifiers.push(text.to_owned());
            }
            "state_mutability"
            | "virtual"
            | "override_specifier"
            | "immutable"
            | "modifier_invocation" => symbol.modifiers.push(folded(text)),
            _ => {}
        }
    }
    symbol.return_type = walk
        .field_text(node, "return_type")
        .map(|returned| folded(returned.trim_start_matches("returns")))
        .or_else(|| walk.field_text(node, "type").map(folded));
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    show(&mut symbol, visibility);
    walk.symbols.push(symbol);
}

fn show(symbol: &mut Symbol, visibility: Visibility) {
    symbol.visibility = Some(visibility);
    symbol.exported = Some(matches!(visibility, Visibility::Public | Visibility::External));
}

/// An import: a relative path, or one that exists below the root, is local; everything else is
/// installed.
fn import(walk: &mut Walk, node: Node) -> Step {
    let Some(source) = walk.field_text(node, "source") else { return Step::Skip };
    let path = source.trim_matches(['"', '\'']);
    let mut cursor = node.walk();
    let mut names: Vec<String> = node
        .children_by_field_name("import_name", &mut cursor)
        .map(|name| walk.node_text(name).to_owned())
        .collect();
    if names.is_empty() {
        names.push("*".to_owned());
    }
    let relative = path.starts_with("./") || path.starts_with("../");
    let category = if relative || walk.project.has(path) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(path, names, category, node);
    Step::Skip
}
