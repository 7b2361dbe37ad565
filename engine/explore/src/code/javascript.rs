//! JavaScript. What it shares with TypeScript is in `ecmascript`.

use tree_sitter::Node;

use super::{
    ecmascript,
    walk::{Language, Step, Walk},
};

/// JavaScript.
#[derive(Debug)]
pub struct JavaScript;

impl Language for JavaScript {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        ecmascript::enter(walk, node, true)
    }

    fn finish(&self, walk: &mut Walk, root: Node) {
        ecmascript::finish_javascript(walk, root);
    }
}
