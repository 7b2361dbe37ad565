//! Java: types, methods and fields at any depth. Members of local and anonymous classes are symbols
//! as well. The scope of an anonymous class has the empty name; that of a constructor's body is
//! `<init>`.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::json;
use tree_sitter::Node;

use super::{
    stdlib::Names,
    walk::{Scope, Signs, Step, Visitor, Walk, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Java.
#[derive(Debug, Default)]
pub struct Java {
    /// The name of the file's package.
    package: Option<String>,
}

/// Packages of the JDK; Kotlin and Scala share them.
static JDK: Names = Names::embedded(include_str!("../../../../queries/java/stdlib.txt"));

/// Whether a dotted path begins with a package of the JDK.
pub fn in_jdk(path: &str) -> bool {
    JDK.has_before(path, '.')
}

/// The part of a package name that the packages of one project have in common: its first two
/// segments.
pub fn project_root(package: &str) -> &str {
    let end = package.match_indices('.').nth(1).map_or(package.len(), |(dot, _)| dot);
    package.get(..end).unwrap_or(package)
}

static LANDMARKS: LazyLock<Signs> = LazyLock::new(|| Signs::new(&["{", "/*", "//"]));

/// Marks a scope whose variables are local.
const BODY: &str = "body";

impl Visitor for Java {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "line_comment" | "block_comment" => {
                walk.comment(node, &["/**"]);
                Step::Skip
            }
            "package_declaration" => self.package(walk, node),
            "import_declaration" => import(walk, node, self.package.as_deref()),
            "class_declaration" => owner(walk, node, SymbolKind::Class),
            "interface_declaration" => owner(walk, node, SymbolKind::Interface),
            "enum_declaration" => owner(walk, node, SymbolKind::Enum),
            "record_declaration" => owner(walk, node, SymbolKind::Record),
            "annotation_type_declaration" => owner(walk, node, SymbolKind::Annotation),
            "method_declaration" | "annotation_type_element_declaration" => {
                callable(walk, node, SymbolKind::Method)
            }
            "constructor_declaration" | "compact_constructor_declaration" => {
                callable(walk, node, SymbolKind::Constructor)
            }
            "field_declaration" | "constant_declaration" => fields(walk, node),
            "enum_constant" => enum_constant(walk, node),
            // The body of an anonymous class; the bodies of declared types are entered with their
            // declarations.
            "class_body" if anonymous(node) => Step::Inside(named(walk, "", None)),
            // Types, names and literals hold no declarations.
            "modifiers"
            | "formal_parameters"
            | "type_parameters"
            | "superclass"
            | "super_interfaces"
            | "extends_interfaces"
            | "permits"
            | "throws"
            | "dimensions"
            | "string_literal"
            | "generic_type"
            | "array_type"
            | "scoped_type_identifier"
            | "type_arguments"
            | "marker_annotation"
            | "annotation"
            | "asterisk" => Step::Skip,
            _ if node.named_child_count() == 0 => Step::Skip,
            _ => Step::Into,
        }
    }

    /// Declarations have a body, except inside another body; comments may be documentation.
    fn landmarks(&self) -> Option<&'static Signs> {
        Some(&LANDMARKS)
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let mut imports: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for import in &walk.imports {
            let group = match import.category {
                _ if import.path.starts_with("java.") => "java",
                _ if import.path.starts_with("javax.") => "javax",
                ImportCategory::Local => "project",
                _ => "third_party",
            };
            imports.entry(group).or_default().push(&import.path);
        }
        walk.facts.set("imports", imports);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for decorator in walk.symbols.iter().flat_map(|symbol| &symbol.decorators) {
            *counts.entry(decorator.split('(').next().unwrap_or_default().trim()).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let annotations: Vec<_> =
            counts.iter().map(|(name, count)| json!({"name": name, "count": count})).collect();
        let has_main = walk.symbols.iter().any(|symbol| {
            symbol.kind == SymbolKind::Method
                && symbol.name == "main"
                && symbol.has_modifier("public")
                && symbol.has_modifier("static")
        });
        let types = [SymbolKind::Class, SymbolKind::Record];
        let inner = walk
            .symbols
            .iter()
            .filter(|symbol| types.contains(&symbol.kind) && symbol.parent.is_some());
        let inner = inner.count();
        walk.facts.set("annotations", annotations);
        walk.facts.set("has_main", has_main);
        walk.facts.set("inner_class_count", inner);
    }
}

impl Java {
    fn package(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.package = children(node)
            .find(|part| matches!(part.kind(), "scoped_identifier" | "identifier"))
            .map(|part| walk.node_text(part).split_whitespace().collect());
        walk.facts.set("package_name", &self.package);
        Step::Skip
    }
}

/// Imports from the JDK are the standard library; those that share the first two segments of the
/// package are local.
fn import(walk: &mut Walk, node: Node, package: Option<&str>) -> Step {
    let mut path = String::new();
    for part in children(node).filter(|part| !part.is_extra()) {
        if part.kind() == "asterisk" {
            path.push_str(".*");
        } else {
            path = walk.node_text(part).split_whitespace().collect();
        }
    }
    let category = category(&path, package);
    walk.import(&path, Vec::new(), category, node);
    Step::Skip
}

fn category(path: &str, package: Option<&str>) -> ImportCategory {
    let own = project_root(package.unwrap_or_default());
    if in_jdk(path) {
        ImportCategory::Stdlib
    } else if path.strip_prefix(own).is_some_and(|rest| rest.starts_with('.')) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    }
}

fn anonymous(body: Node) -> bool {
    body.parent()
        .is_some_and(|part| matches!(part.kind(), "object_creation_expression" | "enum_constant"))
}

/// A scope with a name appended to that of the enclosing one, even if the name is empty.
fn named(walk: &Walk, name: &str, kind: Option<SymbolKind>) -> Scope {
    Scope { name: Some(walk.qualified(".", name)), kind, ..Scope::default() }
}

fn owner(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Into };
    let mut found = symbol(walk, node, kind, name, node);
    let scope = named(walk, &found.name, Some(kind));
    bases(walk, node, &mut found);
    if let Some(parameters) = walk.field(node, "parameters") {
        found.params = params(walk, parameters);
    }
    walk.symbols.push(found);
    if let Some(parameters) = walk.field(node, "parameters") {
        components(walk, parameters, &scope);
    }
    Step::Inside(scope)
}

/// The types that a type extends and implements, the superclass first.
fn bases(walk: &Walk, node: Node, found: &mut Symbol) {
    for clause in children(node) {
        match clause.kind() {
            "superclass" => {
                found.idioms.push("subclass".to_owned());
                let types = children(clause).filter(|part| !part.is_extra());
                found.bases.extend(types.map(|part| folded(walk.node_text(part))));
            }
            "super_interfaces" | "extends_interfaces" => {
                let lists = children(clause).filter(|part| part.kind() == "type_list");
                let types = lists.flat_map(children).filter(|part| !part.is_extra());
                found.bases.extend(types.map(|part| folded(walk.node_text(part))));
            }
            _ => {}
        }
    }
}

/// The components of a record, which are its private fields.
fn components(walk: &mut Walk, parameters: Node, scope: &Scope) {
    for component in children(parameters) {
        let Some(name) = walk.field(component, "name") else { continue };
        let mut found = walk.symbol(SymbolKind::Field, name, component);
        found.parent.clone_from(&scope.name);
        found.return_type = walk.field_text(component, "type").map(folded);
        found.visibility = Some(Visibility::Private);
        found.exported = Some(false);
        walk.symbols.push(found);
    }
}

fn callable(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Into };
    let mut found = symbol(walk, node, kind, name, node);
    if let Some(parameters) = walk.field(node, "parameters") {
        found.params = params(walk, parameters);
    }
    found.return_type = walk.field_text(node, "type").map(folded);
    let thrown = children(node).filter(|part| part.kind() == "throws").flat_map(children);
    let thrown = thrown.filter(|part| !part.is_extra());
    found.idioms.extend(thrown.map(|part| format!("throws {}", folded(walk.node_text(part)))));
    let inside = if kind == SymbolKind::Constructor { "<init>" } else { found.name.as_str() };
    let scope = Scope { callable: true, mark: BODY, ..named(walk, inside, Some(kind)) };
    walk.symbols.push(found);
    Step::Inside(scope)
}

fn params(walk: &Walk, parameters: Node) -> Vec<String> {
    children(parameters)
        .filter(|part| !part.is_extra())
        .map(|part| folded(walk.node_text(part)))
        .collect()
}

fn fields(walk: &mut Walk, node: Node) -> Step {
    for declarator in children(node).filter(|part| part.kind() == "variable_declarator") {
        let Some(name) = walk.field(declarator, "name") else { continue };
        let mut found = symbol(walk, node, SymbolKind::Field, name, node);
        found.return_type = walk.field_text(node, "type").map(folded);
        walk.symbols.push(found);
    }
    Step::Into
}

/// A constant of an enum, which is a public field of it.
fn enum_constant(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = walk.field(node, "name") else { return Step::Into };
    let mut found = symbol(walk, node, SymbolKind::Field, name, node);
    found.visibility = Some(Visibility::Public);
    found.exported = Some(true);
    found.idioms.push("enum_constant".to_owned());
    walk.symbols.push(found);
    Step::Into
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind, name: Node, declaration: Node) -> Symbol {
    let leading = walk.leading(node);
    let mut found = walk.symbol(kind, name, declaration);
    let modifiers = children(node).find(|part| part.kind() == "modifiers");
    let mut cursor = node.walk();
    for modifier in
        modifiers.into_iter().flat_map(|part| part.children(&mut cursor).collect::<Vec<_>>())
    {
        let text = folded(walk.node_text(modifier));
        match modifier.kind() {
            "annotation" | "marker_annotation" => {
                found.decorators.push(text.trim_start_matches('@').to_owned());
            }
            _ if modifier.is_extra() => {}
            _ => found.modifiers.push(text),
        }
    }
    let in_interface = walk.scope().is_some_and(|scope| {
        matches!(scope.kind, Some(SymbolKind::Interface | SymbolKind::Annotation))
    });
    let has = |word: &str| found.modifiers.iter().any(|modifier| modifier == word);
    let visibility = if has("public") {
        Visibility::Public
    } else if has("protected") {
        Visibility::Protected
    } else if has("private") {
        Visibility::Private
    } else if in_interface {
        Visibility::Public
    } else {
        Visibility::Package
    };
    found.set_visibility(visibility);
    found.doc = leading.doc();
    found.line = line(name);
    found
}
