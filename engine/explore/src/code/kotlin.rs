//! Kotlin: the declarations of a file and of the types in it. Declarations in the body of a
//! function, and the primary constructor with its properties, are not symbols of their own.

use tree_sitter::{Node, Tree};

use super::{
    java::{in_jdk, project_root},
    kotlin_headers,
    walk::{Scope, Step, Visitor, Walk, child, children, end_line, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Kotlin.
#[derive(Debug, Default)]
pub struct Kotlin {
    /// The name of the file's package.
    package: Option<String>,
}

impl Visitor for Kotlin {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "line_comment" | "multiline_comment" => walk.comment(node, &["/**"]),
            "source_file" | "import_list" | "class_body" | "enum_class_body" | "ERROR" => {
                return Step::Into;
            }
            "package_header" => self.package(walk, node),
            "import_header" => return import(walk, node, self.package.as_deref()),
            "class_declaration" => return owner(walk, node, class_kind(node)),
            "object_declaration" | "companion_object" => {
                return owner(walk, node, SymbolKind::Object);
            }
            "enum_entry" => return owner(walk, node, SymbolKind::EnumMember),
            "function_declaration" => function(walk, node),
            "secondary_constructor" => constructor(walk, node),
            "property_declaration" => property(walk, node),
            "getter" | "setter" => accessor(walk, node),
            "type_alias" => alias(walk, node),
            _ => {}
        }
        Step::Skip
    }

    fn reread(&self, text: &str, tree: &Tree) -> Option<String> {
        kotlin_headers::reread(text, tree)
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let has_main = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Function && symbol.name == "main" && symbol.parent.is_none()
        });
        walk.facts.set("has_main", has_main);
    }
}

impl Kotlin {
    fn package(&mut self, walk: &mut Walk, node: Node) {
        self.package = child(node, "identifier").map(|part| dotted(walk.node_text(part)));
        walk.facts.set("package_name", &self.package);
    }
}

/// A qualified name without white space and backquotes.
fn dotted(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace() && *sign != '`').collect()
}

/// An import. In the tree it may reach up to the next declaration; comments in between belong to
/// that declaration.
fn import(walk: &mut Walk, node: Node, package: Option<&str>) -> Step {
    let Some(identifier) = child(node, "identifier") else { return Step::Into };
    let mut path = dotted(walk.node_text(identifier));
    if child(node, "wildcard_import").is_some() {
        path.push_str(".*");
    }
    let own = project_root(package.unwrap_or_default());
    let category = if path.starts_with("kotlin.") || in_jdk(&path) {
        ImportCategory::Stdlib
    } else if path.strip_prefix(own).is_some_and(|rest| rest.starts_with('.')) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, Vec::new(), category, node);
    Step::Into
}

/// The kind of a class by the keyword before its name.
fn class_kind(node: Node) -> SymbolKind {
    match token(node, &["interface", "enum", "class"]).map(|part| part.kind()) {
        Some("interface") => SymbolKind::Interface,
        Some("enum") => SymbolKind::Enum,
        _ => SymbolKind::Class,
    }
}

/// The first child that is one of these tokens.
fn token<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|part| kinds.contains(&part.kind()))
}

fn owner(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let name = child(node, "type_identifier").or_else(|| child(node, "simple_identifier"));
    let mut found = match name {
        Some(name) => symbol(walk, node, kind, word(walk, name), line(name)),
        None if node.kind() == "companion_object" => {
            let keyword = token(node, &["object"]).unwrap_or(node);
            symbol(walk, node, kind, "Companion", line(keyword))
        }
        None => return Step::Into,
    };
    found.bases = children(node)
        .filter(|part| part.kind() == "delegation_specifier")
        .map(|part| folded(walk.node_text(part)))
        .collect();
    if let Some(constructor) = child(node, "primary_constructor") {
        found.params = children(constructor)
            .filter(|part| part.kind() == "class_parameter")
            .map(|part| folded(walk.node_text(part)))
            .collect();
    }
    if node.kind() == "companion_object" {
        found.modifiers.push("companion".to_owned());
    }
    let scope = Scope {
        name: Some(walk.qualified(".", &found.name)),
        kind: Some(kind),
        ..Scope::default()
    };
    walk.symbols.push(found);
    Step::Inside(scope)
}

/// The whole name, even if the tree has only its beginning.
fn word<'a>(walk: &Walk<'a>, name: Node) -> &'a str {
    let read = walk.node_text(name);
    let rest = walk.text.get(name.end_byte()..).unwrap_or_default();
    let more = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
    let end = name.end_byte() + more.unwrap_or(rest.len());
    walk.text.get(name.start_byte()..end).unwrap_or(read)
}

fn function(walk: &mut Walk, node: Node) {
    let Some(name) = child(node, "simple_identifier") else { return };
    let top = walk.parent().is_none();
    let kind = if top { SymbolKind::Function } else { SymbolKind::Method };
    let mut found = symbol(walk, node, kind, walk.node_text(name), line(name));
    found.params = params(walk, node);
    found.return_type = declared_type(walk, node);
    if child(node, "receiver_type").is_some() {
        found.idioms.push("extension".to_owned());
    }
    walk.symbols.push(found);
}

fn constructor(walk: &mut Walk, node: Node) {
    let owner = walk.parent().unwrap_or_default();
    let name = owner.rsplit('.').next().unwrap_or_default().to_owned();
    let keyword = token(node, &["constructor"]).unwrap_or(node);
    let mut found = symbol(walk, node, SymbolKind::Constructor, &name, line(keyword));
    found.params = params(walk, node);
    walk.symbols.push(found);
}

fn property(walk: &mut Walk, node: Node) {
    let Some(variable) = child(node, "variable_declaration") else { return };
    let Some(name) = child(variable, "simple_identifier") else { return };
    let mut found = symbol(walk, node, SymbolKind::Property, walk.node_text(name), line(name));
    found.return_type = declared_type(walk, variable);
    found
        .modifiers
        .extend(child(node, "binding_pattern_kind").map(|part| walk.node_text(part).to_owned()));
    walk.symbols.push(found);
}

/// Accessors on separate lines follow their property in the tree.
fn accessor(walk: &mut Walk, node: Node) {
    if let Some(last) = walk.symbols.last_mut().filter(|symbol| symbol.kind == SymbolKind::Property)
    {
        last.end_line = last.end_line.max(end_line(node));
    }
}

fn alias(walk: &mut Walk, node: Node) {
    let Some(name) = child(node, "type_identifier") else { return };
    let found = symbol(walk, node, SymbolKind::Alias, walk.node_text(name), line(name));
    walk.symbols.push(found);
}

/// Parameters with the modifiers before them.
fn params(walk: &Walk, node: Node) -> Vec<String> {
    let mut params = Vec::new();
    let mut before = String::new();
    for part in child(node, "function_value_parameters").into_iter().flat_map(children) {
        match part.kind() {
            "parameter_modifiers" => before = format!("{} ", folded(walk.node_text(part))),
            "parameter" => {
                params.push(format!("{before}{}", folded(walk.node_text(part))));
                before.clear();
            }
            _ => {}
        }
    }
    params
}

/// The type after the colon of a declaration.
fn declared_type(walk: &Walk, node: Node) -> Option<String> {
    let mut cursor = node.walk();
    let mut parts = node.children(&mut cursor).skip_while(|part| part.kind() != ":").skip(1);
    parts.find(|part| part.is_named() && !part.is_extra()).map(|part| folded(walk.node_text(part)))
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind, name: &str, at: u32) -> Symbol {
    let leading = walk.leading(node);
    let mut found = walk.named(kind, name.trim_matches('`'), at, node);
    let mut visibility = Visibility::Public;
    for modifier in child(node, "modifiers").into_iter().flat_map(children) {
        let text = folded(walk.node_text(modifier));
        match (modifier.kind(), text.as_str()) {
            ("annotation", text) => {
                found.decorators.push(text.trim_start_matches('@').to_owned());
                continue;
            }
            ("visibility_modifier", "private") => visibility = Visibility::Private,
            ("visibility_modifier", "internal") => visibility = Visibility::Internal,
            ("visibility_modifier", "protected") => visibility = Visibility::Protected,
            _ if modifier.is_extra() => continue,
            _ => {}
        }
        found.modifiers.push(text);
    }
    found.set_visibility(visibility);
    found.doc = leading.doc();
    found
}
