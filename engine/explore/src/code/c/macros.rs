//! Calls of macros that look like declarations: `DISALLOW_COPY(Queue);`, `TEST(Queue, Pushes) { … }`.

use tree_sitter::Node;

use super::{annotations::is_shouted, declarator::Declared};
use crate::code::walk::{Walk, children, folded};

/// Whether a declaration is in fact a macro call: a name in capitals with brackets and no type, or,
/// after `static`, something that the grammar takes for a type without a name.
pub(super) fn is_call(walk: &Walk, node: Node, found: Declared) -> bool {
    if found.name.is_missing() {
        return true;
    }
    found.function.is_some()
        && walk.field(node, "type").is_none()
        && is_shouted(walk.node_text(found.name))
}

/// The name of the test that a definition defines, `Suite.Name` or the argument of its macro;
/// `None` for other definitions. In the macro names of test frameworks, `TEST` or `BENCHMARK` is
/// one of the words.
pub(super) fn test(walk: &Walk, node: Node, found: Declared) -> Option<String> {
    let name = walk.node_text(found.name);
    // In C, the grammar reads `TEST(name) { … }` as a value `name` of the type `TEST`.
    let of_type = walk.field_text(node, "type").filter(|_| found.function.is_none());
    if of_type.is_some_and(defines_test) {
        return Some(name.to_owned());
    }
    if !is_call(walk, node, found) || !defines_test(name) {
        return None;
    }
    let parameters = walk.field(found.function?, "parameters")?;
    let parts: Vec<String> = children(parameters)
        .filter(|part| part.kind() != "comment")
        .map(|part| folded(walk.node_text(part)))
        .take(2)
        .collect();
    (!parts.is_empty()).then(|| parts.join("."))
}

/// Whether the macro with this name defines a test.
fn defines_test(name: &str) -> bool {
    is_shouted(name) && name.split('_').any(|word| matches!(word, "TEST" | "BENCHMARK"))
}
