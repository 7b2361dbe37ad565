//! Swift: types, extensions and their members. Declarations in a body or an accessor are local to
//! it.

use tree_sitter::Node;

use super::{
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Swift.
pub struct Swift;

static STDLIB: Names = Names::embedded(include_str!("../../../../queries/swift/stdlib.txt"));

impl Visitor for Swift {
    /// All branches of conditional code count as declarations: the directives between them are
    /// blanked.
    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        memchr::memmem::find(text.as_bytes(), b"#if")?;
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let word = line.trim_start();
            if ["#if", "#elseif", "#else", "#endif"]
                .iter()
                .any(|directive| word.starts_with(directive))
            {
                let keep = |byte: u8| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' };
                out.extend(line.bytes().map(|byte| char::from(keep(byte))));
            } else {
                out.push_str(line);
            }
        }
        Some(out)
    }

    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "comment" | "multiline_comment" => walk.comment(node, &["///", "/**"]),
            "source_file" | "class_body" | "enum_class_body" | "protocol_body" | "ERROR" => {
                return Step::Into;
            }
            "import_declaration" => import(walk, node),
            "class_declaration" => return owner(walk, node, type_kind(node)),
            "protocol_declaration" => return owner(walk, node, SymbolKind::Protocol),
            "function_declaration" | "protocol_function_declaration" => function(walk, node),
            "init_declaration" => special(walk, node, "init", SymbolKind::Constructor),
            "deinit_declaration" => special(walk, node, "deinit", SymbolKind::Destructor),
            "subscript_declaration" => special(walk, node, "subscript", SymbolKind::Method),
            "property_declaration" | "protocol_property_declaration" => properties(walk, node),
            "enum_entry" => cases(walk, node),
            "typealias_declaration" => named(walk, node, SymbolKind::Alias),
            "associatedtype_declaration" => named(walk, node, SymbolKind::Type),
            _ => {}
        }
        Step::Skip
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let file = walk.file.rsplit('/').next().unwrap_or_default();
        let main =
            walk.symbols.iter().any(|symbol| symbol.decorators.iter().any(|name| name == "main"));
        let has_main = main || file == "main.swift";
        let imports = |name: &str| walk.imports.iter().any(|import| import.path == name);
        let views = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Struct && symbol.bases.iter().any(|base| base == "View")
        });
        let is_swift_ui = imports("SwiftUI") && views;
        let tests = file.trim_end_matches(".swift").ends_with("Tests");
        let marked =
            walk.symbols.iter().any(|symbol| symbol.decorators.iter().any(|name| name == "Test"));
        let is_test = tests || marked || imports("XCTest") || imports("Testing");
        walk.facts.set("has_main", has_main);
        walk.facts.set("is_swift_ui", is_swift_ui);
        walk.facts.set("is_test_file", is_test);
    }
}

/// Apple's modules belong to the platform; the project's own modules have a folder of their name.
fn import(walk: &mut Walk, node: Node) {
    walk.leading(node);
    let Some(identifier) = child(node, "identifier") else { return };
    let path: String = walk.node_text(identifier).split_whitespace().collect();
    let module = path.split('.').next().unwrap_or_default();
    let category = if STDLIB.has(module) {
        ImportCategory::Stdlib
    } else if walk.project.has_swift_module(module) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, Vec::new(), category, node);
}

fn type_kind(node: Node) -> SymbolKind {
    let mut cursor = node.walk();
    let kinds = node.children(&mut cursor).find_map(|part| match part.kind() {
        "struct" => Some(SymbolKind::Struct),
        "enum" => Some(SymbolKind::Enum),
        "extension" => Some(SymbolKind::Extension),
        "class" | "actor" => Some(SymbolKind::Class),
        _ => None,
    });
    kinds.unwrap_or(SymbolKind::Class)
}

fn owner(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut found = symbol(walk, node, kind, &folded(walk.node_text(name)), line(name));
    found.bases = children(node)
        .filter(|part| part.kind() == "inheritance_specifier")
        .map(|part| folded(walk.node_text(part)))
        .collect();
    let mut cursor = node.walk();
    if node.children(&mut cursor).any(|part| part.kind() == "actor") {
        found.idioms.push("actor".to_owned());
    }
    if child(node, "type_parameters").is_some() {
        found.idioms.push("generic".to_owned());
    }
    let name = walk.qualified(".", &found.name);
    let visibility = found.visibility;
    walk.symbols.push(found);
    // Requirements are as visible as their protocol; members of an extension have the extension's
    // modifier.
    let given = matches!(kind, SymbolKind::Protocol | SymbolKind::Extension);
    let visibility = visibility.filter(|_| given);
    Step::Inside(Scope { name: Some(name), kind: Some(kind), visibility, ..Scope::default() })
}

fn function(walk: &mut Walk, node: Node) {
    let mut cursor = node.walk();
    let name = node.child_by_field_name("name").or_else(|| {
        // An operator has no node for its name.
        node.children(&mut cursor).skip_while(|part| part.kind() != "func").nth(1)
    });
    let Some(name) = name else { return };
    let kind = if walk.parent().is_some() { SymbolKind::Method } else { SymbolKind::Function };
    let found = symbol(walk, node, kind, walk.node_text(name), line(name));
    callable(walk, node, found);
}

fn special(walk: &mut Walk, node: Node, name: &str, kind: SymbolKind) {
    let mut cursor = node.walk();
    let keyword = node.children(&mut cursor).find(|part| part.kind() == name).unwrap_or(node);
    let found = symbol(walk, node, kind, name, line(keyword));
    callable(walk, node, found);
}

fn callable(walk: &mut Walk, node: Node, mut found: Symbol) {
    found.params = children(node)
        .filter(|part| part.kind() == "parameter")
        .map(|part| folded(walk.node_text(part)))
        .collect();
    let mut cursor = node.walk();
    let mut arrow = false;
    for part in node.children(&mut cursor) {
        match part.kind() {
            "->" => arrow = true,
            "async" | "throws" | "rethrows" => found.modifiers.push(part.kind().to_owned()),
            _ if arrow && found.return_type.is_none() => {
                found.return_type = Some(folded(walk.node_text(part)));
            }
            _ => {}
        }
    }
    walk.symbols.push(found);
}

/// Every name that the patterns bind becomes a symbol.
fn properties(walk: &mut Walk, node: Node) {
    let leading = walk.leading(node);
    let kind = if walk.parent().is_some() { SymbolKind::Property } else { SymbolKind::Variable };
    let kept =
        |part: Node| child(part, "value_binding_pattern").map(|part| folded(walk.node_text(part)));
    let pattern = node.child_by_field_name("name");
    let binding = kept(node).or_else(|| pattern.and_then(kept));
    let annotation = child(node, "type_annotation")
        .and_then(|part| part.child_by_field_name("name"))
        .map(|part| folded(walk.node_text(part)));
    let computed = node.child_by_field_name("computed_value").is_some();
    let mut cursor = node.walk();
    let mut open: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
    open.reverse();
    while let Some(pattern) = open.pop() {
        if pattern.kind() == "simple_identifier" {
            let name = walk.node_text(pattern).trim_matches('`');
            let mut found = symbol(walk, node, kind, name, line(pattern));
            found.modifiers.extend(binding.clone());
            found.return_type.clone_from(&annotation);
            found.doc = leading.doc();
            if computed {
                found.idioms.push("computed".to_owned());
            }
            walk.symbols.push(found);
        } else if matches!(pattern.kind(), "pattern" | "tuple_pattern") {
            let inner: Vec<Node> = children(pattern).collect();
            open.extend(inner.into_iter().rev());
        }
    }
}

/// The cases on one line; they are as visible as their enum.
fn cases(walk: &mut Walk, node: Node) {
    let mut cursor = node.walk();
    let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
    for name in names.into_iter().filter(|part| part.kind() == "simple_identifier") {
        let text = walk.node_text(name).trim_matches('`');
        let mut found = symbol(walk, node, SymbolKind::EnumMember, text, line(name));
        if let Some(values) =
            name.next_named_sibling().filter(|part| part.kind() == "enum_type_parameters")
        {
            found.return_type = Some(folded(walk.node_text(values)));
        }
        walk.symbols.push(found);
    }
}

fn named(walk: &mut Walk, node: Node, kind: SymbolKind) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let found = symbol(walk, node, kind, walk.node_text(name), line(name));
    walk.symbols.push(found);
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind, name: &str, at: u32) -> Symbol {
    let leading = walk.leading(node);
    let mut found = walk.named(kind, name.trim_matches('`'), at, node);
    let given = walk.scope().and_then(|scope| scope.visibility);
    let mut visibility = given.unwrap_or(Visibility::Internal);
    for part in child(node, "modifiers").into_iter().flat_map(children) {
        let text = folded(walk.node_text(part));
        match (part.kind(), text.as_str()) {
            ("attribute", text) => {
                found.decorators.push(text.trim_start_matches('@').to_owned());
                continue;
            }
            ("visibility_modifier", "public" | "open") => visibility = Visibility::Public,
            ("visibility_modifier", "private" | "fileprivate") => visibility = Visibility::Private,
            ("visibility_modifier", "internal") => visibility = Visibility::Internal,
            ("visibility_modifier", "package") => visibility = Visibility::Package,
            _ if part.is_extra() => continue,
            _ => {}
        }
        found.modifiers.push(text);
    }
    found.set_visibility(visibility);
    found.doc = leading.doc();
    found
}
