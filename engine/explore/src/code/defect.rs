//! The first place that a grammar could not parse.

use tree_sitter::Tree;

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// What is wrong, in words.
    pub what: String,
    /// 1-based line.
    pub line: u64,
    /// 1-based column: in bytes if a grammar found the defect, in characters if a language did.
    pub column: u64,
}

/// The first place that was not parsed; `None` if all of the text was.
pub fn first(tree: &Tree) -> Option<Defect> {
    if !tree.root_node().has_error() {
        return None;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            let start = node.start_position();
            let what = if node.is_missing() {
                format!("syntax error: {} is missing", node.kind())
            } else {
                "syntax error".to_owned()
            };
            let (line, column) = (start.row as u64 + 1, start.column as u64 + 1);
            return Some(Defect { what, line, column });
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}

/// Number of places that a grammar could not parse.
pub fn count(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
