//! What a language implements.

use tree_sitter::{Node, Tree};

use super::{Signs, Step, Walk};
use crate::code::defect::Defect;

/// What the nodes of a language mean, and the state of the walk over one file: each file has a
/// visitor of its own.
pub trait Visitor {
    /// Visits one named node, in preorder.
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step;

    /// The text that the grammar parses in place of the file's, if directives or the form of the
    /// source make that necessary. It has the same length, with every token in its place. `None` to
    /// parse the file's own text.
    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        let _ = (file, text);
        None
    }

    /// A text to parse instead, if the grammar misparses what the language allows. It has the same
    /// length and the same lines, so that places in its tree are places in the file.
    fn reread(&self, text: &str, tree: &Tree) -> Option<String> {
        let _ = (text, tree);
        None
    }

    /// What is wrong with a text, and where; `found` is the first defect that the grammar found. A
    /// language with an outdated grammar checks the text itself, so that no valid text is called
    /// malformed.
    fn malformed(&self, file: &str, text: &str, found: Option<Defect>) -> Option<Defect> {
        let _ = (file, text);
        found
    }

    /// The grammar of a dialect. It is tried if the language's own grammar finds defects, and used
    /// if it finds fewer.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Signs and words, one of which is in every text that contains something to visit: a node
    /// without any is visited, but nothing below it. Without landmarks all nodes are visited.
    fn landmarks(&self) -> Option<&'static Signs> {
        None
    }

    /// Runs once after the walk, for exports by name and facts of the whole file.
    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let _ = (walk, root);
    }
}
