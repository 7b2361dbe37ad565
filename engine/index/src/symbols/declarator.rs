//! What a declarator of C or C++ declares.

use tree_sitter::Node;

use super::{KINDS, named_by::named_by};

/// The name in a declarator.
#[derive(Debug)]
pub struct Declared<'tree> {
    /// The name.
    pub name: Node<'tree>,
    /// The innermost class or namespace before the name.
    pub scope: Option<Node<'tree>>,
    /// Whether it declares a function, not an object or a pointer to a function.
    pub is_function: bool,
}

impl Declared<'_> {
    /// The kind of what is declared, if it is of another kind than that of the pattern: a function, a
    /// method, or a constructor, which has the name of its class.
    pub fn kind(&self, pattern: u8, declaration: &Node, text: &str) -> u8 {
        let name = text.get(self.name.byte_range());
        let scope = self.scope.map(|scope| named_by(scope, text));
        let is_constructor = scope.is_some_and(|scope| text.get(scope.byte_range()) == name);
        let kind = match self.is_function {
            false => return pattern,
            true if is_constructor => "constructor",
            true if scope.is_some() || self.name.kind() == "field_identifier" => "method",
            true if is_in_class(declaration) => "constructor",
            true => "function",
        };
        KINDS.iter().position(|known| *known == kind).map_or(pattern, |kind| kind as u8)
    }
}

/// What a declarator declares; `None` for an operator, a destructor and what has no name.
pub fn declared(declarator: Node) -> Option<Declared> {
    let (mut node, mut scope, mut is_function) = (declarator, None, false);
    loop {
        node = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" => {
                return Some(Declared { name: node, scope, is_function });
            }
            "pointer_declarator" | "array_declarator" | "init_declarator" => {
                node.child_by_field_name("declarator")?
            }
            "attributed_declarator" | "parenthesized_declarator" | "reference_declarator" => {
                node.named_child(0)?
            }
            "function_declarator" => {
                let inner = node.child_by_field_name("declarator")?;
                is_function = inner.kind() != "parenthesized_declarator";
                inner
            }
            "qualified_identifier" => {
                scope = node.child_by_field_name("scope");
                node.child_by_field_name("name")?
            }
            "template_function" | "template_method" => node.child_by_field_name("name")?,
            _ => return None,
        };
    }
}

/// Whether a declaration stands directly in a class, be it a template or not.
fn is_in_class(declaration: &Node) -> bool {
    let mut around = declaration.parent();
    while let Some(template) = around.filter(|around| around.kind() == "template_declaration") {
        around = template.parent();
    }
    around.is_some_and(|around| around.kind() == "field_declaration_list")
}
