//! What stands at a definition.

use tree_sitter::Tree;

use super::doc;
use crate::symbols::Definition;

/// What a reader is told about a definition. Lines are from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The definition without its body, on one line.
    pub signature: String,
    /// Its whole documentation without comment marks; empty if there is none.
    pub documentation: String,
    /// First byte of the body, or the byte behind a definition without one.
    pub body: u32,
    /// First and last line of the statement that it is in, with the comments and attributes directly
    /// before it.
    pub lines: (u32, u32),
    /// First and last line of the definition without its body; a brace that opens the body counts.
    pub head: (u32, u32),
    /// Last line of the definition.
    pub last: u32,
}

impl Described {
    /// What stands at a definition; `None` if no node of the tree has its bytes.
    pub fn of(tree: &Tree, text: &str, definition: &Definition) -> Option<Self> {
        let (start, end) = (definition.start as usize, definition.end as usize);
        let node = tree.root_node().descendant_for_byte_range(start, end)?;
        let statement = doc::statement(&node);
        let head = doc::head(&node);
        let is_braced = text.get(head.end..).is_some_and(|body| body.starts_with('{'));
        let written = text.get(head.clone()).unwrap_or_default();
        let written = if is_braced { written } else { written.trim_end() };
        let first = node.start_position().row;
        let line = |row: usize| row as u32 + 1;
        Some(Self {
            signature: doc::signature(&node, text),
            documentation: doc::documentation(&node, text),
            body: head.end as u32,
            lines: (line(doc::first_row(&statement)), line(doc::last_row(&statement))),
            head: (line(first), line(first + written.matches('\n').count())),
            last: line(doc::last_row(&node)),
        })
    }
}
