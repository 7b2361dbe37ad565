//! Common Lisp: every top-level `def…` form, also inside `progn`, `eval-when` and the like.

use tree_sitter::Node;

use super::{defined, elements, is_list, parameters, unquoted};
use crate::{
    code::{
        doc,
        walk::{Step, Visitor, Walk},
    },
    symbol::SymbolKind,
};

/// Common Lisp.
#[derive(Debug)]
pub struct CommonLisp;

/// The kinds of symbols that words define. Any other word that begins with `def` is a macro of some
/// project; with a list behind the name it defines a class if it ends with `class`, else a callable.
const DEFINITIONS: &[(&str, SymbolKind)] = &[
    ("defun", SymbolKind::Function),
    ("defgeneric", SymbolKind::Function),
    ("defsetf", SymbolKind::Function),
    ("define-setf-expander", SymbolKind::Function),
    ("define-method-combination", SymbolKind::Function),
    ("defmethod", SymbolKind::Method),
    ("defmacro", SymbolKind::Macro),
    ("define-compiler-macro", SymbolKind::Macro),
    ("define-modify-macro", SymbolKind::Macro),
    ("define-symbol-macro", SymbolKind::Macro),
    ("defclass", SymbolKind::Class),
    ("defstruct", SymbolKind::Struct),
    ("define-condition", SymbolKind::Exception),
    ("deftype", SymbolKind::Type),
    ("defvar", SymbolKind::Variable),
    ("defparameter", SymbolKind::Variable),
    ("defconstant", SymbolKind::Constant),
    ("defpackage", SymbolKind::Package),
    ("defsystem", SymbolKind::Module),
];

/// Reader features of the assumed implementation, SBCL on 64-bit Linux.
const FEATURES: &[&str] = &[
    "sbcl",
    "unix",
    "linux",
    "x86-64",
    "64-bit",
    "common-lisp",
    "ansi-cl",
    "sb-thread",
    "sb-unicode",
];

impl Visitor for CommonLisp {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "source" | "ERROR" => Step::Into,
            "include_reader_macro" => conditional(walk, node),
            "list_lit" => form(walk, node),
            _ => Step::Skip,
        }
    }
}

/// `#+feature form` and `#-feature form`.
fn conditional(walk: &Walk, node: Node) -> Step {
    let Some(condition) = node.child_by_field_name("condition") else { return Step::Skip };
    let wanted = walk.node_text(node).starts_with("#+");
    if holds(walk, condition, 0) == wanted { Step::Into } else { Step::Skip }
}

/// Whether a feature expression holds. If it is nested more than eight levels deep, it is assumed
/// not to.
fn holds(walk: &Walk, condition: Node, depth: usize) -> bool {
    if !is_list(condition) {
        let name = walk.node_text(condition).trim_start_matches(':').to_lowercase();
        return FEATURES.contains(&name.as_str());
    }
    if depth == 8 {
        return false;
    }
    let parts = elements(condition);
    let Some((head, rest)) = parts.split_first() else { return false };
    let mut inner = rest.iter().map(|part| holds(walk, *part, depth + 1));
    match walk.node_text(*head).trim_start_matches(':').to_lowercase().as_str() {
        "and" => inner.all(|holds| holds),
        "or" => inner.any(|holds| holds),
        "not" => !inner.next().unwrap_or(false),
        _ => false,
    }
}

fn form(walk: &mut Walk, node: Node) -> Step {
    // The grammar reads `#:name` as a sign and a keyword.
    let parts: Vec<Node> = elements(node).into_iter().filter(|part| part.kind() != "#").collect();
    let Some(head) = parts.first() else { return Step::Skip };
    let word = bare(walk.node_text(*head));
    match word.as_str() {
        "progn" | "eval-when" | "locally" | "macrolet" | "symbol-macrolet" => Step::Into,
        _ if word.starts_with("def") => define(walk, node, &word, &parts),
        _ => Step::Skip,
    }
}

fn define(walk: &mut Walk, node: Node, word: &str, parts: &[Node]) -> Step {
    let Some(mut name) = parts.get(1).copied() else { return Step::Skip };
    let mut setter = false;
    if is_list(name) {
        // `(setf name)` or `(name option…)`.
        let inner = elements(name);
        let Some(first) = inner.first().copied() else { return Step::Skip };
        setter = bare(walk.node_text(first)) == "setf";
        let Some(real) = inner.get(usize::from(setter)).copied() else { return Step::Skip };
        name = real;
    }
    let known = DEFINITIONS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    let kind = match known {
        Some(kind) => kind,
        // It names a test.
        None if word == "deftest" => return Step::Skip,
        None if !parts.get(2).is_some_and(|part| is_list(*part) || part.kind() == "nil_lit") => {
            return Step::Skip;
        }
        // A variable, such as a map of keys, is told something.
        None if walk.node_text(name).starts_with('*') => return Step::Skip,
        None if word.ends_with("class") => SymbolKind::Class,
        None => SymbolKind::Function,
    };
    // Only packages and systems are named by a keyword, a string or a symbol of no package.
    let designated = matches!(kind, SymbolKind::Package | SymbolKind::Module);
    let text = match name.kind() {
        "sym_lit" | "package_lit" | "nil_lit" => bare(walk.node_text(name)),
        _ if !designated => return Step::Skip,
        "kwd_lit" => bare(walk.node_text(name)),
        "str_lit" => unquoted(walk.node_text(name)).to_lowercase(),
        _ if walk.node_text(name).starts_with("#:") => bare(walk.node_text(name)),
        _ => return Step::Skip,
    };
    let text = if setter { format!("(setf {text})") } else { text };
    let mut symbol = defined(walk, node, word, &text, node, kind);
    let callable = matches!(kind, SymbolKind::Function | SymbolKind::Macro | SymbolKind::Method);
    if let Some(list) = parts.iter().skip(2).find(|part| is_list(**part)).filter(|_| callable) {
        symbol.params = parameters(walk, *list);
    }
    symbol.doc = parts
        .iter()
        .skip(2)
        .find(|part| part.kind() == "str_lit")
        .and_then(|text| doc::paragraph(unquoted(walk.node_text(*text))));
    walk.symbols.push(symbol);
    Step::Skip
}

/// A symbol's name in lower case, without package, colon and bars.
fn bare(text: &str) -> String {
    let text = text.trim_start_matches("#:");
    text.rsplit(':').next().unwrap_or(text).trim_matches('|').to_lowercase()
}

#[cfg(test)]
mod tests {
    use crate::{Input, Profile, Project, explore};

    #[test]
    fn macros_of_a_project_define_what_has_a_list_behind_its_name() {
        let text = "(defpackage #:shop (:use :cl))\n(defun (setf price) (new item) new)\n\
                    (locally\n  (defun inside () 1))\n(defcommand buy (item) (:item) item)\n\
                    (define-shop-class cart () ())\n(deftest price.1 (f) 1)\n\
                    (define-key *map* (kbd \"a\") \"b\")\n(defcommand-alias purchase buy)\n\
                    (define-handler :paid (order) order)\n(defsystem \"shop\" :depends-on (:cl))\n";
        let input = Input::memory("a.lisp", text.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        let symbols: Vec<_> = found
            .symbols
            .iter()
            .map(|one| format!("{} {} {}", one.kind.as_str(), one.name, one.line))
            .collect();
        assert_eq!(
            symbols,
            [
                "package shop 1",
                "function (setf price) 2",
                "function inside 4",
                "function buy 5",
                "class cart 6",
                "module shop 11",
            ]
        );
    }
}
