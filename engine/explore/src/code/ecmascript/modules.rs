//! Imports and exports, of ECMAScript and of CommonJS.

use std::{collections::BTreeSet, sync::LazyLock};

use serde_json::{Value, json};
use tree_sitter::Node;

use super::nested;
use crate::{
    code::walk::{Step, Walk, child, children, folded},
    import::ImportCategory,
};

/// Modules that Node.js has built in.
static BUILTIN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    include_str!("../../../stdlib/javascript.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect()
});

fn category(path: &str) -> ImportCategory {
    let first = path.split('/').next().unwrap_or_default();
    if path.starts_with(['.', '/']) {
        ImportCategory::Local
    } else if path.starts_with("node:") || BUILTIN.contains(path) || BUILTIN.contains(first) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    }
}

/// The text of a string literal.
fn unquoted<'a>(walk: &Walk<'a>, node: Node) -> &'a str {
    let text = walk.of(node);
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
}

/// Remembers the local names that the file exports by a list, a default or CommonJS.
pub fn exported_names(walk: &mut Walk, program: Node, commonjs: bool) {
    for statement in children(program) {
        match statement.kind() {
            "export_statement" => exported_by_statement(walk, statement),
            "expression_statement" if commonjs => {
                if let Some(expression) = statement.named_child(0) {
                    exported_by_commonjs(walk, expression);
                }
            }
            _ => {}
        }
    }
}

fn exported_by_statement(walk: &mut Walk, statement: Node) {
    if walk.part(statement, "source").is_some() {
        return;
    }
    let list = child(statement, "export_clause");
    for one in list.into_iter().flat_map(children) {
        if let Some(name) = walk.field(one, "name") {
            walk.memo.names.insert(name.to_owned());
        }
    }
    // `export default name` and `export = name`.
    let single = walk.part(statement, "value").or_else(|| statement.named_child(0));
    if let Some(name) = single.filter(|one| one.kind() == "identifier") {
        walk.memo.names.insert(walk.of(name).to_owned());
    }
}

/// `module.exports = f`, `exports.f = f`, `module.exports = { f, g: h }` and chains of them.
fn exported_by_commonjs(walk: &mut Walk, expression: Node) {
    let (mut exported, mut value) = (false, expression);
    while value.kind() == "assignment_expression" {
        let left = walk.field(value, "left").unwrap_or_default();
        exported = exported || commonjs_export(left).is_some();
        let Some(right) = walk.part(value, "right") else { return };
        value = right;
    }
    if !exported {
        return;
    }
    match value.kind() {
        "identifier" => {
            walk.memo.names.insert(walk.of(value).to_owned());
        }
        "object" => {
            for one in children(value) {
                let name = match one.kind() {
                    "shorthand_property_identifier" => Some(one),
                    "pair" => one
                        .child_by_field_name("value")
                        .filter(|value| value.kind() == "identifier"),
                    _ => None,
                };
                walk.memo.names.extend(name.map(|name| walk.of(name).to_owned()));
            }
        }
        _ => {}
    }
}

/// The name that an assignment to this target exports; empty for the module as a whole.
fn commonjs_export(target: &str) -> Option<&str> {
    let rest = target.strip_prefix("module.exports").or_else(|| target.strip_prefix("exports"))?;
    match rest.strip_prefix('.') {
        Some(name) => name.chars().all(is_name_character).then_some(name),
        None => rest.is_empty().then_some(""),
    }
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// `import …`.
pub fn import(walk: &mut Walk, node: Node) -> Step {
    walk.sight("esm", node, "");
    let require = child(node, "import_require_clause");
    let source = node
        .child_by_field_name("source")
        .or_else(|| require?.child_by_field_name("source"))
        .filter(|one| one.kind() == "string");
    if let Some(source) = source {
        let path = unquoted(walk, source);
        let names = match child(node, "import_clause") {
            Some(clause) => names_of(walk, clause),
            None if require.is_some() => vec!["*".to_owned()],
            None => Vec::new(),
        };
        walk.import(path, names, category(path), node);
    }
    Step::Skip
}

fn names_of(walk: &Walk, clause: Node) -> Vec<String> {
    let mut names = Vec::new();
    for one in children(clause) {
        match one.kind() {
            "identifier" => names.push("default".to_owned()),
            "namespace_import" | "namespace_export" => names.push("*".to_owned()),
            "named_imports" => names.extend(specifiers(walk, one)),
            _ => {}
        }
    }
    names
}

fn specifiers(walk: &Walk, list: Node) -> Vec<String> {
    children(list)
        .filter_map(|one| walk.part(one, "name"))
        .map(|name| {
            let text = walk.of(name);
            if name.kind() == "string" { text.trim_matches(['"', '\'']) } else { text }.to_owned()
        })
        .collect()
}

/// `export …`: a re-export imports; every form is a fact.
pub fn export(walk: &mut Walk, node: Node, is_default: bool) {
    walk.sight("esm", node, "");
    let source = walk.part(node, "source").filter(|one| one.kind() == "string");
    let clause = child(node, "export_clause");
    let namespace = child(node, "namespace_export");
    let path = source.map(|source| unquoted(walk, source));
    let taken = clause.map_or_else(|| vec!["*".to_owned()], |clause| specifiers(walk, clause));
    if let Some(path) = path {
        walk.import(path, taken.clone(), category(path), node);
    }
    let mut exports: Vec<Value> = Vec::new();
    if is_default {
        let declared = walk.part(node, "declaration").or_else(|| walk.part(node, "value"));
        let name = declared.and_then(|one| {
            if one.kind() == "identifier" { Some(walk.of(one)) } else { walk.field(one, "name") }
        });
        exports.push(json!({ "type": "default", "name": name }));
    } else if clause.is_some() {
        for name in &taken {
            exports.push(json!({ "type": "named", "name": name, "source": path }));
        }
    } else if let Some(path) = path {
        let name = namespace.map(|one| folded(walk.of(one)));
        exports.push(json!({ "type": "all", "name": name, "source": path }));
    } else if let Some(declaration) = walk.part(node, "declaration") {
        for name in declared_names(walk, declaration) {
            exports.push(json!({ "type": "named", "name": name }));
        }
    }
    // What a namespace exports is a member of it, and no export of the file.
    if walk.parent().is_none() {
        add_exports(walk, exports);
    }
}

fn add_exports(walk: &mut Walk, exports: Vec<Value>) {
    let list = walk.fields.entry("exports").or_insert_with(|| json!([]));
    if let Some(list) = list.as_array_mut() {
        list.extend(exports);
    }
}

/// The names that an exported declaration declares.
fn declared_names(walk: &Walk, declaration: Node) -> Vec<String> {
    let mut inner = declaration;
    while inner.kind() == "ambient_declaration" {
        match children(inner).next() {
            Some(next) => inner = next,
            None => break,
        }
    }
    if let Some(name) = walk.field(inner, "name") {
        return vec![name.to_owned()];
    }
    let mut names = Vec::new();
    let mut pending: Vec<Node> = children(inner)
        .filter(|one| one.kind() == "variable_declarator")
        .filter_map(|one| walk.part(one, "name"))
        .collect();
    pending.reverse();
    while let Some(target) = pending.pop() {
        match target.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                names.push(walk.of(target).to_owned());
            }
            "pair_pattern" => pending.extend(walk.part(target, "value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                pending.extend(walk.part(target, "left"));
            }
            _ => {
                let below: Vec<Node> = children(target).collect();
                pending.extend(below.into_iter().rev());
            }
        }
    }
    names
}

/// `require("x")`, `import("x")`, and calls of hooks.
pub fn call(walk: &mut Walk, node: Node) -> Step {
    let Some(callee) = walk.part(node, "function") else { return nested(walk) };
    let loads = match callee.kind() {
        // `import("x").T` in a type loads nothing.
        "import" => node.start_byte() >= walk.memo.types_before,
        "identifier" => {
            let name = walk.of(callee);
            if is_hook(name) {
                walk.sight("hook", node, name);
            }
            name == "require"
        }
        _ => false,
    };
    let first = node
        .child_by_field_name("arguments")
        .filter(|_| loads)
        .and_then(|list| children(list).find(|one| one.kind() != "comment"))
        .filter(|one| one.kind() == "string");
    if let Some(literal) = first {
        if callee.kind() == "identifier" {
            walk.sight("commonjs", node, "");
        }
        let path = unquoted(walk, literal);
        walk.import(path, Vec::new(), category(path), node);
    }
    nested(walk)
}

fn is_hook(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// An assignment to `exports` or `module.exports`.
pub fn assignment(walk: &mut Walk, node: Node, commonjs: bool) -> Step {
    let target = walk.field(node, "left").unwrap_or_default();
    if let Some(name) = commonjs_export(target).filter(|_| commonjs) {
        walk.sight("commonjs", node, "");
        let value = walk.part(node, "right");
        let exports = match value.filter(|value| value.kind() == "object" && name.is_empty()) {
            Some(object) => children(object)
                .filter_map(|one| match one.kind() {
                    "shorthand_property_identifier" => Some(walk.of(one)),
                    "pair" => walk.field(one, "key"),
                    "method_definition" => walk.field(one, "name"),
                    _ => None,
                })
                .map(|name| json!({ "type": "commonjs", "name": name }))
                .collect(),
            None if name.is_empty() => {
                let name = value.filter(|value| value.kind() == "identifier");
                let name = name.map_or("module.exports", |value| walk.of(value));
                vec![json!({ "type": "commonjs", "name": name })]
            }
            None => vec![json!({ "type": "commonjs", "name": name })],
        };
        add_exports(walk, exports);
    }
    nested(walk)
}
