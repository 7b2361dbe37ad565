//! Imports, and where they come from.

use std::collections::BTreeSet;

use serde_json::json;
use tree_sitter::Node;

use crate::{
    code::{
        stdlib::Names,
        walk::{Step, Walk, children, folded},
    },
    import::ImportCategory,
};

/// Modules of the standard library.
static STDLIB: Names = Names::embedded(include_str!("../../../../../queries/python/stdlib.txt"));

/// `import a.b, c as d`.
pub fn import(walk: &mut Walk, node: Node) -> Step {
    for name in children(node) {
        let name = walk.field(name, "name").unwrap_or(name);
        if name.kind() == "dotted_name" {
            let path = folded(walk.node_text(name));
            let category = category(walk, &path);
            walk.import(&path, Vec::new(), category, node);
        }
    }
    Step::Skip
}

/// `from a import b, c`.
pub fn import_from(walk: &mut Walk, node: Node) -> Step {
    let module = walk.field(node, "module_name");
    let path = match module {
        Some(module) => walk.node_text(module).split_whitespace().collect::<String>(),
        None => "__future__".to_owned(),
    };
    let mut names = Vec::new();
    for name in children(node).filter(|one| Some(*one) != module) {
        match name.kind() {
            "dotted_name" => names.push(walk.node_text(name).to_owned()),
            "aliased_import" => names.extend(walk.field_text(name, "name").map(str::to_owned)),
            "wildcard_import" => names.push("*".to_owned()),
            _ => {}
        }
    }
    let category = category(walk, &path);
    walk.import(&path, names, category, node);
    Step::Skip
}

fn category(walk: &Walk, path: &str) -> ImportCategory {
    let first = path.split('.').next().unwrap_or_default();
    if first.is_empty() || walk.project.has_python_module(first) {
        ImportCategory::Local
    } else if STDLIB.has(first) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    }
}

/// Sets the facts about imports: the first segments of modules by category, and relative ones as
/// written.
pub fn set_facts(walk: &mut Walk) {
    let mut sets = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for import in &walk.imports {
        let first = import.path.split('.').next().filter(|first| !first.is_empty());
        let name = first.unwrap_or(&import.path).to_owned();
        let [builtin, third_party, local] = &mut sets;
        match import.category {
            ImportCategory::Stdlib => builtin.insert(name),
            ImportCategory::Local => local.insert(name),
            _ => third_party.insert(name),
        };
    }
    let [builtin, third_party, local] = sets;
    let sets = json!({ "builtin": builtin, "third_party": third_party, "local": local });
    walk.facts.set("imports", sets);
}
