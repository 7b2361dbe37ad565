//! Zig.

use tree_sitter::Node;

use super::{
    doc,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Zig.
pub struct Zig;

impl Visitor for Zig {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "Decl" => declaration(walk, node),
            "ContainerField" => field(walk, node),
            "TestDecl" | "ComptimeDecl" => expression(walk, node),
            "BUILTINIDENTIFIER" => {
                import(walk, node);
                Step::Skip
            }
            "line_comment" | "doc_comment" | "ParamDeclList" => Step::Skip,
            _ => Step::Into,
        }
    }
}

/// An expression or a body: declarations in it are local, but it may import.
fn expression(walk: &Walk, node: Node) -> Step {
    let imports = memchr::memmem::find(walk.node_text(node).as_bytes(), b"@import").is_some();
    if imports { Step::Inside(Scope { callable: true, ..Scope::default() }) } else { Step::Skip }
}

fn declaration(walk: &mut Walk, node: Node) -> Step {
    if walk.in_callable() {
        return Step::Into;
    }
    if let Some(prototype) = child(node, "FnProto") {
        function(walk, node, prototype);
    } else if let Some(variable) = child(node, "VarDecl") {
        return value(walk, node, variable);
    }
    expression(walk, node)
}

fn function(walk: &mut Walk, node: Node, prototype: Node) {
    let Some(name) = prototype.child_by_field_name("function") else { return };
    let kind = if walk.parent().is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let mut symbol = named(walk, kind, name, node);
    if let Some(parameters) = child(prototype, "ParamDeclList") {
        symbol.params = children(parameters)
            .filter(|each| each.kind() == "ParamDecl")
            .map(|each| folded(walk.node_text(each)))
            .collect();
    }
    symbol.return_type = children(prototype)
        .last()
        .filter(|last| last.kind() == "ErrorUnionExpr")
        .map(|last| folded(walk.node_text(last)));
    let before = walk.text.get(node.start_byte()..prototype.start_byte()).unwrap_or_default();
    symbol.modifiers.extend(before.split_whitespace().map(str::to_owned));
    walk.symbols.push(symbol);
}

/// A constant or variable; if its value is a container, the symbol is that container.
fn value(walk: &mut Walk, node: Node, variable: Node) -> Step {
    let Some(name) = variable.child_by_field_name("variable_type_function") else {
        return Step::Into;
    };
    let container = container(variable);
    let word = variable.child(0).map_or("", |first| first.kind());
    let kind = match container
        .and_then(|container| child(container, "ContainerDeclType"))
        .map(|keyword| walk.node_text(keyword))
    {
        Some(keyword) if keyword.starts_with("struct") => SymbolKind::Struct,
        Some(keyword) if keyword.starts_with("union") => SymbolKind::Union,
        Some(keyword) if keyword.starts_with("enum") => SymbolKind::Enum,
        Some(_) => SymbolKind::Type,
        None if word == "const" => SymbolKind::Constant,
        None => SymbolKind::Variable,
    };
    let symbol = named(walk, kind, name, node);
    let scope = walk.qualified(".", &symbol.name);
    walk.symbols.push(symbol);
    if container.is_some() {
        Step::Inside(Scope { name: Some(scope), kind: Some(kind), ..Scope::default() })
    } else {
        expression(walk, node)
    }
}

/// The container that is the whole value of a variable, if there is one.
fn container(variable: Node<'_>) -> Option<Node<'_>> {
    let mut node = children(variable).last().filter(|last| last.kind() == "ErrorUnionExpr")?;
    let assigned = node.prev_sibling().is_some_and(|sign| sign.kind() == "=");
    while assigned && node.named_child_count() == 1 && node.child_count() == 1 {
        node = node.named_child(0)?;
        match node.kind() {
            "ContainerDecl" => return Some(node),
            "SuffixExpr" | "ErrorUnionExpr" => {}
            _ => return None,
        }
    }
    None
}

/// A field. A member of an enum or of a tuple, which has no type of its own, is not a symbol.
fn field(walk: &mut Walk, node: Node) -> Step {
    if walk.in_callable() {
        return Step::Into;
    }
    if let Some(name) = node.child_by_field_name("field_member") {
        let mut symbol = named(walk, SymbolKind::Field, name, node);
        symbol.return_type = child(node, "ErrorUnionExpr").map(|part| folded(walk.node_text(part)));
        symbol.exported = Some(true);
        walk.symbols.push(symbol);
    }
    expression(walk, node)
}

fn named(walk: &Walk, kind: SymbolKind, name: Node, node: Node) -> Symbol {
    let text = walk.node_text(name).trim_matches(['@', '"']);
    let mut symbol = walk.named(kind, text, line(name), node);
    let public = node.prev_sibling().filter(|before| before.kind() == "pub");
    symbol.exported = Some(public.is_some());
    if let Some(public) = public {
        symbol.decl_line = line(public);
        symbol.modifiers.push("pub".to_owned());
    }
    symbol.doc = doc::above(walk.text, public.unwrap_or(node).start_byte(), doc::C);
    symbol
}

fn import(walk: &mut Walk, node: Node) {
    if walk.node_text(node) != "@import" {
        return;
    }
    let Some(arguments) = node.next_named_sibling() else { return };
    let text = walk.node_text(arguments).trim_matches(['(', ')', ' ', ',', '\n', '\t', '\r']);
    let Some(path) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return;
    };
    let category = match path {
        "std" | "builtin" => ImportCategory::Stdlib,
        // The root of the program: known only at compile time.
        "root" => ImportCategory::Unknown,
        _ if path.ends_with(".zig") => ImportCategory::Local,
        _ => ImportCategory::ThirdParty,
    };
    walk.import(path, Vec::new(), category, node);
}
