//! The edges of a graph by the nodes that they start from.

use rayon::prelude::*;

use crate::table::Table;

/// Least number of rows for which a thread is asked.
pub const ROWS_AT_ONCE: usize = 64;

/// One out-edge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OutEdge {
    /// Node that it leads to.
    pub target: u32,
    /// Index of the definition that it leads to.
    pub definition: u32,
    /// Weight.
    pub weight: f64,
}

/// Out-edges of each node in the order in which networkx keeps them: targets in order of first
/// appearance, parallel edges in order of insertion.
#[derive(Debug, PartialEq)]
pub struct Adjacency(Table<OutEdge>);

impl Adjacency {
    /// Sorts edges between so many nodes, each with the node that it starts from, given in order of
    /// insertion.
    pub fn of(nodes: usize, edges: impl Iterator<Item = (u32, OutEdge)> + Clone) -> Self {
        let mut edges = Table::of(nodes, edges);
        // Group by target, in order of the target's first appearance.
        let groups = || (Groups { of: vec![0; nodes], next: Vec::new() }, Vec::new());
        let rows: Vec<&mut [OutEdge]> = edges.rows_mut().collect();
        rows.into_par_iter().with_min_len(ROWS_AT_ONCE).for_each_init(
            groups,
            |(groups, inserted), row| {
                inserted.clear();
                inserted.extend_from_slice(row);
                groups.sort(inserted, row);
            },
        );
        Self(edges)
    }

    /// The adjacency with these edges; `None` if one leads to no node.
    pub fn of_table(table: Table<OutEdge>) -> Option<Self> {
        let fits = table.items().iter().all(|edge| (edge.target as usize) < table.len());
        fits.then_some(Self(table))
    }

    /// The edges by the nodes that they start from.
    pub const fn table(&self) -> &Table<OutEdge> {
        &self.0
    }

    /// The out-edges of a node.
    pub fn out(&self, node: usize) -> &[OutEdge] {
        self.0.row(node)
    }

    /// The part of a node's rank that reaches a definition, for each out-edge.
    pub fn flow(&self, node: usize, rank: f64) -> impl Iterator<Item = (&OutEdge, f64)> {
        let out = self.out(node);
        let total = out.iter().fold(0.0, |sum, edge| sum + edge.weight);
        out.iter().map(move |edge| (edge, rank * edge.weight / total))
    }
}

/// Sorts the edges of one node after the other by groups with the same target.
struct Groups {
    /// The number of the group of a target, from 1; 0 as long as the target did not appear.
    of: Vec<u32>,
    /// Where the next edge of each group comes.
    next: Vec<u32>,
}

impl Groups {
    fn sort(&mut self, row: &[OutEdge], sorted: &mut [OutEdge]) {
        self.next.clear();
        for edge in row {
            let group = &mut self.of[edge.target as usize];
            if *group == 0 {
                self.next.push(0);
                *group = self.next.len() as u32;
            }
            self.next[*group as usize - 1] += 1;
        }
        let mut start = 0;
        for next in &mut self.next {
            (start, *next) = (start + *next, start);
        }
        for edge in row {
            let next = &mut self.next[self.of[edge.target as usize] as usize - 1];
            sorted[*next as usize] = *edge;
            *next += 1;
        }
        for edge in row {
            self.of[edge.target as usize] = 0;
        }
    }
}
