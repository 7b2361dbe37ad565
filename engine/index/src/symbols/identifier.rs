//! The identifiers of a syntax tree.

use tree_sitter::{Node, TreeCursor};

/// Endings of the kinds of nodes whose text is not a name.
const NO_NAMES: [&str; 9] =
    ["comment", "string", "content", "text", "literal", "number", "escape", "fragment", "char"];

/// Words for the object of a method, or for a module of Rust; they are looked up as names.
pub const OBJECTS: [&str; 4] = ["crate", "self", "super", "this"];

/// The name of what an ECMAScript module exports by default.
pub const DEFAULT: &str = "default";

/// Whether a leaf is an identifier: a named node whose text could be a name and is not part of a
/// string or a comment; or the word for a default export, which names it.
pub fn is_identifier(node: &Node, text: &str) -> bool {
    let kind = node.kind();
    if kind == DEFAULT {
        return node.parent().is_some_and(|parent| parent.kind() == "export_statement");
    }
    if !node.is_named() || node.is_error() {
        return false;
    }
    if kind.ends_with("identifier") {
        return !text.is_empty() && !text.contains(['\n', ' ']);
    }
    let is_start = |c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@');
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!' | '\'' | '-');
    let mut characters = text.chars();
    characters.next().is_some_and(is_start)
        && characters.all(is_part)
        && (kind != text || OBJECTS.contains(&kind))
        && !NO_NAMES.iter().any(|end| kind.contains(end))
        && !matches!(kind, "true" | "false" | "none" | "null" | "nil")
}

/// Moves to the next node in document order.
pub fn next(cursor: &mut TreeCursor) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Counts columns in code points. Nodes must be passed in document order.
#[derive(Debug)]
pub struct Columns<'a> {
    text: &'a str,
    row: u32,
    /// Byte up to which it has counted.
    byte: usize,
    /// First byte of the row.
    start: usize,
    column: u32,
}

impl<'a> Columns<'a> {
    /// A counter at the start of a text.
    pub const fn new(text: &'a str) -> Self {
        Self { text, row: 0, byte: 0, start: 0, column: 0 }
    }

    /// Row and column of a node, from 0; the column in code points.
    pub fn of(&mut self, node: &Node) -> (u32, u32) {
        let position = node.start_position();
        let row = position.row as u32;
        let start = node.start_byte() - position.column;
        if row != self.row || start != self.start || node.start_byte() < self.byte {
            (self.row, self.start, self.byte, self.column) = (row, start, start, 0);
        }
        let between = self.text.get(self.byte..node.start_byte()).unwrap_or_default();
        self.column += between.chars().count() as u32;
        self.byte = node.start_byte();
        // A byte order mark does not count as a character of the first line.
        let mark = u32::from(row == 0 && self.text.starts_with('\u{feff}'));
        (row, self.column.saturating_sub(mark))
    }
}
