//! The visitors of JavaScript and TypeScript.

use tree_sitter::Node;

use super::{Ecmascript, LANDMARKS, LANDMARKS_OF_JSX};
use crate::code::walk::{Signs, Step, Visitor, Walk};

/// JavaScript. Files with Flow types are parsed by TypeScript's grammar, which knows most of these
/// types.
#[derive(Debug)]
pub struct JavaScript(Ecmascript);

impl Default for JavaScript {
    fn default() -> Self {
        Self(Ecmascript { commonjs: true, ..Ecmascript::default() })
    }
}

impl Visitor for JavaScript {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.0.enter(walk, node)
    }

    fn dialect(&self) -> Option<&'static str> {
        Some("tsx")
    }

    fn landmarks(&self) -> Option<&'static Signs> {
        Some(&LANDMARKS_OF_JSX)
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        self.0.set_javascript_facts(walk);
    }
}

/// TypeScript.
#[derive(Debug)]
pub struct TypeScript {
    file: Ecmascript,
    /// Whether the file may contain JSX.
    jsx: bool,
}

impl TypeScript {
    /// The visitor of a file; `jsx` says whether it may contain JSX.
    pub fn new(jsx: bool) -> Self {
        Self { file: Ecmascript::default(), jsx }
    }
}

impl Visitor for TypeScript {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        self.file.enter(walk, node)
    }

    fn landmarks(&self) -> Option<&'static Signs> {
        Some(if self.jsx { &LANDMARKS_OF_JSX } else { &LANDMARKS })
    }

    fn finish(&mut self, walk: &mut Walk, _root: Node) {
        self.file.set_typescript_facts(walk);
    }
}
