//! The part of a type or of a value that names it.

use tree_sitter::Node;

/// Types and functions of Rust and C++ that hold or make one value of the type that is their first
/// argument, which most uses reach through them.
const HOLDERS: [&str; 16] = [
    "Arc",
    "Box",
    "Option",
    "Pin",
    "Rc",
    "Result",
    "const_cast",
    "dynamic_cast",
    "make_shared",
    "make_unique",
    "optional",
    "reinterpret_cast",
    "shared_ptr",
    "static_cast",
    "unique_ptr",
    "weak_ptr",
];

/// Of a type, the type without references and arguments, or that of its elements; of a value, the
/// function that is called for it, or what it is a reference to or an element of. Any other node is
/// its own.
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
        | "new_expression"
        | "qualified_type"
        | "reference_type"
        | "composite_literal"
        | "parameter_declaration"
        | "type_assertion_expression"
        | "type_descriptor" => node.child_by_field_name("type"),
        "class_specifier"
        | "enum_specifier"
        | "method_invocation"
        | "qualified_identifier"
        | "struct_expression"
        | "struct_specifier"
        | "union_specifier" => node.child_by_field_name("name"),
        "pointer_expression" | "subscript_expression" => node.child_by_field_name("argument"),
        "array_access" => node.child_by_field_name("array"),
        "array_type" | "slice_type" => node.child_by_field_name("element"),
        "channel_type" | "map_type" | "reference_expression" => node.child_by_field_name("value"),
        "index_expression" => node.child_by_field_name("operand").or_else(|| node.named_child(0)),
        "slice_expression" | "unary_expression" => node.child_by_field_name("operand"),
        "generic_type" | "template_function" | "template_type" => {
            let name = ["name", "type"].iter().find_map(|field| node.child_by_field_name(field));
            let name = name.or_else(|| node.named_child(0))?;
            let last = text.get(name.byte_range())?.rsplit("::").next()?;
            let arguments = node
                .child_by_field_name("type_arguments")
                .or_else(|| node.child_by_field_name("arguments"));
            let held = arguments.filter(|_| HOLDERS.contains(&last));
            held.and_then(|arguments| arguments.named_child(0)).or(Some(name))
        }
        "call" | "call_expression" | "generic_function" => node.child_by_field_name("function"),
        "await"
        | "await_expression"
        | "bracketed_type"
        | "parameter_list"
        | "parenthesized_expression"
        | "parenthesized_type"
        | "pointer_type"
        | "try_expression" => node.named_child(0),
        _ => None,
    }
}
