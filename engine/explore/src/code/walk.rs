//! The walk over a syntax tree that every language shares: iterative, with a stack of scopes.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU16,
    ops::Range,
};

use tree_sitter::{Node, Tree, TreeCursor};

use super::{
    landmarks::{Landmarks, Signs},
    leading::Leading,
};
use crate::{
    import::{Import, ImportCategory},
    project::Project,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// What the walk does below a node.
#[derive(Debug)]
pub enum Step {
    /// Go into its children in the same scope.
    Into,
    /// Go into its children, which belong to this scope.
    Inside(Scope),
    /// Leave its children out.
    Skip,
}

/// A scope that symbols can belong to.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Its qualified name, as [`Symbol::parent`] shows it; none at the top.
    pub name: Option<String>,
    /// The kind of the symbol that made it.
    pub kind: Option<SymbolKind>,
    /// Whether it is the body of a callable: what is declared there is local.
    pub callable: bool,
    /// Visibility of members that say nothing, where the scope decides it.
    pub visibility: Option<Visibility>,
    /// Whether users outside can reach its members.
    pub exported: Option<bool>,
    /// A word for the language's own use.
    pub mark: &'static str,
    /// Index of the symbol that made it, where the language asks for it.
    pub symbol: Option<usize>,
}

/// A file while it is walked.
#[derive(Debug)]
pub struct Walk<'a> {
    /// The whole text; nodes are byte ranges of it.
    pub text: &'a str,
    /// The file's name as given, with `/`.
    pub file: &'a str,
    /// What lies around the file.
    pub project: &'a Project,
    /// Symbols so far.
    pub symbols: Vec<Symbol>,
    /// Imports so far.
    pub imports: Vec<Import>,
    /// Facts of the file, which end in `fields`.
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// What stands before the next declaration.
    pub leading: Leading,
    /// What the language remembers.
    pub memo: Memo,
    scopes: Vec<(Scope, usize)>,
    comment: Option<Range<usize>>,
    /// Fields of the grammar that were asked for.
    field_ids: RefCell<Vec<(&'static str, Option<NonZeroU16>)>>,
}

/// What a language remembers during the walk; each uses what it needs.
#[derive(Debug, Default)]
pub struct Memo {
    /// Names, such as those that a list exports.
    pub names: BTreeSet<String>,
    /// Names of the first so many symbols.
    known: (BTreeSet<String>, usize),
    /// What stands around the declaration that begins at a byte.
    pub wrappers: BTreeMap<usize, Wrapper>,
    /// Counts by what was counted, in the order in which that came first.
    pub counts: Vec<(&'static str, usize)>,
    /// Nodes that begin before this byte are left out.
    pub skip_before: usize,
    /// Nodes that begin before this byte are parts of a type.
    pub types_before: usize,
    /// What was seen, in the order of the file.
    pub sightings: Vec<Sighting>,
    /// The last visibility that was given to names after the fact, and how many symbols stood
    /// before that; by parent, what they are names of, and name.
    pub restrictions: BTreeMap<(Option<String>, &'static str, String), (Visibility, usize)>,
}

/// Something that is no symbol but tells of those around it.
#[derive(Debug)]
pub struct Sighting {
    /// What it is.
    pub what: &'static str,
    /// 1-based line.
    pub line: u32,
    /// How many symbols stand before it.
    pub behind: usize,
    /// Its text.
    pub text: String,
}

/// What stands before a declaration but outside its node.
#[derive(Debug, Clone)]
pub struct Wrapper {
    /// Where the whole begins: first byte and 1-based line.
    pub start: (usize, u32),
    /// Keywords such as `export`.
    pub modifiers: Vec<String>,
    /// Decorators.
    pub decorators: Vec<String>,
}

/// A language: what its nodes mean.
pub trait Language: Sync {
    /// Looks at one named node, in preorder.
    fn enter(&self, walk: &mut Walk, node: Node) -> Step;

    /// The text that the grammar reads in place of the file's, where directives or the form of the
    /// source decide that: of the same length and with every token at its place; none for the
    /// file's own.
    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        let _ = (file, text);
        None
    }

    /// A text to read instead, where the grammar misreads what the language allows: of the same
    /// length and with the same lines, so that places in its tree are places in the file.
    fn reread(&self, text: &str, tree: &Tree) -> Option<String> {
        let _ = (text, tree);
        None
    }

    /// What is wrong with a text, and its 1-based line and column; `found` is what the grammar did
    /// not understand first. A language whose grammar lags behind it looks at the text itself, so
    /// that no valid text is called malformed.
    fn malformed(
        &self,
        file: &str,
        text: &str,
        found: Option<(String, u64, u64)>,
    ) -> Option<(String, u64, u64)> {
        let _ = (file, text);
        found
    }

    /// The grammar of a dialect, which is asked where the language's own finds defects, and
    /// believed where it finds fewer.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Signs and words of which one stands in every text that holds anything to look at: nodes
    /// without one are entered, but nothing below them is. Without any landmarks all nodes are.
    fn landmarks(&self) -> Option<&'static Signs> {
        None
    }

    /// Runs once behind the walk: exports by name, what the whole file says.
    fn finish(&self, walk: &mut Walk, root: Node) {
        let _ = (walk, root);
    }
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    pub fn new(text: &'a str, file: &'a str, project: &'a Project) -> Self {
        Self {
            text,
            file,
            project,
            symbols: Vec::new(),
            imports: Vec::new(),
            fields: serde_json::Map::new(),
            leading: Leading::default(),
            memo: Memo::default(),
            scopes: Vec::new(),
            comment: None,
            field_ids: RefCell::default(),
        }
    }

    /// Lets the language look once more, behind the walk.
    pub fn finish(&mut self, language: &dyn Language, tree: &Tree) {
        language.finish(self, tree.root_node());
    }

    /// Walks all named nodes of a tree.
    pub fn run(&mut self, language: &dyn Language, tree: &Tree) {
        let mut cursor: TreeCursor = tree.walk();
        self.field_ids.get_mut().clear();
        let root = tree.root_node().id();
        let mut landmarks = language.landmarks().map(|signs| Landmarks::new(self.text, signs));
        let mut is_empty = |node: Node| {
            landmarks.as_mut().is_some_and(|landmarks| {
                !landmarks.between(node.start_byte(), node.end_byte())
                    && !node.is_error()
                    && node.id() != root
            })
        };
        loop {
            let node = cursor.node();
            let step = if node.is_named() {
                while self.scopes.last().is_some_and(|(_, end)| *end <= node.start_byte()) {
                    self.scopes.pop();
                }
                language.enter(self, node)
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

    /// The innermost scope, or none at the top of the file.
    pub fn scope(&self) -> Option<&Scope> {
        self.scopes.last().map(|(scope, _)| scope)
    }

    /// The innermost scope, for a language whose members change it (`private` in Ruby).
    pub fn scope_mut(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut().map(|(scope, _)| scope)
    }

    /// The symbol that made the innermost scope of which that is known.
    pub fn maker(&mut self) -> Option<&mut Symbol> {
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

    /// A name behind the scope's qualified name.
    pub fn qualified(&self, separator: &str, name: &str) -> String {
        self.parent().map_or_else(|| name.to_owned(), |parent| format!("{parent}{separator}{name}"))
    }

    /// Whether the node stands in the body of a callable.
    pub fn in_callable(&self) -> bool {
        self.scopes.iter().any(|(scope, _)| scope.callable)
    }

    /// Whether there is a symbol of this name. Symbols keep theirs until the walk is done.
    pub fn has_symbol(&mut self, name: &str) -> bool {
        let (known, seen) = &mut self.memo.known;
        for symbol in self.symbols.get(*seen..).unwrap_or_default() {
            if !known.contains(&symbol.name) {
                known.insert(symbol.name.clone());
            }
        }
        *seen = self.symbols.len();
        known.contains(name)
    }

    /// Remembers something that is no symbol.
    pub fn sight(&mut self, what: &'static str, node: Node, text: &str) {
        let (line, behind) = (line(node), self.symbols.len());
        self.memo.sightings.push(Sighting { what, line, behind, text: text.to_owned() });
    }

    /// The text of a node.
    pub fn of(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node's field, or nothing.
    pub fn field(&self, node: Node, field: &'static str) -> Option<&'a str> {
        self.part(node, field).map(|child| self.of(child))
    }

    /// The node in a field. Names of fields are looked up once: the grammar compares them all.
    pub fn part<'t>(&self, node: Node<'t>, field: &'static str) -> Option<Node<'t>> {
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

    /// A symbol named by one node and declared by another, in the innermost scope. The caller
    /// completes it and pushes it.
    pub fn symbol(&self, kind: SymbolKind, name: Node, declaration: Node) -> Symbol {
        self.named(kind, self.of(name), line(name), declaration)
    }

    /// A symbol whose name is no node.
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
    /// Remembers a comment that the walk came by; those on successive lines are one.
    pub fn pass_comment(&mut self, comment: Node) {
        let start = match &self.comment {
            Some(before) if self.adjoin(before.end, comment.start_byte()) => before.start,
            _ => comment.start_byte(),
        };
        self.comment = Some(start..comment.end_byte());
    }

    /// The comments directly above a declaration that the walk has just come to.
    pub fn comment_above(&self, declaration: Node) -> Option<&'a str> {
        self.comment_before(declaration.start_byte())
    }

    /// The comments directly above a place.
    pub fn comment_before(&self, start: usize) -> Option<&'a str> {
        let comment = self.comment.clone()?;
        let above = self.adjoin(comment.end, start);
        self.text.get(comment).filter(|_| above)
    }

    /// Whether there is nothing but one line's end between two places.
    fn adjoin(&self, end: usize, start: usize) -> bool {
        let between = self.text.get(end..start);
        between.is_some_and(|text| text.trim().is_empty() && text.matches('\n').count() <= 1)
    }
}

/// Entries in the order in which they come first, each once.
pub fn distinct<'t>(entries: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    entries.into_iter().filter(|entry| seen.insert(*entry)).collect()
}

/// 1-based first line of a node.
pub fn line(node: Node) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX - 1) + 1
}

/// 1-based last line of a node: a node that ends behind a line feed ends on the line before.
pub fn end_line(node: Node) -> u32 {
    let end = node.end_position();
    let behind = usize::from(end.column == 0 && end.row > node.start_position().row);
    u32::try_from(end.row - behind).unwrap_or(u32::MAX - 1) + 1
}

/// The named children of a node, in order.
pub fn children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
    children.into_iter()
}

/// The first named child of a kind.
pub fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|found| found.kind() == kind)
}

/// White space and line breaks folded to single spaces, for signatures.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Whether a text has one of these words as the beginning of a statement or a call: behind white
/// space or an opening bracket, before white space, `_`, `(` or a quote. A cheap first look, so
/// that bodies which cannot hold what is looked for are left out.
pub fn says(text: &str, words: &[&str]) -> bool {
    let bytes = text.as_bytes();
    words.iter().any(|word| {
        memchr::memmem::find_iter(bytes, word.as_bytes()).any(|at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at)).unwrap_or(&b' ');
            let behind = bytes.get(at + word.len()).unwrap_or(&b' ');
            (before.is_ascii_whitespace() || b"({[;=&|@!".contains(before))
                && (behind.is_ascii_whitespace() || b"_('\"".contains(behind))
        })
    })
}
