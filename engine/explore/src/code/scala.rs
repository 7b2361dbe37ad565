//! Scala: definitions in packages and types at any depth, except in the bodies of definitions.
//! Imports are taken from everywhere.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    java::project_root,
    walk::{Scope, Step, Visitor, Walk, child, children, end_line, folded, line},
};
use crate::{
    import::{Import, ImportCategory},
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Scala.
#[derive(Debug, Default)]
pub struct Scala {
    /// The names of the package clauses.
    packages: Vec<String>,
}

/// Packages of the standard library, by the names under which they are visible everywhere: the
/// members of `scala` need no prefix (Scala language specification 2.13, section 2).
const STDLIB: [&str; 18] = [
    "scala",
    "java",
    "javax",
    "annotation",
    "beans",
    "collection",
    "compat",
    "concurrent",
    "io",
    "jdk",
    "language",
    "languageFeature",
    "math",
    "ref",
    "reflect",
    "runtime",
    "sys",
    "util",
];

impl Visitor for Scala {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let local = walk.scope().is_some_and(|scope| scope.callable);
        match node.kind() {
            "comment" | "block_comment" => walk.comment(node, &["/**"]),
            "package_clause" => return self.package(walk, node),
            "block" if !local => return late_body(walk, node),
            "import_declaration" => imports(walk, node),
            "class_definition" if !local => return owner(walk, node, SymbolKind::Class),
            "trait_definition" if !local => return owner(walk, node, SymbolKind::Trait),
            "enum_definition" if !local => return owner(walk, node, SymbolKind::Enum),
            "object_definition" | "package_object" if !local => {
                return owner(walk, node, SymbolKind::Object);
            }
            "function_definition" | "function_declaration" if !local => {
                return callable(walk, node);
            }
            "type_definition" if !local => {
                named(walk, node, SymbolKind::Type);
            }
            "val_definition" | "val_declaration" if !local => {
                return values(walk, node, SymbolKind::Constant);
            }
            "var_definition" | "var_declaration" if !local => {
                return values(walk, node, SymbolKind::Variable);
            }
            // Names, types and literals contain neither definitions nor imports.
            "modifiers"
            | "annotation"
            | "class_parameters"
            | "parameters"
            | "type_parameters"
            | "string"
            | "interpolated_string_expression"
            | "generic_type"
            | "type_identifier"
            | "package_identifier"
            | "self_type"
            | "operator_identifier"
            | "derives_clause" => {}
            _ if node.named_child_count() == 0 => {}
            _ => return Step::Into,
        }
        Step::Skip
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        let has_main = walk.symbols.iter().any(|symbol| {
            symbol.name == "main" && symbol.kind == SymbolKind::Method
                || symbol.kind == SymbolKind::Object
                    && symbol.bases.iter().any(|base| base == "App")
        });
        walk.facts.set("has_main", has_main);
        categorise(walk, &self.packages.join("."));
    }
}

impl Scala {
    /// A package is not a symbol. Consecutive package clauses nest.
    fn package(&mut self, walk: &mut Walk, node: Node) -> Step {
        let name = walk.field_text(node, "name").unwrap_or_default();
        let name: String = name.split_whitespace().collect();
        walk.facts.push("packages", &name);
        self.packages.push(name);
        Step::Into
    }
}

/// One import for each path between the commas.
fn imports(walk: &mut Walk, node: Node) {
    let mut cursor = node.walk();
    let mut parts: Vec<Node> = Vec::new();
    let all: Vec<Node> = node.children(&mut cursor).collect();
    for part in all {
        match part.kind() {
            "," => importer(walk, node, &std::mem::take(&mut parts)),
            "import" | "." | ";" => {}
            _ if part.is_extra() => {}
            _ => parts.push(part),
        }
    }
    importer(walk, node, &parts);
}

fn importer(walk: &mut Walk, node: Node, parts: &[Node]) {
    let Some((last, path)) = parts.split_last() else { return };
    let (Some(first), Some(end)) = (path.first(), path.last()) else { return };
    let text = walk.text.get(first.start_byte()..end.end_byte()).unwrap_or_default();
    let names = match last.kind() {
        "namespace_selectors" => children(*last)
            .filter(|part| !part.is_extra())
            .map(|part| {
                let name = part.child_by_field_name("name").unwrap_or(part);
                taken(walk.node_text(name))
            })
            .collect(),
        _ => vec![taken(walk.node_text(*last))],
    };
    walk.imports.push(Import {
        path: text.split_whitespace().collect(),
        names,
        category: ImportCategory::Unknown,
        line: line(node),
    });
}

/// The name that a selector imports; `*` for all.
fn taken(selector: &str) -> String {
    match selector {
        "_" | "*" => "*".to_owned(),
        name => {
            let name = name.split_whitespace().next().unwrap_or_default();
            name.trim_matches('`').to_owned()
        }
    }
}

/// Decides the category of imports by the first part of the path: the standard library is
/// recognised by name; what the file declares, or what shares the first two parts of its package,
/// is local; everything else is installed.
fn categorise(walk: &mut Walk, package: &str) {
    let own = project_root(package);
    let declared: BTreeSet<&str> = walk.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    for import in &mut walk.imports {
        let whole = import.path.strip_prefix("_root_.").unwrap_or(&import.path);
        let head = whole.split('.').next().unwrap_or_default();
        let below = |rest: &str| rest.is_empty() || rest.starts_with('.');
        import.category = if matches!(head, "this" | "super")
            || declared.contains(head)
            || !own.is_empty() && whole.strip_prefix(own).is_some_and(below)
        {
            ImportCategory::Local
        } else if STDLIB.contains(&head) {
            ImportCategory::Stdlib
        } else {
            ImportCategory::ThirdParty
        };
    }
}

fn owner(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut found = symbol(walk, node, kind, name);
    if let Some(extends) = node.child_by_field_name("extend") {
        let bases = children(extends).filter(|part| !part.is_extra() && part.kind() != "arguments");
        found.bases = bases.map(|part| folded(walk.node_text(part))).collect();
    }
    found.params = params(walk, node, "class_parameters", "class_parameter");
    let name = walk.qualified(".", &found.name);
    walk.symbols.push(found);
    Step::Inside(Scope { name: Some(name), kind: Some(kind), ..Scope::default() })
}

/// A body that begins on a line of its own is a block after its type in the tree.
fn late_body(walk: &mut Walk, node: Node) -> Step {
    let mut before = node.prev_named_sibling();
    while let Some(comment) = before.filter(Node::is_extra) {
        before = comment.prev_named_sibling();
    }
    let Some(owner) = before.filter(|part| {
        matches!(part.kind(), "class_definition" | "trait_definition" | "object_definition")
            && part.child_by_field_name("body").is_none()
    }) else {
        return Step::Into;
    };
    let parent = walk.parent();
    let declared = line(owner);
    let last = last_line(node);
    // The symbols are in the order of their lines.
    let near = |one: &&mut Symbol| one.decl_line >= declared;
    let mut symbols = walk.symbols.iter_mut().rev().take_while(near);
    let Some(found) = symbols.find(|one| one.decl_line == declared && one.parent == parent) else {
        return Step::Into;
    };
    found.end_line = last;
    let (name, kind) = (found.name.clone(), Some(found.kind));
    Step::Inside(Scope { name: Some(walk.qualified(".", &name)), kind, ..Scope::default() })
}

/// The last line with text: nodes extend over the blank lines and comments after them.
fn last_line(node: Node) -> u32 {
    let mut node = node;
    loop {
        let mut cursor = node.walk();
        let written = node
            .children(&mut cursor)
            .filter(|part| !part.is_extra() && part.end_byte() > part.start_byte());
        match written.last() {
            Some(last) => node = last,
            None => return end_line(node),
        }
    }
}

fn callable(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return body() };
    let defined_by_macro = node.child_by_field_name("body").is_some_and(|part| {
        walk.node_text(part).starts_with("macro ") || part.kind() == "macro_body"
    });
    if walk.node_text(name) == "this" || defined_by_macro {
        walk.leading(node);
        return body();
    }
    let mut found = symbol(walk, node, SymbolKind::Method, name);
    found.params = params(walk, node, "parameters", "parameter");
    found.return_type = walk.field_text(node, "return_type").map(folded);
    walk.symbols.push(found);
    body()
}

/// Definitions inside are local.
fn body() -> Step {
    Step::Inside(Scope { callable: true, ..Scope::default() })
}

fn named(walk: &mut Walk, node: Node, kind: SymbolKind) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let found = symbol(walk, node, kind, name);
    walk.symbols.push(found);
}

/// Every name that the pattern binds becomes a symbol.
fn values(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let mut open: Vec<Node> = Vec::new();
    let mut cursor = node.walk();
    open.extend(node.children_by_field_name("name", &mut cursor));
    open.extend(node.child_by_field_name("pattern"));
    open.reverse();
    let leading = walk.leading(node);
    while let Some(pattern) = open.pop() {
        match pattern.kind() {
            "identifier" | "operator_identifier" if binds(walk, node, pattern) => {
                let mut found = symbol(walk, node, kind, pattern);
                found.return_type = walk.field_text(node, "type").map(folded);
                found.doc = leading.doc();
                walk.symbols.push(found);
            }
            "type_identifier" | "stable_identifier" | "stable_type_identifier" => {}
            _ => {
                let inner: Vec<Node> = children(pattern).collect();
                open.extend(inner.into_iter().rev());
            }
        }
    }
    body()
}

/// In a pattern, a capitalised name refers to an existing value; a capitalised name alone is bound.
fn binds(walk: &Walk, node: Node, name: Node) -> bool {
    let alone = name.parent().is_some_and(|part| part == node || part.kind() == "identifiers");
    alone || walk.node_text(name).starts_with(|first: char| first.is_lowercase() || first == '_')
}

/// The parameters in all parameter lists.
fn params(walk: &Walk, node: Node, lists: &str, kind: &str) -> Vec<String> {
    children(node)
        .filter(|part| part.kind() == lists)
        .flat_map(children)
        .filter(|part| part.kind() == kind)
        .map(|part| folded(walk.node_text(part)))
        .collect()
}

fn symbol(walk: &mut Walk, node: Node, kind: SymbolKind, name: Node) -> Symbol {
    let leading = walk.leading(node);
    let mut found = walk.named(kind, walk.node_text(name).trim_matches('`'), line(name), node);
    let mut visibility = Visibility::Public;
    for part in children(node).filter(|part| matches!(part.kind(), "annotation" | "modifiers")) {
        if part.kind() == "annotation" {
            found.decorators.push(folded(walk.node_text(part)).trim_start_matches('@').to_owned());
            continue;
        }
        if let Some(access) = child(part, "access_modifier") {
            let word = walk.node_text(access);
            visibility = if word.starts_with("private") {
                Visibility::Private
            } else {
                Visibility::Protected
            };
        }
        found.modifiers.extend(walk.node_text(part).split_whitespace().map(str::to_owned));
    }
    found.end_line = last_line(node);
    let case = {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|part| part.kind() == "case")
    };
    if case {
        found.modifiers.push("case".to_owned());
    }
    found.set_visibility(visibility);
    found.doc = leading.doc();
    found
}
