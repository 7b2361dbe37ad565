//! Arduino sketches: C++ whose tool writes prototypes and includes `Arduino.h` by itself.

use tree_sitter::Node;

use super::{
    c,
    walk::{Language, Step, Walk},
};
use crate::symbol::SymbolKind;

/// The meaning of a sketch.
pub struct Arduino;

impl Language for Arduino {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        c::enter(walk, node, true)
    }

    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        c::prepare(text, true)
    }

    fn finish(&self, walk: &mut Walk, _root: Node) {
        c::settle(walk);
        c::facts(walk, true);
        for (field, name) in [("has_setup", "setup"), ("has_loop", "loop")] {
            let has = walk
                .symbols
                .iter()
                .any(|symbol| symbol.kind == SymbolKind::Function && symbol.name == name);
            walk.fields.insert(field.to_owned(), has.into());
        }
    }
}
