//! Languages in which each declaration is a node of its own. Each language is a table of such
//! nodes.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children, end_line, folded, line},
};
use crate::symbol::{Symbol, SymbolKind, Visibility};

/// One kind of declaration.
#[derive(Debug)]
pub struct Rule {
    /// The kind of the node.
    pub node: &'static str,
    /// The path to its name: kinds of children, the last of which is that of the name. Several
    /// adjacent nodes of that kind are joined with dots. Empty if the name is fixed.
    pub name: &'static [&'static str],
    /// The fixed name of a declaration that has none of its own, such as `this`.
    pub fixed: &'static str,
    /// The kind of symbol that it declares: first outside a type, then inside one.
    pub kind: (SymbolKind, SymbolKind),
    /// Whether it is a scope for the declarations inside it; otherwise its inside is skipped.
    pub scope: bool,
}

/// A language as a table.
#[derive(Debug)]
pub struct Declarations {
    /// The declarations.
    pub rules: &'static [Rule],
    /// Kinds of nodes that contain no declarations.
    pub skipped: &'static [&'static str],
    /// How comments are written.
    pub comments: Style,
    /// Adds the import of a node; returns whether the node was one.
    pub import: fn(&mut Walk, Node) -> bool,
    /// Whether a symbol can be used elsewhere; `None` if the language has no such concept.
    pub exported: fn(&Walk, Node, &Symbol) -> Option<bool>,
}

/// The rule for a declaration that has the same kind everywhere.
pub const fn rule(
    node: &'static str,
    name: &'static [&'static str],
    kind: SymbolKind,
    scope: bool,
) -> Rule {
    Rule { node, name, fixed: "", kind: (kind, kind), scope }
}

impl Visitor for &'static Declarations {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        let kind = node.kind();
        if self.skipped.contains(&kind) || (self.import)(walk, node) {
            return Step::Skip;
        }
        let Some(rule) = self.rules.iter().find(|rule| rule.node == kind) else {
            return Step::Into;
        };
        self.declare(walk, node, rule).unwrap_or(Step::Into)
    }
}

impl Declarations {
    fn declare(&self, walk: &mut Walk, node: Node, rule: &Rule) -> Option<Step> {
        let (name, row) = match rule.name {
            [] => (rule.fixed.to_owned(), line(node)),
            path => named(walk, node, path)?,
        };
        let member = walk.scope().is_some_and(|scope| {
            !matches!(scope.kind, None | Some(SymbolKind::Module | SymbolKind::Namespace))
        });
        let kind = if member { rule.kind.1 } else { rule.kind.0 };
        let mut symbol = walk.named(kind, &name, row, node);
        symbol.params = parameters(walk, node);
        symbol.return_type = ["return_type", "returns"]
            .iter()
            .find_map(|field| walk.field_text(node, field))
            .map(folded);
        symbol.doc = doc::above(walk.text, node.start_byte(), self.comments);
        // The body of a signature follows it as a separate node.
        let outer =
            node.parent().filter(|outer| outer.kind() == "method_signature").unwrap_or(node);
        if node.kind().ends_with("_signature")
            && let Some(body) =
                outer.next_named_sibling().filter(|body| body.kind() == "function_body")
        {
            symbol.end_line = end_line(body);
        }
        symbol.exported = (self.exported)(walk, node, &symbol);
        symbol.visibility = symbol
            .exported
            .map(|exported| if exported { Visibility::Public } else { Visibility::Private });
        let scope = Scope {
            name: Some(walk.qualified(".", &symbol.name)),
            kind: Some(kind),
            exported: symbol.exported,
            ..Scope::default()
        };
        walk.symbols.push(symbol);
        Some(if rule.scope { Step::Inside(scope) } else { Step::Skip })
    }
}

/// The name at the end of a path, and its line.
fn named(walk: &Walk, node: Node, path: &[&str]) -> Option<(String, u32)> {
    let (last, way) = path.split_last()?;
    let holder = way.iter().try_fold(node, |holder, kind| child(holder, kind))?;
    let parts: Vec<Node> = children(holder)
        .skip_while(|found| found.kind() != *last)
        .take_while(|found| found.kind() == *last)
        .collect();
    let first = parts.first()?;
    let text: Vec<&str> = parts.iter().map(|part| walk.node_text(*part)).collect();
    Some((text.join("."), line(*first)))
}

/// The parameters of a declaration.
fn parameters(walk: &Walk, node: Node) -> Vec<String> {
    children(node)
        .find(|found| {
            matches!(found.kind(), "parameters" | "function_parameters" | "formal_parameter_list")
        })
        .map_or_else(Vec::new, |list| {
            children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
        })
}
