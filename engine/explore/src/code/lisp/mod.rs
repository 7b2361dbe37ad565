//! The Lisps. In all of them a definition is a list whose first word says what it defines.
//!
//! Each dialect is a file here with its defining words and the forms of its imports.

mod clojure;
mod commonlisp;
mod elisp;
mod racket;

use tree_sitter::Node;

use super::walk::{Walk, folded, line};
use crate::symbol::{Symbol, SymbolKind};

pub use clojure::Clojure;
pub use commonlisp::CommonLisp;
pub use elisp::Elisp;
pub use racket::Racket;

/// The elements of a list, without brackets and comments. Grammars give some lists a shape of their
/// own: the elements in their headers are returned in order.
fn elements(list: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let mut waiting = vec![list];
    let mut first = true;
    while let Some(node) = waiting.pop() {
        let header = first || node.is_named() && matches!(node.kind(), "defun" | "defun_header");
        first = false;
        if !header {
            found.push(node);
            continue;
        }
        let mut cursor = node.walk();
        let mut inner: Vec<Node> = node
            .children(&mut cursor)
            .filter(|child| {
                !matches!(child.kind(), "(" | ")" | "[" | "]" | "{" | "}")
                    && !child.kind().contains("comment")
                    && !child.kind().starts_with("dis_")
            })
            .collect();
        inner.reverse();
        waiting.extend(inner);
    }
    found
}

/// Whether a node is a list in parentheses.
fn is_list(node: Node) -> bool {
    matches!(
        node.kind(),
        "list" | "list_lit" | "special_form" | "function_definition" | "macro_definition"
    )
}

/// The text of a string literal without its quotes.
fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

/// A symbol of a form, with its name at a node. The word that defined it becomes its modifier,
/// unless the kind says as much.
fn defined(walk: &Walk, form: Node, word: &str, name: &str, at: Node, kind: SymbolKind) -> Symbol {
    let mut symbol = walk.named(kind, name, line(at), form);
    symbol.modifiers = vec![word.to_owned()];
    symbol
}

/// The parameters of a list such as `(a &optional b)` or `[a & b]`.
fn parameters(walk: &Walk, list: Node) -> Vec<String> {
    elements(list).into_iter().map(|parameter| folded(walk.node_text(parameter))).collect()
}
