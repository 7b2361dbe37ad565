//! Declarators of C and C++: the name that a declaration such as `int *(*f)(void)` declares.

use tree_sitter::Node;

use crate::code::walk::{children, folded};

/// What one declarator declares.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'t> {
    /// The name: an identifier, a qualified name, an operator or a destructor.
    pub name: Node<'t>,
    /// The declarator of the function with its parameters, if it declares one.
    pub function: Option<Node<'t>>,
    /// `None` if it is not a pointer; otherwise, whether the pointer itself is constant.
    pub pointer: Option<bool>,
}

/// Follows a declarator to its name.
pub fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    let mut function = None;
    let mut pointer = None;
    loop {
        match node.kind() {
            kind if is_name(kind) || matches!(kind, "operator_cast" | "primitive_type") => {
                return Some(Declared { name: node, function, pointer });
            }
            "template_function" | "template_method" => {
                let name = node.child_by_field_name("name")?;
                return Some(Declared { name, function, pointer });
            }
            "function_declarator" => (function, pointer) = (Some(node), None),
            "pointer_declarator" | "reference_declarator" | "block_pointer_declarator" => {
                let constant = children(node).any(|part| part.kind() == "type_qualifier");
                (function, pointer) = (None, Some(constant));
            }
            "array_declarator" => function = None,
            "parenthesized_declarator"
            | "init_declarator"
            | "attributed_declarator"
            | "struct_declarator" => {}
            _ => return None,
        }
        node = node
            .child_by_field_name("declarator")
            .or_else(|| children(node).find(|part| names(*part)))?;
    }
}

/// Whether a node is a declarator or a name.
fn names(node: Node) -> bool {
    node.kind().ends_with("declarator") || is_name(node.kind())
}

fn is_name(kind: &str) -> bool {
    matches!(
        kind,
        "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "destructor_name"
            | "operator_name"
    )
}

/// The scopes and the last component of a qualified name.
pub fn path(name: Node<'_>) -> (Vec<Node<'_>>, Node<'_>) {
    let mut scopes = Vec::new();
    let mut node = name;
    while node.kind() == "qualified_identifier" {
        scopes.extend(node.child_by_field_name("scope"));
        let Some(inner) = node.child_by_field_name("name") else { break };
        node = inner;
    }
    while matches!(node.kind(), "template_type" | "template_function" | "dependent_name") {
        let Some(inner) = node.child_by_field_name("name").or_else(|| node.named_child(0)) else {
            break;
        };
        node = inner;
    }
    (scopes, node)
}

/// The name of an operator as compilers spell it: without white space, except after a word.
pub fn operator(text: &str) -> String {
    let head = text.split('(').next().filter(|head| head.trim() != "operator");
    let text = folded(head.unwrap_or("operator()"));
    match text.strip_prefix("operator ") {
        Some(sign) if !sign.starts_with(|first: char| first.is_alphabetic() || first == '_') => {
            format!("operator{}", sign.replace(' ', ""))
        }
        _ => text,
    }
}
