//! Emacs Lisp: the top-level definitions of a library.

use tree_sitter::Node;

use super::{defined, elements, is_list, parameters, unquoted};
use crate::{
    code::{
        doc,
        stdlib::Names,
        walk::{Step, Visitor, Walk},
    },
    import::ImportCategory,
    symbol::SymbolKind,
};

/// Emacs Lisp.
#[derive(Debug)]
pub struct Elisp;

/// Features that come with the editor.
static STDLIB: Names = Names::embedded(include_str!("../../../../../queries/elisp/stdlib.txt"));

/// Words that define something.
const DEFINITIONS: &[(&str, SymbolKind)] = &[
    ("defun", SymbolKind::Function),
    ("defmacro", SymbolKind::Macro),
    ("defsubst", SymbolKind::Function),
    ("defvar", SymbolKind::Variable),
    ("defconst", SymbolKind::Constant),
    ("defcustom", SymbolKind::Variable),
    ("defgroup", SymbolKind::Variable),
    ("defface", SymbolKind::Variable),
    ("define-minor-mode", SymbolKind::Function),
    ("define-derived-mode", SymbolKind::Function),
    ("cl-defun", SymbolKind::Function),
    ("cl-defmacro", SymbolKind::Macro),
    ("cl-defstruct", SymbolKind::Struct),
    ("cl-defmethod", SymbolKind::Method),
    ("cl-defgeneric", SymbolKind::Function),
    ("defclass", SymbolKind::Class),
    ("defalias", SymbolKind::Alias),
    ("define-inline", SymbolKind::Function),
    ("defvar-local", SymbolKind::Variable),
    ("defadvice", SymbolKind::Function),
    ("transient-define-prefix", SymbolKind::Function),
];

impl Visitor for Elisp {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "source_file" | "ERROR" => Step::Into,
            _ if is_list(node) => form(walk, node),
            _ => Step::Skip,
        }
    }
}

fn form(walk: &mut Walk, node: Node) -> Step {
    let parts = elements(node);
    let (Some(head), Some(target)) = (parts.first(), parts.get(1)) else { return Step::Skip };
    let word = walk.node_text(*head);
    if word == "require" {
        import(walk, node, *target);
        return Step::Skip;
    }
    let Some((_, kind)) = DEFINITIONS.iter().find(|(known, _)| *known == word) else {
        return Step::Skip;
    };
    let Some(name) = plain(walk, *target) else { return Step::Skip };
    let mut symbol = defined(walk, node, word, name, node, *kind);
    let callable = matches!(kind, SymbolKind::Function | SymbolKind::Macro | SymbolKind::Method);
    let list = parts.iter().skip(2).find(|part| is_list(**part));
    if let Some(list) = list.filter(|_| callable && !word.starts_with("define-")) {
        symbol.params = parameters(walk, *list);
    }
    symbol.doc = parts
        .iter()
        .skip(2)
        .find(|part| part.kind() == "string")
        .and_then(|text| doc::paragraph(unquoted(walk.node_text(*text))));
    // Two hyphens after the package's name mark an internal name.
    let exported = !symbol.name.contains("--");
    symbol.set_exported(exported);
    walk.symbols.push(symbol);
    Step::Skip
}

/// The name in `name`, `'name` or `(name options…)`.
fn plain<'a>(walk: &Walk<'a>, target: Node) -> Option<&'a str> {
    let mut node = target;
    loop {
        match node.kind() {
            "symbol" => return Some(walk.node_text(node)),
            "quote" => node = node.named_child(0)?,
            _ if is_list(node) => node = elements(node).first().copied()?,
            _ => return None,
        }
    }
}

fn import(walk: &mut Walk, node: Node, target: Node) {
    let Some(feature) = plain(walk, target) else { return };
    let category = if walk.project.holds(&format!("{feature}.el")) {
        ImportCategory::Local
    } else if STDLIB.has(feature) {
        ImportCategory::Stdlib
    } else {
        ImportCategory::ThirdParty
    };
    walk.import(feature, vec!["*".to_owned()], category, node);
}
