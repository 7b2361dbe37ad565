//! Elm: values, types with their constructors, and aliases. Names in the `exposing` list are
//! exported.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    stdlib::Names,
    walk::{Step, Visitor, Walk, child, children, folded},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Elm.
#[derive(Debug)]
pub struct Elm;

/// Modules of the package `elm/core`, which every program has.
static CORE: Names = Names::embedded(include_str!("../../../../queries/elm/stdlib.txt"));

const COMMENTS: Style = Style { line: &["--"], block: Some(("{-|", "-}")) };

impl Visitor for Elm {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "file" | "ERROR" => Step::Into,
            "module_declaration" => module(walk, node),
            "import_clause" => import(walk, node),
            "value_declaration" => value(walk, node),
            "type_declaration" => union(walk, node),
            "type_alias_declaration" => alias(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let exposing = child(root, "module_declaration")
            .and_then(|module| module.child_by_field_name("exposing"));
        let exposed = exposing.map(|list| exposed(walk, list));
        for symbol in &mut walk.symbols {
            let exported = exposed.as_ref().is_none_or(|exposed| exposed.has(symbol));
            symbol.set_exported(exported);
        }
    }
}

/// What a module exposes.
struct Exposed {
    all: bool,
    names: BTreeSet<String>,
    /// Types that are exposed together with their constructors.
    open: BTreeSet<String>,
}

impl Exposed {
    fn has(&self, symbol: &Symbol) -> bool {
        let listed = match &symbol.parent {
            Some(parent) => self.open.contains(parent),
            None => self.names.contains(&symbol.name),
        };
        self.all || listed
    }
}

fn exposed(walk: &Walk, list: Node) -> Exposed {
    let mut exposed = Exposed {
        all: child(list, "double_dot").is_some(),
        names: BTreeSet::new(),
        open: BTreeSet::new(),
    };
    for entry in children(list) {
        let Some(name) = entry.named_child(0).map(|name| walk.node_text(name).to_owned()) else {
            continue;
        };
        if child(entry, "exposed_union_constructors").is_some() {
            exposed.open.insert(name.clone());
        }
        exposed.names.insert(name);
    }
    exposed
}

fn module(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = walk.field_text(node, "name") {
        walk.facts.set("module", name);
    }
    let port = child(node, "port").is_some();
    walk.facts.set("is_port_module", port);
    Step::Skip
}

fn import(walk: &mut Walk, node: Node) -> Step {
    let Some(path) = walk.field_text(node, "moduleName").map(folded) else { return Step::Skip };
    let names = node.child_by_field_name("exposing").map_or_else(Vec::new, |list| {
        children(list)
            .filter(|entry| entry.kind() != "exposing")
            .map(|entry| match entry.kind() {
                "double_dot" => "*".to_owned(),
                _ => folded(entry.named_child(0).map_or("", |name| walk.node_text(name))),
            })
            .collect()
    });
    let file = format!("{}.elm", path.replace('.', "/"));
    let category = if CORE.has(&path) {
        ImportCategory::Stdlib
    } else if walk.project.holds(&file) {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, names, category, node);
    Step::Skip
}

fn value(walk: &mut Walk, node: Node) -> Step {
    let left = node.child_by_field_name("functionDeclarationLeft");
    let Some(left) = left else { return Step::Skip };
    let Some(name) = child(left, "lower_case_identifier") else { return Step::Skip };
    let mut symbol = walk.symbol(SymbolKind::Function, name, node);
    symbol.params =
        children(left).skip(1).map(|parameter| folded(walk.node_text(parameter))).collect();
    let annotation = node.prev_named_sibling().filter(|found| {
        found.kind() == "type_annotation" && walk.field_text(*found, "name") == Some(&symbol.name)
    });
    let mut first = node;
    if let Some(annotation) = annotation {
        symbol.return_type = walk.field_text(annotation, "typeExpression").map(folded);
        symbol.decl_line = super::walk::line(annotation);
        first = annotation;
    }
    symbol.doc = doc(walk, first);
    walk.symbols.push(symbol);
    Step::Skip
}

fn union(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Skip };
    let mut symbol = walk.symbol(SymbolKind::Type, name, node);
    symbol.doc = doc(walk, node);
    let parent = symbol.name.clone();
    walk.symbols.push(symbol);
    for variant in children(node).filter(|found| found.kind() == "union_variant") {
        let Some(name) = variant.child_by_field_name("name") else { continue };
        let mut symbol = walk.symbol(SymbolKind::Constructor, name, variant);
        symbol.parent = Some(parent.clone());
        symbol.params =
            children(variant).skip(1).map(|part| folded(walk.node_text(part))).collect();
        walk.symbols.push(symbol);
    }
    Step::Skip
}

fn alias(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Skip };
    let mut symbol = walk.symbol(SymbolKind::Alias, name, node);
    symbol.return_type = walk.field_text(node, "typeExpression").map(folded);
    symbol.doc = doc(walk, node);
    walk.symbols.push(symbol);
    Step::Skip
}

fn doc(walk: &Walk, node: Node) -> Option<String> {
    doc::above(walk.text, node.start_byte(), COMMENTS)
}
