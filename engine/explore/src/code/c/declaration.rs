//! Declarations of functions, variables, fields and type aliases.

use tree_sitter::Node;

use super::{
    C,
    declarator::{Declared, declared, operator, path},
    has_body,
    linkage::limit,
    macros,
    namespace::owner,
};
use crate::{
    code::{
        doc,
        walk::{Scope, Step, Walk, children, folded, line},
    },
    symbol::{SymbolKind, Visibility},
};

impl C {
    /// A definition of a function.
    pub(super) fn definition(&mut self, walk: &mut Walk, node: Node) -> Step {
        if let Some(step) = self.disguised_class(walk, node) {
            return step;
        }
        if !walk.in_callable()
            && let Some(found) = walk.field(node, "declarator").and_then(declared)
        {
            match macros::test(walk, node, found) {
                Some(name) => push_test(walk, node, &name),
                None => self.push(walk, node, found),
            }
        }
        // The inside of a function matters only for its macros.
        let text = walk.node_text(node).as_bytes();
        let defines = memchr::memmem::find_iter(text, b"define")
            .any(|at| text.get(..at).is_some_and(|before| before.trim_ascii_end().ends_with(b"#")));
        if defines {
            Step::Inside(Scope { callable: true, ..Scope::default() })
        } else {
            Step::Skip
        }
    }

    /// A declaration of variables, fields and functions.
    pub(super) fn declaration(&mut self, walk: &mut Walk, node: Node) -> Step {
        if walk.in_callable() {
            return Step::Into;
        }
        let mut cursor = node.walk();
        let declarators: Vec<Node> =
            node.children_by_field_name("declarator", &mut cursor).collect();
        // The inside of a declarator is not walked, except for a type that is defined there.
        let opens = walk.field(node, "type").is_some_and(|part| {
            part.kind().ends_with("_specifier") && (has_body(part) || declarators.is_empty())
        });
        for declarator in declarators {
            if let Some(found) =
                declared(declarator).filter(|found| !macros::is_call(walk, node, *found))
            {
                self.push(walk, node, found);
            }
        }
        if opens { Step::Into } else { Step::Skip }
    }

    /// A function, method, field or variable.
    fn push(&mut self, walk: &mut Walk, node: Node, found: Declared) {
        let (scopes, last) = path(found.name);
        let name = match last.kind() {
            "operator_name" | "operator_cast" => operator(walk.node_text(last)),
            _ => folded(walk.node_text(last)).replace("~ ", "~"),
        };
        let type_scope = walk
            .scope()
            .is_some_and(|scope| scope.kind.is_some_and(|kind| kind != SymbolKind::Enum));
        let owned = type_scope || !scopes.is_empty();
        let class = match scopes.last() {
            Some(scope) => Some(walk.node_text(path(*scope).1).to_owned()),
            None if type_scope => {
                walk.parent().map(|parent| parent.rsplit("::").next().unwrap_or(&parent).to_owned())
            }
            None => None,
        };
        let modifiers = modifiers(walk, node);
        let is_static = modifiers.iter().any(|word| word == "static");
        let callable = found.function.is_some() || last.kind() == "operator_cast";
        let kind = if last.kind() == "destructor_name" {
            SymbolKind::Destructor
        } else if callable && class.as_deref() == Some(name.as_str()) {
            SymbolKind::Constructor
        } else if callable && owned {
            SymbolKind::Method
        } else if callable {
            SymbolKind::Function
        } else if type_scope && !is_static {
            SymbolKind::Field
        } else {
            SymbolKind::Variable
        };
        let mut symbol = walk.named(kind, &name, line(last), node);
        symbol.parent = owner(walk, &scopes);
        if let Some(parameters) =
            found.function.and_then(|function| walk.field(function, "parameters"))
        {
            symbol.params = children(parameters)
                .filter(|each| each.kind() != "comment")
                .map(|each| folded(walk.node_text(each)))
                .collect();
        }
        symbol.return_type = returned(walk, node, found);
        let constant = modifiers.iter().any(|word| word == "constexpr")
            || found.pointer.unwrap_or_else(|| modifiers.iter().any(|word| word == "const"));
        let shared = modifiers.iter().any(|word| matches!(word.as_str(), "extern" | "inline"))
            || node.parent().is_some_and(|parent| parent.kind() == "template_declaration");
        let internal = !owned
            && (is_static || (self.cpp && kind == SymbolKind::Variable && constant && !shared));
        symbol.modifiers = modifiers;
        limit(walk, &mut symbol, internal);
        symbol.decorators.extend(template(walk, node));
        if found.function.is_some() && node.kind() != "function_definition" {
            symbol.idioms.push("declaration".to_owned());
        }
        if last.kind() == "operator_name" || last.kind() == "operator_cast" {
            symbol.idioms.push("operator".to_owned());
        }
        if self.cpp && symbol.visibility.is_none() && !scopes.is_empty() {
            // A member that is defined outside its class has the visibility that the class gives
            // it, and most are public. If the class is in this file, that is corrected at the end.
            symbol.visibility = Some(Visibility::Public);
            self.defined_outside.insert(walk.symbols.len());
        }
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
}

/// A test that a macro defines.
fn push_test(walk: &mut Walk, node: Node, name: &str) {
    let mut symbol = walk.named(SymbolKind::Function, name, line(node), node);
    symbol.idioms.push("test".to_owned());
    limit(walk, &mut symbol, true);
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
}

/// `typedef`: an alias of a type.
pub(super) fn type_definition(walk: &mut Walk, node: Node) -> Step {
    if walk.in_callable() {
        return Step::Skip;
    }
    let mut cursor = node.walk();
    let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
    let typed = walk.field(node, "type");
    for declarator in declarators {
        if let Some(found) = declared(declarator) {
            let mut symbol = walk.symbol(SymbolKind::Typedef, found.name, node);
            symbol.return_type =
                typed.filter(|part| !has_body(*part)).map(|part| folded(walk.node_text(part)));
            limit(walk, &mut symbol, false);
            symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
            walk.symbols.push(symbol);
        }
    }
    if typed.is_some_and(has_body) { Step::Into } else { Step::Skip }
}

/// `using name = type`.
pub(super) fn alias(walk: &mut Walk, node: Node) -> Step {
    if let Some(name) = walk.field(node, "name").filter(|_| !walk.in_callable()) {
        let mut symbol = walk.symbol(SymbolKind::Alias, name, node);
        symbol.return_type = walk.field_text(node, "type").map(folded);
        limit(walk, &mut symbol, false);
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// The parameters of a `template<…>` before a declaration.
pub(super) fn template(walk: &Walk, node: Node) -> Option<String> {
    let parent = node.parent().filter(|parent| parent.kind() == "template_declaration")?;
    walk.field_text(parent, "parameters")
        .map(|parameters| format!("template{}", folded(parameters)))
}

fn modifiers(walk: &Walk, node: Node) -> Vec<String> {
    let words = |node: Node| {
        matches!(
            node.kind(),
            "storage_class_specifier"
                | "type_qualifier"
                | "virtual"
                | "virtual_function_specifier"
                | "explicit_function_specifier"
                | "inline"
        )
    };
    let mut found: Vec<String> = children(node)
        .take_while(|part| !part.kind().ends_with("declarator"))
        .filter(|part| words(*part))
        .map(|part| walk.node_text(part).to_owned())
        .collect();
    if node.child(0).is_some_and(|first| !first.is_named() && walk.node_text(first) == "virtual") {
        found.insert(0, "virtual".to_owned());
    }
    found
}

/// The type of a value, or the return type of a function, including the asterisks at the name.
fn returned(walk: &Walk, node: Node, found: Declared) -> Option<String> {
    let mut text = folded(walk.field_text(node, "type")?);
    if walk.field(node, "type").is_some_and(has_body) {
        let bare = text.split('{').next().unwrap_or_default().trim().len();
        text.truncate(bare);
    }
    let stars = node
        .child_by_field_name("declarator")
        .map(|declarator| walk.node_text(declarator))
        .unwrap_or_default()
        .chars()
        .take_while(|sign| matches!(sign, '*' | '&' | ' '))
        .filter(|sign| *sign != ' ')
        .collect::<String>();
    if found.function.is_some() || found.pointer.is_some() {
        text.push_str(&stars);
    }
    Some(text)
}
