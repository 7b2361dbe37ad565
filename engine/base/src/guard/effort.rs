//! What it costs to query or explore a syntax tree, estimated from its shape beforehand.
//!
//! The query engine keeps the unfinished matches of all ancestors of a node and looks at each of
//! them at every node, and at every node it looks for a later sibling that has a name. So a query
//! costs at most the sum of the depths of all nodes and of the lengths of the runs of nameless
//! siblings in front of them. Explorers join the names of all scopes around a node, which costs as
//! much again. In ordinary code this sum grows with the length of the file; in a file nested on
//! purpose it grows with the square of the length.

use tree_sitter::Tree;

/// Largest effort for a tree of any size: a query of this effort takes about a second.
const ANY_TREE: u64 = 100_000_000;
/// Largest effort for each node of a larger tree. Ordinary code needs about fifteen.
const A_NODE: u64 = 200;
/// Subtrees of at most this many nodes are not walked: each counts as if it were a chain.
const SUBTREE: u64 = 64;

/// Whether work on this tree could take long. The answer depends on the tree alone and takes linear
/// time, without recursion.
pub fn is_excessive(tree: &Tree) -> bool {
    let nodes = tree.root_node().descendant_count() as u64;
    let most = ANY_TREE.max(nodes.saturating_mul(A_NODE));
    // A chain is the worst shape.
    if nodes.saturating_mul(nodes) <= most {
        return false;
    }
    let mut effort = 0_u64;
    let mut cursor = tree.walk();
    // The run of nameless siblings that the walk is in, for each level.
    let mut runs = vec![0_u64];
    loop {
        let node = cursor.node();
        let below = node.descendant_count() as u64;
        let depth = runs.len() as u64;
        if let Some(run) = runs.last_mut() {
            *run = if node.is_named() { 0 } else { *run + 1 };
            effort += *run;
        }
        let is_small = below <= SUBTREE;
        effort += if is_small { below * depth + below * below / 2 } else { depth };
        if effort > most {
            return true;
        }
        if !is_small && cursor.goto_first_child() {
            runs.push(0);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            runs.pop();
        }
    }
}
