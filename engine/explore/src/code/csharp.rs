//! C#: types and their members, qualified by their namespaces. Declarations in a body are local to
//! it. Operators, indexers and destructors have no name of their own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use tree_sitter::Node;

use super::{
    csharp_directives,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// C#.
#[derive(Debug, Default)]
pub struct CSharp {
    /// The namespaces of the file.
    namespaces: Vec<String>,
    /// Whether the file has top-level statements.
    top_level_statements: bool,
}

impl Visitor for CSharp {
    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        csharp_directives::seen(text)
    }

    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "comment" => walk.comment(node, &["///", "/**"]),
            "compilation_unit" => return Step::Inside(Scope::default()),
            "namespace_declaration" => return self.namespace(walk, node),
            "file_scoped_namespace_declaration" => {
                if let Step::Inside(scope) = self.namespace(walk, node)
                    && let Some(file) = walk.scope_mut()
                {
                    *file = scope;
                }
            }
            "using_directive" => using(walk, node),
            "class_declaration" => return owner(walk, node, SymbolKind::Class),
            "struct_declaration" => return owner(walk, node, SymbolKind::Struct),
            "interface_declaration" => return owner(walk, node, SymbolKind::Interface),
            "enum_declaration" => return owner(walk, node, SymbolKind::Enum),
            "record_declaration" | "record_struct_declaration" => {
                return owner(walk, node, SymbolKind::Record);
            }
            "method_declaration" => member(walk, node, SymbolKind::Method),
            "constructor_declaration" => member(walk, node, SymbolKind::Constructor),
            "property_declaration" => member(walk, node, SymbolKind::Property),
            "delegate_declaration" => member(walk, node, SymbolKind::Delegate),
            "enum_member_declaration" => member(walk, node, SymbolKind::EnumMember),
            "field_declaration" => variables(walk, node, SymbolKind::Field),
            "event_field_declaration" => variables(walk, node, SymbolKind::Event),
            "global_statement" => {
                self.top_level_statements = true;
                walk.facts.set("top_level_statements", true);
            }
            "declaration_list" | "enum_member_declaration_list" | "ERROR" => return Step::Into,
            _ => {}
        }
        Step::Skip
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let main = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Method
                && symbol.name == "Main"
                && symbol.has_modifier("static")
        });
        walk.facts.set("has_main", main || self.top_level_statements);
        let uses_async = walk.symbols.iter().any(|symbol| symbol.has_modifier("async"));
        walk.facts.set("uses_async", uses_async);
        let hidden: Vec<_> = csharp_directives::hidden(walk.text)
            .iter()
            .map(|region| json!({"line": region.line, "end_line": region.end_line}))
            .collect();
        if !hidden.is_empty() {
            walk.facts.set("not_compiled", hidden);
        }
        self.categorise(walk);
        let mut usings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for import in &walk.imports {
            let group = match import.category {
                ImportCategory::Stdlib if import.path.starts_with("Microsoft") => "microsoft",
                ImportCategory::Stdlib => "system",
                ImportCategory::Local => "project",
                _ => "third_party",
            };
            usings.entry(group).or_default().push(&import.path);
        }
        let attributes: BTreeSet<String> = walk
            .symbols
            .iter()
            .flat_map(|symbol| &symbol.decorators)
            .map(|text| format!("[{}]", text.split('(').next().unwrap_or_default().trim()))
            .collect();
        walk.facts.set("usings", usings);
        walk.facts.set("attributes", attributes);
    }
}

impl CSharp {
    /// A namespace is not a symbol; it becomes part of the names of its types.
    fn namespace(&mut self, walk: &mut Walk, node: Node) -> Step {
        let name = walk.field_text(node, "name").unwrap_or_default();
        let name = walk.qualified(".", &name.split_whitespace().collect::<String>());
        walk.facts.push("namespaces", &name);
        self.namespaces.push(name.clone());
        walk.leading(node);
        let kind = Some(SymbolKind::Namespace);
        Step::Inside(Scope { name: Some(name), kind, ..Scope::default() })
    }

    /// `System` and `Microsoft` belong to the platform. A module is local if it begins with a
    /// namespace of a project file, or shares the first component of a namespace of this file.
    fn categorise(&self, walk: &mut Walk) {
        let own: Vec<&str> =
            self.namespaces.iter().filter_map(|name| name.split('.').next()).collect();
        for import in &mut walk.imports {
            let path = import.path.as_str();
            let below = |name: &str| {
                path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            import.category = if path == "System"
                || path.starts_with("System.")
                || path.starts_with("Microsoft.")
            {
                ImportCategory::Stdlib
            } else if own.iter().any(|name| below(name))
                || walk.project.dotnet().iter().any(|name| below(name))
            {
                ImportCategory::Local
            } else {
                ImportCategory::ThirdParty
            };
        }
    }
}

fn using(walk: &mut Walk, node: Node) {
    let alias = walk.field(node, "name");
    let path = children(node).filter(|part| !part.is_extra() && Some(*part) != alias).last();
    if let Some(path) = path {
        let path = folded(walk.node_text(path));
        walk.import(&path, Vec::new(), ImportCategory::Unknown, node);
    }
}

fn owner(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Into };
    let mut found = symbol(walk, node, kind, name);
    found.bases = child(node, "base_list")
        .into_iter()
        .flat_map(children)
        .filter(|part| !part.is_extra() && part.kind() != "argument_list")
        .map(|part| folded(walk.node_text(part)))
        .collect();
    if let Some(parameters) = child(node, "parameter_list") {
        found.params = params(walk, parameters);
    }
    if child(node, "type_parameter_list").is_some() {
        found.idioms.push("generic".to_owned());
    }
    let name = walk.qualified(".", &found.name);
    walk.symbols.push(found);
    Step::Inside(Scope { name: Some(name), kind: Some(kind), ..Scope::default() })
}

fn member(walk: &mut Walk, node: Node, kind: SymbolKind) {
    let Some(name) = walk.field(node, "name") else { return };
    let mut found = symbol(walk, node, kind, name);
    if let Some(parameters) = walk.field(node, "parameters") {
        found.params = params(walk, parameters);
    }
    let returned = walk.field_text(node, "returns").or_else(|| walk.field_text(node, "type"));
    found.return_type = returned.map(folded);
    if kind == SymbolKind::Property {
        found.idioms = accessors(walk, node);
    }
    walk.symbols.push(found);
}

/// The accessors of a property, and `auto` if the compiler writes their bodies.
fn accessors(walk: &Walk, node: Node) -> Vec<String> {
    let Some(list) = walk.field(node, "accessors") else { return vec!["get".to_owned()] };
    let mut idioms = Vec::new();
    let mut auto = true;
    for accessor in children(list).filter(|part| part.kind() == "accessor_declaration") {
        let text = walk.node_text(accessor);
        let words = text.split(|sign: char| !sign.is_alphanumeric());
        idioms.extend(
            words.filter(|word| matches!(*word, "get" | "set" | "init")).take(1).map(str::to_owned),
        );
        auto &= walk.field(accessor, "body").is_none();
    }
    if auto {
        idioms.push("auto".to_owned());
    }
    idioms
}

/// A declaration of several variables is one symbol each.
fn variables(walk: &mut Walk, node: Node, kind: SymbolKind) {
    let Some(declaration) = child(node, "variable_declaration") else { return };
    for declarator in children(declaration).filter(|part| part.kind() == "variable_declarator") {
        let Some(name) = walk.field(declarator, "name") else { continue };
        // A fixed-size buffer is part of the layout of its struct.
        if child(declarator, "bracketed_argument_list").is_some() {
            continue;
        }
        let mut found = symbol(walk, node, kind, name);
        found.return_type = walk.field_text(declaration, "type").map(folded);
        walk.symbols.push(found);
    }
}

/// The parameters as written, split at commas: the tree has no nodes for some of them.
fn params(walk: &Walk, parameters: Node) -> Vec<String> {
    let mut params = Vec::new();
    let mut range: Option<(usize, usize)> = None;
    let mut cursor = parameters.walk();
    for part in parameters.children(&mut cursor) {
        match part.kind() {
            "(" => {}
            "," | ")" => {
                let text = range.take().and_then(|(start, end)| walk.text.get(start..end));
                params.extend(text.map(folded));
            }
            _ if part.is_extra() => {}
            _ => {
                let start = range.map_or(part.start_byte(), |(start, _)| start);
                range = Some((start, part.end_byte()));
            }
        }
    }
    params
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind, name: Node) -> Symbol {
    let leading = walk.leading(node);
    let text = walk.node_text(name).trim_start_matches('@');
    let mut found = walk.named(kind, text, line(name), node);
    for part in children(node) {
        match part.kind() {
            "modifier" => found.modifiers.push(walk.node_text(part).to_owned()),
            "attribute_list" => {
                let attributes = children(part).filter(|part| part.kind() == "attribute");
                found.decorators.extend(attributes.map(|part| folded(walk.node_text(part))));
            }
            _ => {}
        }
    }
    let around = walk.scope().and_then(|scope| scope.kind);
    let visibility = if found.has_modifier("public") {
        Visibility::Public
    } else if found.has_modifier("protected") {
        Visibility::Protected
    } else if found.has_modifier("internal") {
        Visibility::Internal
    } else if found.has_modifier("private") {
        Visibility::Private
    } else if kind == SymbolKind::EnumMember || around == Some(SymbolKind::Interface) {
        Visibility::Public
    } else if around.is_none_or(|kind| kind == SymbolKind::Namespace) {
        Visibility::Internal
    } else {
        Visibility::Private
    };
    found.set_visibility(visibility);
    found.doc = leading.doc().map(|doc| untagged(&doc));
    found
}

/// A doc comment without its XML tags.
fn untagged(doc: &str) -> String {
    let mut text = String::new();
    for (index, part) in doc.split('<').enumerate() {
        let shown =
            if index == 0 { part } else { part.split_once('>').map_or("", |(_, rest)| rest) };
        text.push_str(shown);
    }
    folded(&text)
}
