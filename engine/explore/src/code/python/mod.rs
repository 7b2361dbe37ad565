//! Python.
//!
//! Symbols are functions and classes at any depth, and the names that a module or a class assigns
//! in its own body; a module also those below its `if` and `try`, but for the block that runs it as
//! a program. Expressions contain no symbols, so the walk never enters them.

mod assignment;
mod idioms;
mod imports;

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::{
    doc,
    walk::{Scope, Step, Visitor, Walk, child, children, end_line, folded, line},
};
use crate::symbol::SymbolKind;

/// Marks of scopes. Names below a loop or a `with` are not members of the class or module any
/// more. A decorated definition opens its scope at its decorators.
const CLASS: &str = "class";
const FUNCTION: &str = "function";
const COMPOUND: &str = "compound";
/// An `if` or `try` of the module: whatever it assigns are names of the module.
const BRANCH: &str = "branch";
const DECORATED_CLASS: &str = "decorated class";
const DECORATED_FUNCTION: &str = "decorated function";

/// Python.
#[derive(Debug, Default)]
pub struct Python {
    /// The entries of the module's last plain `__all__`, which decides what is exported.
    exports: Option<BTreeSet<String>>,
    /// Whether the module has a block for being run as a program.
    has_main: bool,
}

impl Visitor for Python {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "module" => module(walk, node),
            "decorated_definition" => decorated(walk, node),
            "function_definition" | "class_definition" => definition(walk, node),
            "assignment" | "expression_statement" => self.statement(walk, node),
            "import_statement" => imports::import(walk, node),
            "import_from_statement" | "future_import_statement" => imports::import_from(walk, node),
            kind if is_compound(kind) => {
                let is_main = self.main_block(walk, node);
                let binds = matches!(kind, "if_statement" | "try_statement")
                    && walk.scope().is_none_or(|scope| scope.mark == BRANCH)
                    && !is_main;
                let mark = if binds { BRANCH } else { COMPOUND };
                Step::Inside(Scope { mark, ..Scope::default() })
            }
            kind if is_block(kind) || kind == "ERROR" => Step::Into,
            _ => Step::Skip,
        }
    }

    fn finish(&mut self, walk: &mut Walk, _: Node) {
        self.apply_exports(walk);
        imports::set_facts(walk);
        let imports_typing = walk
            .imports
            .iter()
            .any(|one| matches!(one.path.as_str(), "typing" | "typing_extensions"));
        let annotated = walk.symbols.iter().any(|one| {
            one.return_type.is_some() || one.params.iter().any(|param| is_annotated(param))
        });
        walk.facts.set("uses_typing", imports_typing || annotated);
        walk.facts.set("has_main", self.has_main);
        walk.facts.set("is_stub_file", walk.file.ends_with(".pyi"));
    }
}

impl Python {
    /// `if __name__ == "__main__":` at the top level.
    fn main_block(&mut self, walk: &mut Walk, node: Node) -> bool {
        if walk.scope().is_some() || node.kind() != "if_statement" {
            return false;
        }
        let condition = walk.field_text(node, "condition").unwrap_or_default();
        let is_main = condition.contains("__name__") && condition.contains("__main__");
        if is_main {
            self.has_main = true;
            walk.facts.set("has_main", true);
            walk.facts.set("main_line", line(node));
        }
        is_main
    }
}

fn module(walk: &mut Walk, node: Node) -> Step {
    if let Some(version) = shebang_version(walk.text) {
        walk.facts.set("python_version", version);
    }
    if let Some(text) = docstring(walk, node) {
        walk.facts.set("module_docstring", text);
    }
    Step::Into
}

/// The version in `#!/usr/bin/env python3.11`.
fn shebang_version(text: &str) -> Option<String> {
    let first = text.lines().next()?.strip_prefix("#!")?;
    let (_, version) = first.split_once("python")?;
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let version = version.get(..end)?;
    (!version.is_empty()).then(|| version.to_owned())
}

fn decorated(walk: &mut Walk, node: Node) -> Step {
    let Some(definition) = walk.field(node, "definition") else { return Step::Into };
    let decorators = children(node)
        .filter(|one| one.kind() == "decorator")
        .map(|one| folded(walk.node_text(one).trim_start_matches('@')))
        .collect();
    let Some(mut scope) = declare(walk, definition, node, decorators) else { return Step::Into };
    scope.mark = if scope.callable { DECORATED_FUNCTION } else { DECORATED_CLASS };
    Step::Inside(scope)
}

fn definition(walk: &mut Walk, node: Node) -> Step {
    if let Some(scope) = walk.scope_mut() {
        // This is the decorated definition itself; its symbol was already added.
        let mark = match scope.mark {
            DECORATED_CLASS => CLASS,
            DECORATED_FUNCTION => FUNCTION,
            _ => "",
        };
        if !mark.is_empty() {
            scope.mark = mark;
            return Step::Into;
        }
    }
    declare(walk, node, node, Vec::new()).map_or(Step::Into, Step::Inside)
}

/// Adds a function or a class, and returns its scope.
fn declare(walk: &mut Walk, node: Node, whole: Node, decorators: Vec<String>) -> Option<Scope> {
    let name = walk.field(node, "name")?;
    let is_class = node.kind() == "class_definition";
    let kind = if is_class {
        SymbolKind::Class
    } else if walk.scope().is_some_and(|scope| scope.mark == CLASS) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let mut symbol = walk.symbol(kind, name, whole);
    symbol.end_line = end_line(last_statement(node));
    symbol.exported = Some(is_public(&symbol.name) && !walk.in_callable());
    symbol.doc = node
        .child_by_field_name("body")
        .and_then(|body| docstring(walk, body))
        .and_then(|text| doc::paragraph(&text));
    symbol.decorators = decorators;
    if is_class {
        symbol.bases = arguments(walk, walk.field(node, "superclasses"));
        symbol.idioms = idioms::of_class(&symbol);
    } else {
        symbol.params = arguments(walk, walk.field(node, "parameters"));
        symbol.return_type = walk.field_text(node, "return_type").map(folded);
        if node.child(0).is_some_and(|first| first.kind() == "async") {
            symbol.modifiers.push("async".to_owned());
        }
        symbol.idioms = idioms::of_function(&symbol);
        if walk.field(node, "body").is_some_and(|body| idioms::yields(walk, body)) {
            symbol.idioms.push("generator".to_owned());
        }
    }
    let scope = Scope {
        name: Some(walk.qualified(".", &symbol.name)),
        kind: Some(kind),
        callable: !is_class,
        mark: if is_class { CLASS } else { FUNCTION },
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Some(scope)
}

/// Whether a statement has blocks of its own.
fn is_compound(kind: &str) -> bool {
    matches!(
        kind,
        "if_statement"
            | "for_statement"
            | "while_statement"
            | "try_statement"
            | "with_statement"
            | "match_statement"
    )
}

/// Whether a node is a block of a compound statement, or the clause around one.
fn is_block(kind: &str) -> bool {
    matches!(
        kind,
        "block"
            | "elif_clause"
            | "else_clause"
            | "except_clause"
            | "except_group_clause"
            | "finally_clause"
            | "case_clause"
    )
}

/// The last statement of a definition: comments after it do not belong to the definition.
fn last_statement(definition: Node) -> Node {
    let mut last = definition;
    let is_definition =
        |kind| matches!(kind, "function_definition" | "class_definition" | "decorated_definition");
    while is_definition(last.kind()) || is_compound(last.kind()) || is_block(last.kind()) {
        let mut cursor = last.walk();
        let below = last.named_children(&mut cursor).filter(|one| one.kind() != "comment").last();
        match below {
            Some(below) => last = below,
            None => break,
        }
    }
    last
}

/// The entries of an argument or parameter list, as written.
fn arguments(walk: &Walk, list: Option<Node>) -> Vec<String> {
    list.into_iter()
        .flat_map(children)
        .filter(|one| one.kind() != "comment")
        .map(|one| folded(walk.node_text(one)))
        .collect()
}

/// The text of a body's first statement, if that is a string.
fn docstring(walk: &Walk, body: Node) -> Option<String> {
    let mut cursor = body.walk();
    let first = body.named_children(&mut cursor).find(|one| one.kind() != "comment")?;
    let string = if first.kind() == "string" { first } else { first.named_child(0)? };
    let alone = matches!(first.kind(), "string" | "expression_statement");
    if !alone || string.kind() != "string" || first.start_byte() != string.start_byte() {
        return None;
    }
    let start = child(string, "string_start")?;
    if walk.node_text(start).contains(['b', 'B', 'f', 'F']) {
        return None;
    }
    let end = child(string, "string_end")?;
    let text = walk.text.get(start.end_byte()..end.start_byte())?;
    Some(text.trim().to_owned())
}

fn is_public(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

fn is_annotated(param: &str) -> bool {
    let end = param.find('=').unwrap_or(param.len());
    param.get(..end).is_some_and(|head| head.contains(':'))
}
