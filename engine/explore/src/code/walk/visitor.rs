//! What a language implements.

use tree_sitter::{Node, Tree};

use super::{Signs, Step, Walk};
use crate::code::defect::Defect;

/// What the nodes of a language mean, and what is remembered of the file that is being walked: each
/// file is visited by a visitor of its own.
pub trait Visitor {
    /// Looks at one named node, in preorder.
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step;

    /// The text that the grammar reads in place of the file's, where directives or the form of the
    /// source decide that: of the same length and with every token at its place; none for the
    /// file's own.
    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        let _ = (file, text);
        None
    }

    /// A text to read instead, where the grammar misreads what the language allows: of the same
    /// length and with the same lines, so that places in its tree are places in the file.
    fn reread(&self, text: &str, tree: &Tree) -> Option<String> {
        let _ = (text, tree);
        None
    }

    /// What is wrong with a text, and where; `found` is what the grammar did not understand first. A language whose grammar lags behind it looks at the text itself, so
    /// that no valid text is called malformed.
    fn malformed(&self, file: &str, text: &str, found: Option<Defect>) -> Option<Defect> {
        let _ = (file, text);
        found
    }

    /// The grammar of a dialect, which is asked where the language's own finds defects, and
    /// believed where it finds fewer.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Signs and words of which one stands in every text that holds anything to look at: nodes
    /// without one are entered, but nothing below them is. Without any landmarks all nodes are.
    fn landmarks(&self) -> Option<&'static Signs> {
        None
    }

    /// Runs once behind the walk: exports by name, what the whole file says.
    fn finish(&mut self, walk: &mut Walk, root: Node) {
        let _ = (walk, root);
    }
}
