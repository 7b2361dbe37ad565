//! Classes and their members.

use tree_sitter::Node;

use super::{
    CLASS_BODY, Ecmascript,
    declaration::{Wrapper, annotation, open, signature},
    nested,
};
use crate::{
    code::walk::{Scope, Step, Walk, child, children, folded},
    symbol::SymbolKind,
};

impl Ecmascript {
    /// A class; without a name it is the default export of the file.
    pub(super) fn class(&mut self, walk: &mut Walk, name: Option<Node>, node: Node) -> Step {
        let mut symbol = self.declare(walk, SymbolKind::Class, name, node);
        if let Some(heritage) = child(node, "class_heritage") {
            let mut typed = false;
            for clause in children(heritage) {
                let list = children(clause).filter(|one| one.kind() != "type_arguments");
                match clause.kind() {
                    "implements_clause" => {
                        symbol.implements.extend(list.map(|one| folded(walk.node_text(one))));
                        typed = true;
                    }
                    "extends_clause" => {
                        let text = folded(walk.node_text(clause));
                        symbol.bases.push(text.trim_start_matches("extends").trim().to_owned());
                        typed = true;
                    }
                    _ => {}
                }
            }
            if !typed {
                let text = folded(walk.node_text(heritage));
                symbol.bases.push(text.trim_start_matches("extends").trim().to_owned());
            }
        }
        if walk.field(node, "type_parameters").is_some() {
            symbol.idioms.push("generic".to_owned());
        }
        open(walk, symbol)
    }

    /// Collects the decorators of members, which precede them in the tree.
    pub(super) fn class_body(&mut self, walk: &Walk, node: Node) -> Step {
        let mut first: Option<Node> = None;
        let mut decorators: Vec<String> = Vec::new();
        for member in children(node) {
            if member.kind() == "decorator" {
                first.get_or_insert(member);
                decorators.push(folded(walk.node_text(member).trim_start_matches('@')));
            } else if member.kind() != "comment"
                && let Some(first) = first.take()
            {
                let wrapper = Wrapper::decorated(first, std::mem::take(&mut decorators));
                self.wrappers.insert(member.start_byte(), wrapper);
            }
        }
        Step::Inside(Scope { mark: CLASS_BODY, ..Scope::default() })
    }

    /// A method, an accessor or a constructor.
    pub(super) fn method(&self, walk: &mut Walk, node: Node) -> Step {
        let Some(name) = walk.field(node, "name") else { return nested(walk) };
        let mut symbol = self.declare(walk, SymbolKind::Method, Some(name), node);
        let in_class = walk.scope().is_some_and(|scope| scope.mark == CLASS_BODY);
        let plain = symbol.name.trim_matches(['"', '\'']);
        if symbol.has_modifier("get") {
            symbol.kind = SymbolKind::Getter;
        } else if symbol.has_modifier("set") {
            symbol.kind = SymbolKind::Setter;
        } else if in_class && plain == "constructor" && !symbol.has_modifier("static") {
            symbol.kind = SymbolKind::Constructor;
            "constructor".clone_into(&mut symbol.name);
        }
        signature(walk, &mut symbol, node);
        open(walk, symbol)
    }

    /// A property of a class, an interface or an object type.
    pub(super) fn property(&self, walk: &mut Walk, node: Node) -> Step {
        let name = walk.field(node, "name").or_else(|| walk.field(node, "property"));
        let Some(name) = name else { return nested(walk) };
        let mut symbol = self.declare(walk, SymbolKind::Property, Some(name), node);
        symbol.return_type = walk.field_text(node, "type").map(annotation);
        let mut cursor = node.walk();
        if walk.node_text(node).contains('?')
            && node.children(&mut cursor).any(|one| one.kind() == "?")
        {
            symbol.idioms.push("optional".to_owned());
        }
        if walk.field_text(node, "value").is_some_and(|value| value.contains("=>")) {
            symbol.idioms.push("arrow".to_owned());
        }
        open(walk, symbol)
    }
}
