//! Calls over several steps.

use std::collections::BTreeSet;

use index::nav::Place;
use serde::Serialize;

use super::Graph;

/// Most rows of a tree: calls of calls grow very fast.
const MOST: usize = 1_000;

/// Why a branch ends although it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The symbol stands on the way to itself.
    Cycle,
    /// It has further calls, beyond the depth that was asked for.
    DepthLimit,
}

/// A symbol in a tree of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Number of calls from the root, from 1.
    pub depth: usize,
    /// The symbol.
    pub place: Place,
    /// Why its own calls are not there, if it has any.
    pub mark: Option<Mark>,
}

/// The calls of a symbol, each before its own calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// The symbols.
    pub branches: Vec<Branch>,
    /// Whether it has more than the 1,000 rows that are made.
    pub is_cut: bool,
}

impl Graph<'_, '_> {
    /// The calls of a symbol over at most `depth` steps, or over all if there is no depth. Made without
    /// recursion.
    pub fn tree(&mut self, root: &Place, depth: Option<usize>) -> Tree {
        let mut tree = Tree::default();
        let mut way = vec![root.clone()];
        let mut open: Vec<(Place, usize)> = Vec::new();
        let children = self.called(root);
        open.extend(children.into_iter().rev().map(|place| (place, 1)));
        while let Some((place, at)) = open.pop() {
            if tree.branches.len() == MOST {
                tree.is_cut = true;
                break;
            }
            way.truncate(at);
            if way.contains(&place) {
                tree.branches.push(Branch { depth: at, place, mark: Some(Mark::Cycle) });
                continue;
            }
            let children = self.called(&place);
            let is_last = depth.is_some_and(|depth| at >= depth);
            let mark = (is_last && !children.is_empty()).then_some(Mark::DepthLimit);
            tree.branches.push(Branch { depth: at, place: place.clone(), mark });
            if !is_last {
                way.push(place);
                open.extend(children.into_iter().rev().map(|place| (place, at + 1)));
            }
        }
        tree
    }

    /// The symbols that a symbol calls, each once.
    fn called(&mut self, of: &Place) -> Vec<Place> {
        let mut seen = BTreeSet::new();
        let edges = self.outgoing(of).edges.into_iter();
        let called = edges.filter(|edge| edge.kind.is_call()).map(|edge| edge.to);
        called.filter(|place| seen.insert(place.clone())).collect()
    }
}
