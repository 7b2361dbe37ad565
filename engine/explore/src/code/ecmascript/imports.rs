//! Imports, of ECMAScript and of CommonJS, and calls of hooks.

use tree_sitter::Node;

use super::{Ecmascript, What, nested};
use crate::{
    code::{
        stdlib::Names,
        walk::{Step, Walk, child, children},
    },
    import::ImportCategory,
};

/// Modules built into Node.js.
static BUILTIN: Names =
    Names::embedded(include_str!("../../../../../queries/javascript/stdlib.txt"));

impl Ecmascript {
    /// `import …`.
    pub(super) fn import(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.note(walk, node, What::Esm);
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

    /// `require("x")`, `import("x")`, and calls of hooks.
    pub(super) fn call(&mut self, walk: &mut Walk, node: Node) -> Step {
        let Some(callee) = walk.field(node, "function") else { return nested(walk) };
        let loads = match callee.kind() {
            // `import("x").T` in a type does not load a module.
            "import" => node.start_byte() >= self.types_before,
            "identifier" => {
                let name = walk.node_text(callee);
                if is_hook(name) {
                    self.note(walk, node, What::Hook(name.to_owned()));
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
                self.note(walk, node, What::CommonJs);
            }
            let path = unquoted(walk, literal);
            walk.import(path, Vec::new(), category(path), node);
        }
        nested(walk)
    }
}

/// Where a module comes from.
pub(super) fn category(path: &str) -> ImportCategory {
    let first = path.split('/').next().unwrap_or_default();
    if path.starts_with(['.', '/']) {
        ImportCategory::Local
    } else if path.starts_with("node:") || BUILTIN.has(path) || BUILTIN.has(first) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    }
}

/// The text of a string literal.
pub(super) fn unquoted<'a>(walk: &Walk<'a>, node: Node) -> &'a str {
    let text = walk.node_text(node);
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
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

/// The names in a list such as `{ a, b as c }`.
pub(super) fn specifiers(walk: &Walk, list: Node) -> Vec<String> {
    children(list)
        .filter_map(|one| walk.field(one, "name"))
        .map(|name| {
            let text = walk.node_text(name);
            if name.kind() == "string" { text.trim_matches(['"', '\'']) } else { text }.to_owned()
        })
        .collect()
}

fn is_hook(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}
