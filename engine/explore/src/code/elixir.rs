//! Elixir: modules, protocols, implementations, and the definitions made with `def` and similar
//! words.
//!
//! The name of a function includes its arity, `name/2`, and each clause is a symbol of its own. The
//! inside of a definition is skipped: it is code that runs, or code that a macro generates.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc,
    stdlib::Names,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{SymbolKind, Visibility},
};

/// Elixir.
#[derive(Debug)]
pub struct Elixir;

/// Modules that come with the language.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/elixir/stdlib.txt"));

/// Words that define something, with the kind of symbol and whether others can call it.
const DEFINITIONS: &[(&str, SymbolKind, bool)] = &[
    ("def", SymbolKind::Function, true),
    ("defp", SymbolKind::Function, false),
    ("defmacro", SymbolKind::Macro, true),
    ("defmacrop", SymbolKind::Macro, false),
    ("defguard", SymbolKind::Macro, true),
    ("defguardp", SymbolKind::Macro, false),
    ("defdelegate", SymbolKind::Function, true),
];

/// Words that define a module, with the kind of symbol.
const MODULES: &[(&str, SymbolKind)] = &[
    ("defmodule", SymbolKind::Module),
    ("defprotocol", SymbolKind::Protocol),
    ("defimpl", SymbolKind::Impl),
];

impl Visitor for Elixir {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "call" => call(walk, node),
            "string" | "charlist" | "sigil" | "comment" | "identifier" | "alias" | "atom"
            | "keyword" | "integer" | "float" => Step::Skip,
            _ => Step::Into,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        // A file may use a module before it defines it.
        let own: BTreeSet<&str> = walk
            .symbols
            .iter()
            .filter(|symbol| symbol.parent.is_none())
            .filter_map(|symbol| symbol.name.split('.').next())
            .collect();
        for import in &mut walk.imports {
            let root = import.path.split('.').next().unwrap_or_default();
            if import.category == ImportCategory::ThirdParty && own.contains(root) {
                import.category = ImportCategory::Local;
            }
        }
    }
}

fn call(walk: &mut Walk, node: Node) -> Step {
    let word = node.child_by_field_name("target").filter(|target| target.kind() == "identifier");
    let Some(word) = word.map(|word| walk.node_text(word)) else { return Step::Into };
    let Some(first) = child(node, "arguments").and_then(|arguments| arguments.named_child(0))
    else {
        return Step::Into;
    };
    if let Some((_, kind)) = MODULES.iter().find(|(known, _)| *known == word) {
        return module(walk, node, first, *kind);
    }
    if let Some((_, kind, exported)) = DEFINITIONS.iter().find(|(known, ..)| *known == word) {
        return definition(walk, node, first, word, *kind, *exported);
    }
    match word {
        "alias" | "import" | "require" | "use" => import(walk, node, first, word),
        "defstruct" => {
            let module = walk.parent().unwrap_or_default();
            walk.facts.push("structs", module);
            Step::Skip
        }
        _ => Step::Into,
    }
}

/// `defmodule A.B do … end`. Members of a nested module are qualified by the whole path; those of a
/// protocol or an implementation by its own name only.
fn module(walk: &mut Walk, node: Node, name: Node, kind: SymbolKind) -> Step {
    let mut symbol = walk.symbol(kind, name, node);
    let scope = match kind {
        SymbolKind::Module => walk.qualified(".", &symbol.name),
        _ => symbol.name.clone(),
    };
    symbol.exported = Some(true);
    symbol.visibility = Some(Visibility::Public);
    symbol.doc = attribute_inside(walk, node, "moduledoc");
    let scope = Scope { name: Some(scope), kind: Some(kind), ..Scope::default() };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

fn definition(
    walk: &mut Walk,
    node: Node,
    head: Node,
    word: &str,
    kind: SymbolKind,
    exported: bool,
) -> Step {
    if matches!(head.kind(), "string" | "atom" | "list" | "keywords" | "alias" | "integer") {
        return Step::Into;
    }
    let guarded = guarded(walk, head);
    let signature = guarded.unwrap_or(head);
    let made =
        signature.kind() == "call" && walk.field_text(signature, "target") == Some("unquote");
    if made && guarded.is_none() {
        // The name is computed at compile time.
        return Step::Skip;
    }
    let (name, parameters) = named(walk, signature);
    let mut symbol = walk.named(
        kind,
        &format!("{name}/{}", parameters.as_ref().map_or(0, Vec::len)),
        line(signature),
        node,
    );
    symbol.params = parameters.unwrap_or_default();
    symbol.modifiers = vec![word.to_owned()];
    symbol.set_exported(exported);
    symbol.doc = attribute_above(walk, node, "doc");
    walk.symbols.push(symbol);
    Step::Skip
}

/// The part of a head before `when`.
fn guarded<'t>(walk: &Walk, head: Node<'t>) -> Option<Node<'t>> {
    let operator = head.child_by_field_name("operator")?;
    (head.kind() == "binary_operator" && walk.node_text(operator) == "when")
        .then(|| head.child_by_field_name("left"))
        .flatten()
}

/// The name and parameters in the head of a definition. If the head is neither a plain call nor an
/// operator, its text is the name.
fn named(walk: &Walk, head: Node) -> (String, Option<Vec<String>>) {
    let texts = |nodes: Vec<Node>| {
        Some(nodes.into_iter().map(|node| folded(walk.node_text(node))).collect::<Vec<_>>())
    };
    let field = |name: &str| head.child_by_field_name(name);
    match head.kind() {
        "identifier" => (walk.node_text(head).to_owned(), None),
        "call" => match field("target") {
            Some(target) if target.kind() == "identifier" => {
                let arguments = child(head, "arguments").map(|list| children(list).collect());
                (walk.node_text(target).to_owned(), arguments.and_then(texts))
            }
            _ => (folded(walk.node_text(head)), None),
        },
        "binary_operator" => {
            let operator = field("operator").map_or("", |operator| walk.node_text(operator));
            // `first..last//step` is one operator with three operands.
            let range = field("left").filter(|left| {
                operator == "//" && walk.field_text(*left, "operator") == Some("..")
            });
            let (operator, left) = match range {
                Some(range) => {
                    ("..//", ["left", "right"].map(|side| range.child_by_field_name(side)))
                }
                None => (operator, [field("left"), None]),
            };
            let sides = left.into_iter().flatten().chain(field("right")).collect();
            (operator.to_owned(), texts(sides))
        }
        "unary_operator" => {
            let operator = field("operator").map_or("", |operator| walk.node_text(operator));
            (operator.to_owned(), texts(field("operand").into_iter().collect()))
        }
        "block" => match head.named_child(0) {
            Some(inner) if inner.kind() != "block" => named_flat(walk, inner),
            _ => (folded(walk.node_text(head)), None),
        },
        _ => (folded(walk.node_text(head)), None),
    }
}

/// A head in parentheses, as in `def (-a)`; only operators need them.
fn named_flat(walk: &Walk, inner: Node) -> (String, Option<Vec<String>>) {
    match inner.child_by_field_name("operator") {
        Some(operator) => {
            let operands = ["left", "right", "operand"]
                .iter()
                .filter_map(|side| walk.field_text(inner, side).map(folded))
                .collect();
            (walk.node_text(operator).to_owned(), Some(operands))
        }
        None => (folded(walk.node_text(inner)), None),
    }
}

fn import(walk: &mut Walk, node: Node, module: Node, word: &str) -> Step {
    let path = folded(walk.node_text(module));
    let names = match path.rsplit_once(".{") {
        Some((_, list)) => {
            list.trim_end_matches('}').split(',').map(|name| name.trim().to_owned()).collect()
        }
        None if word == "import" => vec!["*".to_owned()],
        None => Vec::new(),
    };
    let category = category(walk, path.split(".{").next().unwrap_or_default());
    walk.import(&path, names, category, node);
    if word == "use" {
        walk.facts.push("uses", &path);
    }
    Step::Skip
}

/// A module is local if the file defines it or it begins with the project's name.
fn category(walk: &Walk, module: &str) -> ImportCategory {
    if STDLIB.has(module) {
        return ImportCategory::Stdlib;
    }
    if module.starts_with(':') {
        return ImportCategory::Unknown;
    }
    let root = module.split('.').next().unwrap_or_default();
    let file: Vec<String> = module.split('.').map(snake_case).collect();
    let path = file.join("/");
    if root == "__MODULE__"
        || walk.project.holds(&format!("{path}.ex"))
        || walk.project.holds(&format!("{path}.exs"))
        || walk
            .project
            .read("mix.exs")
            .is_some_and(|mix| mix.contains(&format!(":{}", snake_case(root))))
    {
        ImportCategory::Local
    } else {
        ImportCategory::ThirdParty
    }
}

/// `FooBar` as a file name: `foo_bar`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let mut before = None::<char>;
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_some_and(|before| !before.is_uppercase()) {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
        before = Some(letter);
    }
    text
}

/// The text of `@doc "…"` among the attributes directly above a definition.
fn attribute_above(walk: &Walk, node: Node, name: &str) -> Option<String> {
    let mut before = node.prev_named_sibling();
    while let Some(found) = before.filter(|found| found.kind() == "unary_operator") {
        if let Some(text) = attribute(walk, found, name) {
            return Some(text);
        }
        before = found.prev_named_sibling();
    }
    None
}

fn attribute_inside(walk: &Walk, node: Node, name: &str) -> Option<String> {
    children(child(node, "do_block")?).take(8).find_map(|found| attribute(walk, found, name))
}

fn attribute(walk: &Walk, node: Node, name: &str) -> Option<String> {
    let call = node.child_by_field_name("operand").filter(|call| call.kind() == "call")?;
    if walk.field_text(call, "target") != Some(name) {
        return None;
    }
    let text = child(call, "arguments")?.named_child(0)?;
    let content = child(text, "quoted_content").filter(|_| text.kind() != "boolean")?;
    doc::paragraph(walk.node_text(content))
}
