//! Personalised PageRank, as networkx computes it through SciPy, in the same order of
//! floating-point operations.

use rayon::prelude::*;

use super::{
    adjacency::{Adjacency, OutEdge, ROWS_AT_ONCE},
    numeric::{introsort, pairwise_sum, segment_sum},
    table::Table,
};

/// Damping factor.
const ALPHA: f64 = 0.85;
/// Convergence bound, per node, on the L1 norm of the change in one iteration.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of iterations.
const MAX_ITERATIONS: usize = 100;

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// The transition matrix by rows, with parallel edges summed and each row scaled to the sum 1.
#[derive(Debug, PartialEq)]
pub struct Transitions {
    /// Columns and values.
    rows: Table<(u32, f64)>,
    /// The nodes whose rows are empty.
    dangling: Vec<u32>,
}

impl Transitions {
    /// The matrix of some edges.
    pub fn of(adjacency: &Adjacency) -> Self {
        let edges = adjacency.table();
        let is_sorted = is_sorted(adjacency);
        let nodes: Vec<u32> = (0..edges.len() as u32).collect();
        let parts: Vec<Self> = nodes
            .par_chunks(ROWS_AT_ONCE)
            .map(|nodes| Self::of_nodes(edges, nodes, is_sorted))
            .collect();
        let mut all = Self { rows: Table::default(), dangling: Vec::new() };
        for part in parts {
            all.rows.append(part.rows);
            all.dangling.extend(part.dangling);
        }
        all
    }

    /// The matrix of the edges `now`, if this one is that of the edges `before`.
    pub fn renewed(&self, before: &Adjacency, now: &Adjacency, moves: &Moves) -> Self {
        let is_sorted = is_sorted(now);
        if is_sorted != self::is_sorted(before) {
            return Self::of(now);
        }
        let mut is_dangling = vec![false; self.rows.len()];
        self.dangling.iter().for_each(|node| is_dangling[*node as usize] = true);
        let items = self.rows.items().len() + self.rows.items().len() / 8;
        let rows = Table::with_capacity(moves.before.len(), items);
        let mut all = Self { rows, dangling: Vec::new() };
        let mut row = Vec::new();
        for (node, before) in (0..).zip(&moves.before) {
            row.clear();
            if *before != NONE {
                let steps = self.rows.row(*before as usize).iter();
                row.extend(steps.map(|(to, share)| (moves.now[*to as usize], *share)));
            }
            // Edges are sorted by their targets before they are summed. As long as these have the same order, the
            // sums are the same.
            if *before != NONE && row.is_sorted_by_key(|step| step.0) {
                all.rows.push(row.iter().copied());
                all.dangling.extend(Some(node).filter(|_| is_dangling[*before as usize]));
            } else {
                let made = Self::of_nodes(now.table(), &[node], is_sorted);
                all.rows.append(made.rows);
                all.dangling.extend(made.dangling);
            }
        }
        all
    }

    /// The steps from some nodes.
    fn of_nodes(edges: &Table<OutEdge>, nodes: &[u32], is_sorted: bool) -> Self {
        let mut rows = Table::default();
        let (mut row, mut summed) = (Vec::new(), Vec::<(u32, f64)>::new());
        let (mut dangling, mut weights) = (Vec::new(), Vec::new());
        for &node in nodes {
            row.clear();
            row.extend(edges.row(node as usize).iter().map(|edge| (edge.target, edge.weight)));
            if !is_sorted {
                introsort(&mut row);
            }
            summed.clear();
            for (target, weight) in &row {
                match summed.last_mut() {
                    Some((last, sum)) if last == target => *sum += weight,
                    _ => summed.push((*target, *weight)),
                }
            }
            weights.clear();
            weights.extend(summed.iter().map(|entry| entry.1));
            let sum = segment_sum(&weights);
            if sum == 0.0 {
                dangling.push(node);
            } else {
                let scale = 1.0 / sum;
                for entry in &mut summed {
                    entry.1 *= scale;
                }
            }
            rows.push(summed.iter().copied());
        }
        Self { rows, dangling }
    }

    /// The matrix with these parts; `None` if they do not fit each other.
    pub fn of_parts(rows: Table<(u32, f64)>, dangling: Vec<u32>) -> Option<Self> {
        let fits = |node: u32| (node as usize) < rows.len();
        let all_fit = rows.items().iter().all(|(target, _)| fits(*target))
            && dangling.iter().all(|node| fits(*node));
        all_fit.then_some(Self { rows, dangling })
    }

    /// Columns and values by rows.
    pub const fn rows(&self) -> &Table<(u32, f64)> {
        &self.rows
    }

    /// The nodes whose rows are empty.
    pub fn dangling(&self) -> &[u32] {
        &self.dangling
    }
}

/// What became of the nodes of a matrix.
#[derive(Debug)]
pub struct Moves {
    /// The present number of each node of before; `u32::MAX` if it is gone.
    pub now: Vec<u32>,
    /// The number before of each present node; `u32::MAX` if its edges are not the same any more.
    pub before: Vec<u32>,
}

/// Whether all rows are sorted: the matrix library sorts all of them as soon as one is not.
fn is_sorted(adjacency: &Adjacency) -> bool {
    adjacency.table().rows().all(|row| row.is_sorted_by_key(|edge| edge.target))
}

/// Ranks by node index. Restarts, and steps from dangling nodes, follow `personalization` (by node
/// index, not normalised); if it is absent or sums to zero over the nodes, they are uniform. If the
/// iteration has not converged after [`MAX_ITERATIONS`], which was not seen on any graph, the last
/// ranks are returned.
pub fn pagerank(transitions: &Transitions, personalization: Option<&[f64]>) -> Vec<f64> {
    let nodes = transitions.rows.len();
    if nodes == 0 {
        return Vec::new();
    }
    let uniform = || vec![1.0 / nodes as f64; nodes];
    let restart = match personalization {
        Some(weights) => match pairwise_sum(weights) {
            0.0 => uniform(),
            sum => weights.iter().map(|weight| weight / sum).collect(),
        },
        None => uniform(),
    };
    let mut ranks = uniform();
    for _ in 0..MAX_ITERATIONS {
        let mut arriving = vec![0.0; nodes];
        for (row, rank) in transitions.rows.rows().zip(&ranks) {
            for (target, share) in row {
                arriving[*target as usize] += share * rank;
            }
        }
        let stranded =
            transitions.dangling.iter().fold(0.0, |sum, node| sum + ranks[*node as usize]);
        let next: Vec<f64> = arriving
            .iter()
            .zip(&restart)
            .map(|(arriving, restart)| {
                ALPHA * (arriving + stranded * restart) + (1.0 - ALPHA) * restart
            })
            .collect();
        let change: Vec<f64> = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).collect();
        ranks = next;
        if pairwise_sum(&change) < nodes as f64 * TOLERANCE {
            break;
        }
    }
    ranks
}
