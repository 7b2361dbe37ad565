//! Arduino sketches: C++ for which Arduino's build tool adds prototypes and the include of
//! `Arduino.h`.

use tree_sitter::Node;

use super::{
    c::C,
    walk::{Step, Visitor, Walk},
};
use crate::symbol::SymbolKind;

/// A sketch.
#[derive(Debug)]
pub struct Arduino(C);

impl Default for Arduino {
    fn default() -> Self {
        Self(C::new(true))
    }
}

impl Visitor for Arduino {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.0.enter(walk, node)
    }

    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        self.0.prepare(file, text)
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        self.0.finish(walk, root);
        for (field, name) in [("has_setup", "setup"), ("has_loop", "loop")] {
            let has = walk
                .symbols
                .iter()
                .any(|symbol| symbol.kind == SymbolKind::Function && symbol.name == name);
            walk.facts.set(field, has);
        }
    }
}
