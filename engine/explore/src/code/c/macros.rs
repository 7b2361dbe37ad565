//! Calls of macros that look like declarations: `DISALLOW_COPY(Queue);`, `TEST(Queue, Pushes) { … }`.

use tree_sitter::Node;

use super::{annotations::is_shouted, declarator::Declared};
use crate::code::walk::{Walk, children, folded};

/// Whether a declaration is the call of a macro: a name in capitals with brackets and no type, or, behind
/// `static`, what a grammar takes for a type whose name is missing.
pub(super) fn is_call(walk: &Walk, node: Node, found: Declared) -> bool {
    if found.name.is_missing() {
        return true;
    }
    found.function.is_some()
        && walk.field(node, "type").is_none()
        && is_shouted(walk.node_text(found.name))
}

/// The name of the test that a definition is, `Suite.Name` or what its macro is given; none for other
/// definitions. Test frameworks call their macros so that `TEST` or `BENCHMARK` is a word of the name.
pub(super) fn test(walk: &Walk, node: Node, found: Declared) -> Option<String> {
    let name = walk.node_text(found.name);
    // In C, `TEST(name) { … }` is read as a value `name` of the type `TEST`.
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

/// Whether the macro of a name defines a test.
fn defines_test(name: &str) -> bool {
    is_shouted(name) && name.split('_').any(|word| matches!(word, "TEST" | "BENCHMARK"))
}
