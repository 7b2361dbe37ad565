//! The parts that all declarations have in common: wrappers, visibility, signature and scope.

use tree_sitter::Node;

use super::{CLASS_BODY, Ecmascript, TOP, is_top, nested};
use crate::{
    code::{
        doc,
        walk::{Scope, Step, Walk, children, end_line, folded, line},
    },
    symbol::{Symbol, SymbolKind, Visibility},
};

/// The parts of a declaration that precede its node.
#[derive(Debug, Clone)]
pub(super) struct Wrapper {
    /// Beginning of the whole declaration: first byte and 1-based line.
    start: (usize, u32),
    /// Keywords such as `export`.
    modifiers: Vec<String>,
    /// Decorators.
    decorators: Vec<String>,
}

impl Wrapper {
    /// A wrapper that begins at a node.
    fn beginning_at(node: Node) -> Self {
        Self {
            start: (node.start_byte(), line(node)),
            modifiers: Vec::new(),
            decorators: Vec::new(),
        }
    }

    /// A wrapper with these decorators, which begins at a node.
    pub(super) fn decorated(first: Node, decorators: Vec<String>) -> Self {
        Self { decorators, ..Self::beginning_at(first) }
    }
}

impl Ecmascript {
    /// A declaration; without a name it is the default export of the file.
    pub(super) fn declare(
        &self,
        walk: &Walk,
        kind: SymbolKind,
        name: Option<Node>,
        node: Node,
    ) -> Symbol {
        let wrapper = self.wrappers.get(&node.start_byte());
        let (start, first_line) =
            wrapper.map_or((node.start_byte(), line(node)), |wrapper| wrapper.start);
        let mut symbol = match name {
            Some(name) => walk.symbol(kind, name, node),
            None => walk.named(kind, "default", first_line, node),
        };
        symbol.decl_line = first_line;
        symbol.end_line = end_line(node);
        symbol.doc =
            walk.comment_before(start).filter(|text| text.starts_with("/*")).and_then(doc::comment);
        if let Some(wrapper) = wrapper {
            symbol.modifiers.clone_from(&wrapper.modifiers);
            symbol.decorators.clone_from(&wrapper.decorators);
        }
        let until = name.map_or(node.end_byte(), |name| name.start_byte());
        let mut cursor = node.walk();
        for word in node.children(&mut cursor).take_while(|one| one.start_byte() < until) {
            match word.kind() {
                "decorator" => {
                    symbol.decorators.push(folded(walk.node_text(word).trim_start_matches('@')));
                }
                "*" => symbol.idioms.push("generator".to_owned()),
                "static"
                | "async"
                | "get"
                | "set"
                | "readonly"
                | "abstract"
                | "declare"
                | "const"
                | "accessor"
                | "accessibility_modifier"
                | "override_modifier"
                | "override"
                | "static get" => symbol.modifiers.push(walk.node_text(word).to_owned()),
                _ => {}
            }
        }
        if node.kind().starts_with("generator") && !symbol.has_idiom("generator") {
            symbol.idioms.push("generator".to_owned());
        }
        self.member(walk, &mut symbol, start);
        symbol
    }

    /// Sets the visibility of a symbol, and whether it is exported.
    fn member(&self, walk: &Walk, symbol: &mut Symbol, start: usize) {
        let private = symbol.has_modifier("private") || symbol.name.starts_with('#');
        let protected = symbol.has_modifier("protected");
        if walk.scope().is_some_and(|scope| scope.mark == CLASS_BODY) {
            symbol.visibility = Some(if private {
                Visibility::Private
            } else if protected {
                Visibility::Protected
            } else {
                Visibility::Public
            });
        }
        symbol.exported = Some(if let Some(exported) = owner(walk) {
            exported && !private && !protected
        } else {
            let named = symbol.has_modifier("export") || self.exported_names.contains(&symbol.name);
            is_top(walk) && (named || behind_export(walk, start))
        });
    }

    /// Records the wrapper of a declaration that begins inside another node.
    pub(super) fn wrap(&mut self, walk: &Walk, outer: Node, inner: Option<Node>, words: &[&str]) {
        let Some(inner) = inner else { return };
        let known = self.wrappers.get(&outer.start_byte()).cloned();
        let mut wrapper = known.unwrap_or_else(|| Wrapper::beginning_at(outer));
        wrapper.modifiers.extend(words.iter().map(|word| (*word).to_owned()));
        let decorators = children(outer).filter(|one| one.kind() == "decorator");
        wrapper
            .decorators
            .extend(decorators.map(|one| folded(walk.node_text(one).trim_start_matches('@'))));
        self.wrappers.insert(inner.start_byte(), wrapper);
    }

    /// A class or function expression, which is a symbol only as the default export of the file.
    pub(super) fn default_value(
        &mut self,
        walk: &mut Walk,
        node: Node,
        declaration: fn(&mut Self, &mut Walk, Option<Node>, Node) -> Step,
    ) -> Step {
        let is_default = self
            .wrappers
            .get(&node.start_byte())
            .is_some_and(|wrapper| wrapper.modifiers.iter().any(|word| word == "default"));
        let direct = walk.scope().is_none_or(|scope| scope.mark == TOP || scope.name.is_some());
        if is_default && direct {
            declaration(self, walk, walk.field(node, "name"), node)
        } else {
            nested(walk)
        }
    }

    pub(super) fn function(&mut self, walk: &mut Walk, name: Option<Node>, node: Node) -> Step {
        let mut symbol = self.declare(walk, SymbolKind::Function, name, node);
        signature(walk, &mut symbol, node);
        open(walk, symbol)
    }
}

/// Whether the word `export` precedes a declaration that a syntax error has separated from it.
fn behind_export(walk: &Walk, start: usize) -> bool {
    let before = walk.text.get(..start).unwrap_or_default().trim_end();
    let words = before.rsplit(|c: char| c.is_whitespace() || c == ';' || c == '}');
    words.take(2).any(|word| word == "export")
}

/// Whether the owner is exported; `None` without an owner.
fn owner(walk: &Walk) -> Option<bool> {
    walk.owner().map(|scope| scope.exported.unwrap_or(false))
}

/// The scope of a symbol's members.
pub(super) fn scope_of(symbol: &Symbol) -> Scope {
    let name = match &symbol.parent {
        Some(parent) => format!("{parent}.{}", symbol.name),
        None => symbol.name.clone(),
    };
    Scope {
        name: Some(name),
        kind: Some(symbol.kind),
        exported: symbol.exported,
        ..Scope::default()
    }
}

/// Adds a symbol and enters its scope.
pub(super) fn open(walk: &mut Walk, symbol: Symbol) -> Step {
    let scope = scope_of(&symbol);
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// Parameters, return type and type parameters.
pub(super) fn signature(walk: &Walk, symbol: &mut Symbol, node: Node) {
    symbol.params = match walk.field(node, "parameters") {
        Some(list) => children(list)
            .filter(|one| one.kind() != "comment")
            .map(|one| folded(walk.node_text(one)))
            .collect(),
        None => walk.field_text(node, "parameter").map(folded).into_iter().collect(),
    };
    symbol.return_type = walk.field_text(node, "return_type").map(annotation);
    if walk.field(node, "type_parameters").is_some() {
        symbol.idioms.push("generic".to_owned());
    }
}

/// The type in `: type`.
pub(super) fn annotation(text: &str) -> String {
    folded(text.trim_start_matches(':'))
}
