//! The walk over a syntax tree that every language shares: iterative, with a stack of scopes.

mod facts;
mod landmarks;
mod leading;
mod node;
mod scope;
mod visitor;

use std::{cell::RefCell, collections::BTreeSet, num::NonZeroU16, ops::Range};

use base::watch;
use tree_sitter::{Node, Tree, TreeCursor};

use crate::{
    import::{Import, ImportCategory},
    project::Project,
    symbol::{Symbol, SymbolKind},
};

pub use facts::{Facts, distinct};
pub use landmarks::{Landmarks, Signs};
pub use leading::Leading;
pub use node::{child, children, end_line, folded, holds_word, line};
pub use scope::{Scope, Step};
pub use visitor::Visitor;

/// The state of the walk over one file.
#[derive(Debug)]
pub struct Walk<'a> {
    /// The whole text; nodes are byte ranges of it.
    pub text: &'a str,
    /// The file's name as given, with `/`.
    pub file: &'a str,
    /// The project files around the file.
    pub project: &'a Project,
    /// Symbols so far.
    pub symbols: Vec<Symbol>,
    /// Imports so far.
    pub imports: Vec<Import>,
    /// Facts of the file so far.
    pub facts: Facts,
    /// The comments and attributes before the next declaration.
    pub leading: Leading,
    /// Names of the symbols that [`Walk::has_symbol`] has indexed, and how many symbols these were.
    known: (BTreeSet<String>, usize),
    scopes: Vec<(Scope, usize)>,
    comment: Option<Range<usize>>,
    /// Fields of the grammar that were looked up.
    field_ids: RefCell<Vec<(&'static str, Option<NonZeroU16>)>>,
}

impl<'a> Walk<'a> {
    /// The state before the walk begins.
    pub fn new(text: &'a str, file: &'a str, project: &'a Project) -> Self {
        Self {
            text,
            file,
            project,
            symbols: Vec::new(),
            imports: Vec::new(),
            facts: Facts::default(),
            leading: Leading::default(),
            known: (BTreeSet::new(), 0),
            scopes: Vec::new(),
            comment: None,
            field_ids: RefCell::default(),
        }
    }

    /// Lets the visitor do its last step, after the walk.
    pub fn finish(&mut self, visitor: &mut dyn Visitor, tree: &Tree) {
        visitor.finish(self, tree.root_node());
    }

    /// Walks all named nodes of a tree. The walk ends early if the file is given up.
    pub fn run(&mut self, visitor: &mut dyn Visitor, tree: &Tree) {
        let mut cursor: TreeCursor = tree.walk();
        self.field_ids.get_mut().clear();
        let root = tree.root_node().id();
        let mut landmarks = visitor.landmarks().map(|signs| Landmarks::new(self.text, signs));
        let mut is_empty = |node: Node| {
            landmarks.as_mut().is_some_and(|landmarks| {
                !landmarks.between(node.start_byte(), node.end_byte())
                    && !node.is_error()
                    && node.id() != root
            })
        };
        loop {
            if watch::is_given_up() {
                self.scopes.clear();
                return;
            }
            let node = cursor.node();
            let step = if node.is_named() {
                while self.scopes.last().is_some_and(|(_, end)| *end <= node.start_byte()) {
                    self.scopes.pop();
                }
                visitor.enter(self, node)
            } else {
                Step::Skip
            };
            let down = match step {
                Step::Skip => false,
                _ if is_empty(node) => false,
                Step::Into => true,
                Step::Inside(scope) => {
                    self.scopes.push((scope, node.end_byte()));
                    true
                }
            };
            if down && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    self.scopes.clear();
                    return;
                }
            }
        }
    }

    /// The innermost scope; `None` at the top level of the file.
    pub fn scope(&self) -> Option<&Scope> {
        self.scopes.last().map(|(scope, _)| scope)
    }

    /// The innermost scope, for a language whose members change it (`private` in Ruby).
    pub fn scope_mut(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut().map(|(scope, _)| scope)
    }

    /// The symbol of the innermost scope that records its symbol.
    pub fn enclosing_symbol(&mut self) -> Option<&mut Symbol> {
        let index = self.scopes.iter().rev().find_map(|(scope, _)| scope.symbol)?;
        self.symbols.get_mut(index)
    }

    /// The qualified name of the innermost scope that has one.
    pub fn parent(&self) -> Option<String> {
        self.scopes.iter().rev().find_map(|(scope, _)| scope.name.clone())
    }

    /// The innermost scope that has a name.
    pub fn owner(&self) -> Option<&Scope> {
        self.scopes.iter().rev().map(|(scope, _)| scope).find(|scope| scope.name.is_some())
    }

    /// A name, qualified by the name of the scope.
    pub fn qualified(&self, separator: &str, name: &str) -> String {
        self.parent().map_or_else(|| name.to_owned(), |parent| format!("{parent}{separator}{name}"))
    }

    /// Whether the walk is inside the body of a callable.
    pub fn in_callable(&self) -> bool {
        self.scopes.iter().any(|(scope, _)| scope.callable)
    }

    /// Whether there is a symbol with this name. The names of symbols must not change during the
    /// walk.
    pub fn has_symbol(&mut self, name: &str) -> bool {
        let (known, seen) = &mut self.known;
        for symbol in self.symbols.get(*seen..).unwrap_or_default() {
            if !known.contains(&symbol.name) {
                known.insert(symbol.name.clone());
            }
        }
        *seen = self.symbols.len();
        known.contains(name)
    }

    /// The text of a node.
    pub fn node_text(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of the node in a field, if there is one.
    pub fn field_text(&self, node: Node, field: &'static str) -> Option<&'a str> {
        self.field(node, field).map(|child| self.node_text(child))
    }

    /// The node in a field, if there is one. Ids of fields are cached, because the grammar finds
    /// them by comparing all names.
    pub fn field<'t>(&self, node: Node<'t>, field: &'static str) -> Option<Node<'t>> {
        let mut ids = self.field_ids.borrow_mut();
        let known = ids.iter().find(|(name, _)| std::ptr::eq(*name, field));
        let id = if let Some((_, id)) = known {
            *id
        } else {
            let id = node.language().field_id_for_name(field);
            ids.push((field, id));
            id
        };
        node.child_by_field_id(id?.get())
    }

    /// A symbol with its name at one node and its declaration at another, in the innermost scope.
    /// The caller completes it and adds it.
    pub fn symbol(&self, kind: SymbolKind, name: Node, declaration: Node) -> Symbol {
        self.named(kind, self.node_text(name), line(name), declaration)
    }

    /// As [`Walk::symbol`], for a name that is not a node.
    pub fn named(
        &self,
        kind: SymbolKind,
        name: &str,
        line_of_name: u32,
        declaration: Node,
    ) -> Symbol {
        Symbol {
            name: name.to_owned(),
            kind,
            line: line_of_name,
            decl_line: line(declaration),
            end_line: end_line(declaration),
            parent: self.parent(),
            bases: Vec::new(),
            implements: Vec::new(),
            params: Vec::new(),
            return_type: None,
            modifiers: Vec::new(),
            decorators: Vec::new(),
            idioms: Vec::new(),
            visibility: None,
            exported: None,
            doc: None,
        }
    }

    /// Adds an import.
    pub fn import(&mut self, path: &str, names: Vec<String>, category: ImportCategory, node: Node) {
        self.imports.push(Import { path: path.to_owned(), names, category, line: line(node) });
    }
}

impl<'a> Walk<'a> {
    /// Records a comment that the walk passes; comments on consecutive lines become one.
    pub fn pass_comment(&mut self, comment: Node) {
        let start = match &self.comment {
            Some(before) if self.adjoin(before.end, comment.start_byte()) => before.start,
            _ => comment.start_byte(),
        };
        self.comment = Some(start..comment.end_byte());
    }

    /// The comments directly above the declaration that the walk has just reached.
    pub fn comment_above(&self, declaration: Node) -> Option<&'a str> {
        self.comment_before(declaration.start_byte())
    }

    /// The comments directly above a position.
    pub fn comment_before(&self, start: usize) -> Option<&'a str> {
        let comment = self.comment.clone()?;
        let above = self.adjoin(comment.end, start);
        self.text.get(comment).filter(|_| above)
    }

    /// Whether nothing but one line end stands between two positions.
    fn adjoin(&self, end: usize, start: usize) -> bool {
        let between = self.text.get(end..start);
        between.is_some_and(|text| text.trim().is_empty() && text.matches('\n').count() <= 1)
    }
}
