//! Haskell: the top-level declarations of a module, constructors, fields and class methods.
//!
//! A name with a type signature is one symbol, placed on the signature's line; its range includes
//! the equations.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    stdlib::Names,
    walk::{Step, Visitor, Walk, child, children, end_line, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// Haskell.
#[derive(Debug)]
pub struct Haskell;

/// Modules of the packages that come with the compiler.
static STDLIB: Names = Names::embedded(include_str!("../../../../queries/haskell/stdlib.txt"));

const COMMENTS: Style = Style { line: &["--"], block: Some(("{-", "-}")) };

impl Visitor for Haskell {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "haskell" | "declarations" | "imports" | "ERROR" => Step::Into,
            "import" => import(walk, node),
            "signature" => signature(walk, node),
            "function" | "bind" => equation(walk, node),
            "data_type" | "newtype" => data(walk, node),
            "type_synomym" => declared(walk, node, SymbolKind::Type),
            "type_family" if node.child_by_field_name("closed_family").is_none() => {
                declared(walk, node, SymbolKind::TypeFamily)
            }
            "class" => class(walk, node),
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let exports = child(root, "header").map(|header| Exports::read(walk, header));
        if let Some(name) =
            child(root, "header").and_then(|header| walk.field_text(header, "module"))
        {
            walk.facts.set("module", name);
        }
        merge(&mut walk.symbols);
        for symbol in &mut walk.symbols {
            let exported = exports.as_ref().is_none_or(|exports| exports.has(symbol));
            symbol.set_exported(exported);
        }
    }
}

/// The exports in a module's header.
struct Exports {
    all: bool,
    names: BTreeSet<String>,
    /// Types and classes that are exported with all their constructors, fields or methods.
    open: BTreeSet<String>,
}

impl Exports {
    fn read(walk: &Walk, header: Node) -> Self {
        let mut found = Self { all: false, names: BTreeSet::new(), open: BTreeSet::new() };
        let Some(list) = header.child_by_field_name("exports") else {
            found.all = true;
            return found;
        };
        for entry in children(list) {
            if entry.kind() == "module_export" {
                found.all |= walk.field_text(entry, "module") == walk.field_text(header, "module");
            }
            let names: Vec<&str> = ["variable", "type", "operator"]
                .iter()
                .filter_map(|field| entry.child_by_field_name(field))
                // `Module.name` exports the `name` of that module.
                .map(|name| name.child_by_field_name("id").unwrap_or(name))
                .map(|name| plain_name(walk, name))
                .collect();
            if let Some(members) = entry.child_by_field_name("children") {
                for member in children(members) {
                    match member.kind() {
                        "all_names" => {
                            found.open.extend(names.iter().map(|name| (*name).to_owned()));
                        }
                        _ => drop(found.names.insert(plain_name(walk, member).to_owned())),
                    }
                }
            }
            found.names.extend(names.into_iter().map(str::to_owned));
        }
        found
    }

    fn has(&self, symbol: &Symbol) -> bool {
        self.all
            || self.names.contains(&symbol.name)
            || symbol.parent.as_ref().is_some_and(|parent| self.open.contains(parent))
    }
}

/// Merges the symbols of each function: equations are joined to their signature, or to the first
/// equation.
fn merge(symbols: &mut Vec<Symbol>) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut merged: Vec<Symbol> = Vec::with_capacity(symbols.len());
    for symbol in symbols.drain(..) {
        if symbol.parent.is_none() && symbol.kind == SymbolKind::Function {
            if let Some(known) = first.get(&symbol.name).and_then(|index| merged.get_mut(*index)) {
                known.end_line = known.end_line.max(symbol.end_line);
                if known.params.is_empty() {
                    known.params = symbol.params;
                }
                continue;
            }
            first.insert(symbol.name.clone(), merged.len());
        }
        merged.push(symbol);
    }
    *symbols = merged;
}

fn import(walk: &mut Walk, node: Node) -> Step {
    let Some(path) = walk.field_text(node, "module").map(folded) else { return Step::Skip };
    let mut cursor = node.walk();
    let hiding = node.children(&mut cursor).any(|found| found.kind() == "hiding");
    let names = match node.child_by_field_name("names").filter(|_| !hiding) {
        Some(list) => children(list)
            .map(|entry| folded(entry.named_child(0).map_or("", |name| plain_name(walk, name))))
            .collect(),
        None => vec!["*".to_owned()],
    };
    let file = path.replace('.', "/");
    let category = if ["hs", "lhs", "hsc"]
        .iter()
        .any(|extension| walk.project.holds(&format!("{file}.{extension}")))
    {
        ImportCategory::Local
    } else if STDLIB.has(&path) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(&path, names, category, node);
    Step::Skip
}

/// `f, g :: T`.
fn signature(walk: &mut Walk, node: Node) -> Step {
    for name in declared_names(node) {
        let symbol = typed(walk, node, name, SymbolKind::Function);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

fn typed(walk: &Walk, node: Node, name: Node, kind: SymbolKind) -> Symbol {
    let mut symbol = walk.named(kind, plain_name(walk, name), line(name), node);
    symbol.return_type = walk.field_text(node, "type").map(folded);
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    symbol
}

/// An equation of a function, or a binding of one name.
fn equation(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name").or_else(|| infix_name(node)) else {
        return Step::Skip;
    };
    let mut symbol = walk.named(SymbolKind::Function, plain_name(walk, name), line(name), node);
    symbol.params = node.child_by_field_name("patterns").map_or_else(Vec::new, |patterns| {
        children(patterns).map(|pattern| folded(walk.node_text(pattern))).collect()
    });
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Skip
}

/// The operator in `a +++ b = …`, also in parentheses; `None` if the node is not infix.
fn infix_name(node: Node) -> Option<Node> {
    let mut holder = node;
    while let Some(inner) = child(holder, "function_head_parens").or_else(|| child(holder, "infix"))
    {
        holder = inner;
    }
    holder.child_by_field_name("operator").or_else(|| holder.child_by_field_name("name"))
}

/// `data T = A | B { f :: Int }`, also as a newtype and with signatures of constructors.
fn data(walk: &mut Walk, node: Node) -> Step {
    declared(walk, node, SymbolKind::Data);
    let Some(parent) = walk.symbols.last().map(|symbol| symbol.name.clone()) else {
        return Step::Skip;
    };
    let list = node.child_by_field_name("constructors");
    let single = node.child_by_field_name("constructor");
    for holder in list.iter().flat_map(|list| children(*list)).chain(single) {
        let inner = holder.child_by_field_name("constructor").unwrap_or(holder);
        let names = match inner.child_by_field_name("operator") {
            Some(operator) => vec![operator],
            None => declared_names(inner),
        };
        for name in names {
            let mut symbol =
                walk.named(SymbolKind::Constructor, plain_name(walk, name), line(name), holder);
            symbol.parent = Some(parent.clone());
            walk.symbols.push(symbol);
        }
        if holder.kind() != "gadt_constructor" {
            fields(walk, inner, &parent);
        }
    }
    Step::Skip
}

fn fields(walk: &mut Walk, constructor: Node, parent: &str) {
    let records = child(constructor, "fields").or_else(|| child(constructor, "record"));
    let Some(records) = records else { return };
    for field in children(records).filter(|found| found.kind() == "field") {
        for name in children(field).filter(|found| found.kind() == "field_name") {
            let mut symbol = typed(walk, field, name, SymbolKind::Field);
            symbol.parent = Some(parent.to_owned());
            walk.symbols.push(symbol);
        }
    }
}

/// A declaration whose head is a name with parameters.
fn declared(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = node.child_by_field_name("name").or_else(|| infix_name(node)) else {
        return Step::Skip;
    };
    let mut symbol = walk.named(kind, plain_name(walk, name), line(name), node);
    symbol.params = node.child_by_field_name("patterns").map_or_else(Vec::new, |patterns| {
        children(patterns).map(|pattern| folded(walk.node_text(pattern))).collect()
    });
    symbol.return_type =
        walk.field_text(node, "type").filter(|_| kind == SymbolKind::Type).map(folded);
    symbol.modifiers.extend((node.kind() == "newtype").then(|| "newtype".to_owned()));
    symbol.decorators = walk.field_text(node, "deriving").map(folded).into_iter().collect();
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Skip
}

/// A class, and the methods that have a signature in it.
fn class(walk: &mut Walk, node: Node) -> Step {
    let before = walk.symbols.len();
    declared(walk, node, SymbolKind::Class);
    let Some(parent) = walk.symbols.get(before).map(|symbol| symbol.name.clone()) else {
        return Step::Skip;
    };
    let Some(body) = node.child_by_field_name("declarations") else { return Step::Skip };
    for declaration in children(body).filter(|found| found.kind() == "signature") {
        for name in declared_names(declaration) {
            let mut symbol = typed(walk, declaration, name, SymbolKind::Method);
            symbol.parent = Some(parent.clone());
            symbol.end_line = end_line(declaration);
            walk.symbols.push(symbol);
        }
    }
    Step::Skip
}

/// The name of a declaration, or the names in its list.
fn declared_names(node: Node) -> Vec<Node> {
    match node.child_by_field_name("names") {
        Some(list) => children(list).collect(),
        None => node.child_by_field_name("name").into_iter().collect(),
    }
}

/// A name without the parentheses or backquotes that turn it into an operator or a function.
fn plain_name<'a>(walk: &Walk<'a>, node: Node) -> &'a str {
    walk.node_text(node).trim_matches(['(', ')', '`', ' '])
}
