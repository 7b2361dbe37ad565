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

/// Words that define something. What an alias names is a function or a variable.
const DEFINITIONS: &[(&str, SymbolKind)] = &[
    ("defun", SymbolKind::Function),
    ("defmacro", SymbolKind::Macro),
    ("defsubst", SymbolKind::Function),
    ("defvar", SymbolKind::Variable),
    ("defconst", SymbolKind::Constant),
    ("defcustom", SymbolKind::Variable),
    ("defgroup", SymbolKind::Variable),
    ("defface", SymbolKind::Variable),
    ("deftheme", SymbolKind::Variable),
    ("define-minor-mode", SymbolKind::Function),
    ("define-globalized-minor-mode", SymbolKind::Function),
    ("define-derived-mode", SymbolKind::Function),
    ("define-compilation-mode", SymbolKind::Function),
    ("define-generic-mode", SymbolKind::Function),
    ("define-skeleton", SymbolKind::Function),
    ("cl-defun", SymbolKind::Function),
    ("cl-defsubst", SymbolKind::Function),
    ("cl-defmacro", SymbolKind::Macro),
    ("cl-deftype", SymbolKind::Type),
    ("cl-defstruct", SymbolKind::Struct),
    ("cl-defmethod", SymbolKind::Method),
    ("cl-defgeneric", SymbolKind::Function),
    ("pcase-defmacro", SymbolKind::Macro),
    ("defclass", SymbolKind::Class),
    ("defalias", SymbolKind::Function),
    ("defvaralias", SymbolKind::Variable),
    ("define-obsolete-function-alias", SymbolKind::Function),
    ("define-obsolete-variable-alias", SymbolKind::Variable),
    ("define-inline", SymbolKind::Function),
    ("define-widget", SymbolKind::Variable),
    ("define-abbrev-table", SymbolKind::Variable),
    ("easy-menu-define", SymbolKind::Variable),
    ("defvar-local", SymbolKind::Variable),
    ("ert-deftest", SymbolKind::Function),
    ("transient-define-prefix", SymbolKind::Function),
    ("transient-define-suffix", SymbolKind::Function),
    ("transient-define-infix", SymbolKind::Function),
    ("transient-define-argument", SymbolKind::Function),
];

/// Words whose body the compiler takes for top level.
const WRAPPERS: &[&str] =
    &["progn", "prog1", "with-no-warnings", "eval-when-compile", "eval-and-compile"];

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
    if WRAPPERS.contains(&word) {
        return Step::Into;
    }
    let Some((_, kind)) = DEFINITIONS.iter().find(|(known, _)| *known == word) else {
        return Step::Skip;
    };
    // Without a value it only says that another file defines the variable.
    if matches!(word, "defvar" | "defvar-local") && parts.len() == 2 {
        return Step::Skip;
    }
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

#[cfg(test)]
mod tests {
    use crate::{Input, Profile, Project, explore};

    #[test]
    fn what_is_defined_is_listed_and_what_is_only_named_is_not() {
        let text = "(eval-when-compile\n  (require 'cl-lib))\n(defvar other)\n(defvar mine nil)\n\
                    (progn\n  (defun inner () 1))\n(defalias 'short #'inner)\n\
                    (define-obsolete-variable-alias 'old 'mine \"1\")\n\
                    (transient-define-argument pkg:--flag ()\n  :argument \"-f\")\n\
                    (defadvice inner (around x activate) nil)\n(when t (defun maybe () 1))\n";
        let input = Input::memory("a.el", text.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        let symbols: Vec<_> = found
            .symbols
            .iter()
            .map(|one| format!("{} {} {}", one.kind.as_str(), one.name, one.line))
            .collect();
        assert_eq!(
            symbols,
            [
                "variable mine 4",
                "function inner 6",
                "function short 7",
                "variable old 8",
                "function pkg:--flag 9",
            ]
        );
        let imports: Vec<_> =
            found.imports.iter().map(|one| (one.path.as_str(), one.line)).collect();
        assert_eq!(imports, [("cl-lib", 2)]);
    }
}
