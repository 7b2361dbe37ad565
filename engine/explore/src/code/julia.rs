//! Julia: modules, types, functions, macros and constants.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Julia.
#[derive(Debug, Default)]
pub struct Julia {
    /// The names in `export` statements.
    exports: BTreeSet<String>,
}

const COMMENTS: Style = Style { line: &["#"], block: None };

/// Packages of the standard library.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/julia/stdlib.txt"));

impl Visitor for Julia {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "source_file"
            | "block"
            | "ERROR"
            | "if_statement"
            | "let_statement"
            | "begin_statement"
            | "compound_statement"
            | "macrocall_expression"
            | "const_statement"
            | "macro_argument_list" => Step::Into,
            "module_definition" => module(walk, node),
            "function_definition" => callable(walk, node, SymbolKind::Function),
            "macro_definition" => callable(walk, node, SymbolKind::Macro),
            "struct_definition" => type_of(walk, node, SymbolKind::Struct),
            "abstract_definition" | "primitive_definition" => type_of(walk, node, SymbolKind::Type),
            "assignment" => assignment(walk, node),
            "using_statement" | "import_statement" => import(walk, node),
            "export_statement" => self.export(walk, node),
            "call_expression" => include(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        for symbol in &mut walk.symbols {
            symbol.exported = Some(self.exports.contains(&symbol.name));
        }
    }
}

impl Julia {
    fn export(&mut self, walk: &mut Walk, node: Node) -> Step {
        let names: Vec<String> = children(node).map(|name| folded(walk.node_text(name))).collect();
        walk.facts.extend("exports", &names);
        self.exports.extend(names);
        Step::Skip
    }
}

fn module(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let symbol = walk.symbol(SymbolKind::Module, name, node);
    let scope = Scope {
        name: Some(walk.qualified(".", &symbol.name)),
        kind: Some(SymbolKind::Module),
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

fn callable(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let head = child(node, "signature").and_then(|signature| signature.named_child(0));
    if let Some(head) = head {
        push_callable(walk, node, head, kind);
    }
    Step::Skip
}

/// A callable whose head is `name(params)`, perhaps with `::T` and `where`.
fn push_callable(walk: &mut Walk, node: Node, head: Node, kind: SymbolKind) {
    let mut call = head;
    let mut returned = None;
    while matches!(call.kind(), "typed_expression" | "where_expression") {
        if call.kind() == "typed_expression" {
            returned = call.named_child(1).map(|typed| folded(walk.node_text(typed)));
        }
        let Some(inner) = call.named_child(0) else { return };
        call = inner;
    }
    let name = if call.kind() == "call_expression" { call.named_child(0) } else { Some(call) };
    let Some(name) = name.filter(|name| {
        matches!(
            name.kind(),
            "identifier" | "field_expression" | "operator" | "parametrized_type_expression"
        )
    }) else {
        return;
    };
    let name = match name.kind() {
        "parametrized_type_expression" => name.named_child(0).unwrap_or(name),
        _ => name,
    };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.params = child(call, "argument_list").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
    });
    symbol.return_type = returned;
    symbol.doc = doc(walk, node);
    walk.symbols.push(symbol);
}

/// A docstring or comment above.
fn doc(walk: &Walk, node: Node) -> Option<String> {
    let before = node.prev_named_sibling().filter(|before| before.kind() == "string_literal");
    let content = before.and_then(|text| child(text, "content"));
    content
        .and_then(|text| doc::paragraph(walk.node_text(text)))
        .or_else(|| doc::above(walk.text, node.start_byte(), COMMENTS))
}

/// A type with its fields.
fn type_of(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let mut name = child(node, "type_head").and_then(|head| head.named_child(0));
    let mut base = None;
    while let Some(inner) = name.filter(|name| name.kind() != "identifier") {
        if inner.kind() == "binary_expression" {
            base = inner.named_child(2).map(|base| folded(walk.node_text(base)));
        }
        name = inner.named_child(0);
    }
    let Some(name) = name else { return Step::Skip };
    let mut symbol = walk.symbol(kind, name, node);
    symbol.bases.extend(base);
    symbol
        .modifiers
        .extend(walk.node_text(node).starts_with("mutable").then(|| "mutable".to_owned()));
    symbol.doc = doc(walk, node);
    let parent = walk.qualified(".", &symbol.name);
    walk.symbols.push(symbol);
    let Some(body) = child(node, "block").filter(|_| kind == SymbolKind::Struct) else {
        return Step::Skip;
    };
    for part in children(body) {
        let field = match part.kind() {
            "identifier" => Some((part, None)),
            "typed_expression" => part.named_child(0).map(|name| (name, part.named_child(1))),
            _ => None,
        };
        if let Some((name, typed)) = field {
            let mut symbol = walk.symbol(SymbolKind::Field, name, part);
            symbol.parent = Some(parent.clone());
            symbol.return_type = typed.map(|typed| folded(walk.node_text(typed)));
            walk.symbols.push(symbol);
        }
    }
    Step::Skip
}

/// `f(x) = …`, `NAME = …` and, in a `const` statement, `const NAME = …`.
fn assignment(walk: &mut Walk, node: Node) -> Step {
    let Some(left) = node.named_child(0) else { return Step::Skip };
    if matches!(left.kind(), "call_expression" | "where_expression")
        || left.kind() == "typed_expression"
            && left.named_child(0).is_some_and(|inner| inner.kind() == "call_expression")
    {
        push_callable(walk, node, left, SymbolKind::Function);
        return Step::Skip;
    }
    let name = match left.kind() {
        "identifier" => left,
        "typed_expression" => left.named_child(0).unwrap_or(left),
        _ => return Step::Skip,
    };
    let constant = node.parent().is_some_and(|parent| parent.kind() == "const_statement");
    let kind = if constant { SymbolKind::Constant } else { SymbolKind::Variable };
    let text = walk.node_text(name);
    if constant || !walk.has_symbol(text) {
        let symbol = walk.named(kind, text, line(name), node);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// `using A, B.C` and `import A: b, c`.
fn import(walk: &mut Walk, node: Node) -> Step {
    for part in children(node) {
        let (path, names) = match part.kind() {
            "selected_import" => {
                let mut parts = children(part).map(|name| folded(walk.node_text(name)));
                (parts.next().unwrap_or_default(), parts.collect())
            }
            _ => (folded(walk.node_text(part)), vec!["*".to_owned()]),
        };
        let root = path.trim_start_matches('.').split('.').next().unwrap_or_default();
        let category = if path.starts_with('.') || walk.project.holds(&format!("{root}.jl")) {
            ImportCategory::Local
        } else if STDLIB.has(root) {
            ImportCategory::Stdlib
        } else {
            ImportCategory::ThirdParty
        };
        walk.import(&path, names, category, node);
    }
    Step::Skip
}

/// `include("file.jl")`.
fn include(walk: &mut Walk, node: Node) -> Step {
    let word = node.named_child(0).map_or("", |word| walk.node_text(word));
    let file = child(node, "argument_list")
        .and_then(|list| child(list, "string_literal"))
        .and_then(|text| child(text, "content"));
    if let Some(file) = file.filter(|_| word == "include") {
        let path = walk.node_text(file).to_owned();
        walk.import(&path, Vec::new(), ImportCategory::Local, node);
    }
    Step::Skip
}
