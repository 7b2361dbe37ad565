//! Structures, unions, classes and enumerations.

use tree_sitter::Node;

use super::{
    C, declaration::template, declarator::path, has_body, linkage::limit, namespace::owner,
};
use crate::{
    code::{
        doc,
        walk::{Scope, Step, Walk, child, children, folded, line},
    },
    symbol::{SymbolKind, Visibility},
};

impl C {
    /// A struct, union, class or enum.
    pub(super) fn composite(&self, walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
        let body = has_body(node);
        if walk.in_callable() {
            return if body { Step::Into } else { Step::Skip };
        }
        let name = walk.field(node, "name");
        if !body && !stands_alone(node) {
            return Step::Skip;
        }
        if let Some(name) = name {
            return self.class(walk, node, name, kind);
        }
        // The first plain name of `typedef struct { … } name` is the name of the type itself.
        let given = node
            .parent()
            .filter(|parent| parent.kind() == "type_definition")
            .and_then(|parent| walk.field(parent, "declarator"))
            .filter(|name| name.kind() == "type_identifier");
        match given {
            Some(name) => self.class(walk, node, name, kind),
            None => self.inside(walk, None, kind),
        }
    }

    /// A parser that knows no macros takes `class EXPORT Name : Base { … }`, where `EXPORT` is a
    /// macro, for a function.
    pub(super) fn disguised_class(&self, walk: &mut Walk, node: Node) -> Option<Step> {
        let head = walk.field(node, "type")?;
        let kind = match head.kind() {
            "class_specifier" => SymbolKind::Class,
            "struct_specifier" => SymbolKind::Struct,
            _ => return None,
        };
        let name = walk.field(node, "declarator").filter(|name| name.kind() == "identifier")?;
        if !self.cpp || walk.field(head, "body").is_some() {
            return None;
        }
        Some(self.class(walk, node, name, kind))
    }

    fn class(&self, walk: &mut Walk, node: Node, name: Node, kind: SymbolKind) -> Step {
        let (scopes, last) = path(name);
        let mut symbol = walk.symbol(kind, last, node);
        if name.parent().is_some_and(|parent| parent.kind() == "type_definition") {
            symbol.line = line(node);
        }
        symbol.parent = owner(walk, &scopes);
        symbol.bases = child(node, "base_class_clause")
            .into_iter()
            .flat_map(children)
            .filter(|base| base.kind() != "access_specifier")
            .map(|base| folded(walk.node_text(base)))
            .collect();
        limit(walk, &mut symbol, false);
        symbol.decorators.extend(template(walk, node));
        if node.parent().is_some_and(|parent| parent.kind() == "type_definition") {
            symbol.idioms.push("typedef".to_owned());
        }
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        let scope = match &symbol.parent {
            Some(parent) => format!("{parent}::{}", symbol.name),
            None => symbol.name.clone(),
        };
        walk.symbols.push(symbol);
        self.inside(walk, Some(scope), kind)
    }

    /// The scope of a type's members.
    fn inside(&self, walk: &Walk, name: Option<String>, kind: SymbolKind) -> Step {
        let visibility = match kind {
            SymbolKind::Class => Some(Visibility::Private),
            SymbolKind::Enum => walk.scope().and_then(|scope| scope.visibility),
            _ => Some(Visibility::Public),
        };
        Step::Inside(Scope {
            name,
            kind: Some(kind),
            visibility: visibility.filter(|_| self.cpp),
            exported: walk.scope().and_then(|scope| scope.exported),
            ..Scope::default()
        })
    }
}

/// Whether a type without a body is declared by itself, as in `struct s;`.
fn stands_alone(node: Node) -> bool {
    match node.parent() {
        Some(parent) if parent.kind() == "field_declaration" || parent.kind() == "declaration" => {
            parent.child_by_field_name("declarator").is_none()
        }
        Some(parent) => {
            matches!(
                parent.kind(),
                "translation_unit"
                    | "declaration_list"
                    | "field_declaration_list"
                    | "template_declaration"
                    | "linkage_specification"
            ) || parent.kind().starts_with("preproc_")
        }
        None => false,
    }
}

/// A value of an enumeration.
pub(super) fn enumerator(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = walk.field(node, "name").filter(|_| !walk.in_callable()) {
        let mut symbol = walk.symbol(SymbolKind::EnumMember, name, node);
        symbol.return_type = walk.field_text(node, "value").map(folded);
        symbol.exported = Some(false);
        symbol.visibility = walk.scope().and_then(|scope| scope.visibility);
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// `public:` and similar labels.
pub(super) fn access(walk: &mut Walk, node: Node) -> Step {
    let word = walk.node_text(node);
    let visibility = if word.starts_with("private") {
        Visibility::Private
    } else if word.starts_with("protected") {
        Visibility::Protected
    } else {
        Visibility::Public
    };
    if let Some(scope) = walk.scope_mut() {
        scope.visibility = Some(visibility);
    }
    Step::Skip
}
