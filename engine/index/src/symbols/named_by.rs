//! The part of a type or of a value that names it.

use tree_sitter::Node;

/// Types of Rust that hold one value of the type that is their first argument, which most uses reach
/// through them.
const HOLDERS: [&str; 6] = ["Arc", "Box", "Option", "Pin", "Rc", "Result"];

/// Of a type, the type without references and arguments; of a value, the function that is called for
/// it, or what it is a reference to. Any other node is its own.
pub fn named_by<'tree>(node: Node<'tree>, text: &str) -> Node<'tree> {
    let mut node = node;
    while let Some(inner) = inner(&node, text) {
        node = inner;
    }
    node
}

fn inner<'tree>(node: &Node<'tree>, text: &str) -> Option<Node<'tree>> {
    match node.kind() {
        "cast_expression"
        | "generic_type_with_turbofish"
        | "object_creation_expression"
        | "qualified_type"
        | "reference_type" => node.child_by_field_name("type"),
        "method_invocation" | "struct_expression" => node.child_by_field_name("name"),
        "generic_type" => {
            let name = node.child_by_field_name("type").or_else(|| node.named_child(0))?;
            let last = text.get(name.byte_range())?.rsplit("::").next()?;
            let arguments = node.child_by_field_name("type_arguments");
            let held = arguments.filter(|_| HOLDERS.contains(&last));
            held.and_then(|arguments| arguments.named_child(0)).or(Some(name))
        }
        "call" | "call_expression" | "generic_function" => node.child_by_field_name("function"),
        "reference_expression" => node.child_by_field_name("value"),
        "await"
        | "await_expression"
        | "bracketed_type"
        | "parenthesized_expression"
        | "try_expression" => node.named_child(0),
        _ => None,
    }
}
