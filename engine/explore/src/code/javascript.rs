//! JavaScript. What it shares with TypeScript is in `ecmascript`.
//!
//! JavaScript with the types of Flow is read by TypeScript's grammar, which knows most of them.

use tree_sitter::Node;

use super::{
    ecmascript,
    landmarks::Signs,
    typescript,
    walk::{Language, Step, Walk},
};

/// JavaScript.
#[derive(Debug)]
pub struct JavaScript;

impl Language for JavaScript {
    fn enter(&self, walk: &mut Walk, node: Node) -> Step {
        typescript::enter(walk, node, true)
    }

    fn dialect(&self) -> Option<&'static str> {
        Some("tsx")
    }

    fn landmarks(&self) -> Option<&'static Signs> {
        Some(&ecmascript::LANDMARKS_OF_JSX)
    }

    fn finish(&self, walk: &mut Walk, root: Node) {
        ecmascript::finish_javascript(walk, root);
    }
}
