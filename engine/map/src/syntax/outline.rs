//! What rendering needs to know of a syntax tree: for each row, which scopes cover it and which
//! rows head a scope (the comparator's `TreeContext`).

use tree_sitter::{Node, Tree};

/// Maximum number of rows of a header (`header_max` of the comparator).
const HEADER_MAX: u32 = 10;

/// Number of levels up to which nodes in one row need not be walked: no tree within it is too deep
/// for the comparator.
const COUNTED_DEPTH: u32 = 900;

/// Scopes and headers by row, and the depth of the tree.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// Per row: the last row of the longest node that starts there; 0 where none starts.
    scope_end: Vec<u32>,
    /// Per row: the end, exclusive, of the header of the scope that starts there.
    header_end: Vec<u32>,
    /// Number of levels of the tree, the root being 1; exact if there are more than
    /// [`COUNTED_DEPTH`].
    depth: u32,
}

impl Outline {
    /// Walks the tree of a text with `rows` rows, without recursion.
    pub fn of(tree: &Tree, rows: usize) -> Self {
        let mut builder =
            Builder { scope_end: vec![0; rows], headers: vec![Header::default(); rows], depth: 0 };
        let mut cursor = tree.walk();
        let mut level = 1_u32;
        'walk: loop {
            let node = cursor.node();
            builder.add(&node);
            builder.depth = builder.depth.max(level);
            // Below a node in one row no new scope starts; only a very long chain could make the
            // tree deep.
            let within = node.descendant_count() as u32;
            let is_settled = node.start_position().row == node.end_position().row
                && level.saturating_add(within) <= COUNTED_DEPTH;
            if !is_settled && cursor.goto_first_child() {
                level += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
                level -= 1;
            }
        }
        builder.finish()
    }

    /// Number of levels of the tree, the root being 1; exact if it is more than 900, otherwise a
    /// lower bound.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The starts of all scopes that cover a row, from the outermost.
    pub fn scopes(&self, row: usize) -> impl Iterator<Item = usize> {
        self.scope_end
            .iter()
            .take(row + 1)
            .enumerate()
            .filter(move |(start, end)| **end as usize >= row && (**end > 0 || *start == row))
            .map(|(start, _)| start)
    }

    /// The rows of the header of the scope that starts at a row.
    pub fn header(&self, start: usize) -> std::ops::Range<usize> {
        let end = self.header_end.get(start).map_or(start + 1, |end| *end as usize);
        start..end.max(start + 1)
    }
}

/// What is known about the header at one row during the walk.
#[derive(Clone, Default)]
struct Header {
    /// Number of nodes with several rows that start here, counted up to 2.
    multi_row_nodes: u8,
    /// The smallest last row of those nodes.
    smallest_end: u32,
}

struct Builder {
    scope_end: Vec<u32>,
    headers: Vec<Header>,
    depth: u32,
}

impl Builder {
    fn add(&mut self, node: &Node) {
        let start = node.start_position().row;
        let end = node.end_position().row as u32;
        if let Some(scope_end) = self.scope_end.get_mut(start) {
            *scope_end = (*scope_end).max(end);
        }
        if end as usize > start
            && let Some(header) = self.headers.get_mut(start)
        {
            header.smallest_end =
                if header.multi_row_nodes == 0 { end } else { header.smallest_end.min(end) };
            header.multi_row_nodes = (header.multi_row_nodes + 1).min(2);
        }
    }

    /// If two or more nodes with several rows start at a row, the smallest of them is the header,
    /// at most [`HEADER_MAX`] rows long and without its last row; otherwise the header is the row
    /// alone.
    fn finish(self) -> Outline {
        let header_end = self
            .headers
            .iter()
            .enumerate()
            .map(|(row, header)| {
                let row = row as u32;
                if header.multi_row_nodes < 2 {
                    row + 1
                } else if header.smallest_end - row > HEADER_MAX {
                    row + HEADER_MAX
                } else {
                    header.smallest_end
                }
            })
            .collect();
        Outline { scope_end: self.scope_end, header_end, depth: self.depth }
    }
}
