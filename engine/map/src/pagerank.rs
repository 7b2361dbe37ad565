//! Personalised PageRank, as networkx computes it through SciPy, in the same order of
//! floating-point operations.

use super::{
    adjacency::Adjacency,
    numeric::{introsort, pairwise_sum, segment_sum},
};

/// Damping factor.
const ALPHA: f64 = 0.85;
/// Convergence bound, per node, on the L1 norm of the change in one iteration.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of iterations.
const MAX_ITERATIONS: usize = 100;

/// The transition matrix by rows, with parallel edges summed and each row scaled to the sum 1.
#[derive(Debug, PartialEq)]
pub struct Transitions {
    /// Where each row starts in the entries, and their number.
    starts: Vec<u32>,
    /// Columns and values.
    entries: Vec<(u32, f64)>,
    /// The nodes whose rows are empty.
    dangling: Vec<u32>,
}

impl Transitions {
    /// The matrix of some edges.
    pub fn of(adjacency: &Adjacency) -> Self {
        let nodes = adjacency.nodes();
        let mut all: Vec<(u32, f64)> =
            adjacency.edges().iter().map(|edge| (edge.target, edge.weight)).collect();
        let row_of =
            |node: usize| adjacency.starts()[node] as usize..adjacency.starts()[node + 1] as usize;
        // The matrix library sorts all rows as soon as one is unsorted.
        let is_sorted = |node| all[row_of(node)].is_sorted_by_key(|entry| entry.0);
        if !(0..nodes).all(is_sorted) {
            for node in 0..nodes {
                introsort(&mut all[row_of(node)]);
            }
        }
        let mut entries: Vec<(u32, f64)> = Vec::with_capacity(all.len());
        let mut starts = vec![0];
        let (mut dangling, mut weights) = (Vec::new(), Vec::new());
        for node in 0..nodes {
            let start = entries.len();
            for (target, weight) in &all[row_of(node)] {
                match entries.get_mut(start..).and_then(<[_]>::last_mut) {
                    Some((last, sum)) if last == target => *sum += weight,
                    _ => entries.push((*target, *weight)),
                }
            }
            let row = &mut entries[start..];
            weights.clear();
            weights.extend(row.iter().map(|entry| entry.1));
            let sum = segment_sum(&weights);
            if sum == 0.0 {
                dangling.push(node as u32);
            } else {
                let scale = 1.0 / sum;
                for entry in row {
                    entry.1 *= scale;
                }
            }
            starts.push(entries.len() as u32);
        }
        Self { starts, entries, dangling }
    }

    /// The matrix with these parts; `None` if they do not fit each other.
    pub fn of_parts(
        starts: Vec<u32>,
        entries: Vec<(u32, f64)>,
        dangling: Vec<u32>,
    ) -> Option<Self> {
        let nodes = starts.len().checked_sub(1)? as u32;
        let fits = starts.first() == Some(&0)
            && starts.last() == Some(&(entries.len() as u32))
            && starts.is_sorted()
            && entries.iter().all(|(target, _)| *target < nodes)
            && dangling.iter().all(|node| *node < nodes);
        fits.then_some(Self { starts, entries, dangling })
    }

    /// Where each row starts in the entries, and their number.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Columns and values of all rows.
    pub fn entries(&self) -> &[(u32, f64)] {
        &self.entries
    }

    /// The nodes whose rows are empty.
    pub fn dangling(&self) -> &[u32] {
        &self.dangling
    }

    /// Number of nodes.
    pub const fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.starts.windows(2).map(|ends| &self.entries[ends[0] as usize..ends[1] as usize])
    }
}

/// Ranks by node index. Restarts, and steps from dangling nodes, follow `personalization` (by node
/// index, not normalised); if it is absent or sums to zero over the nodes, they are uniform. If the
/// iteration has not converged after [`MAX_ITERATIONS`], which was not seen on any graph, the last
/// ranks are returned.
pub fn pagerank(transitions: &Transitions, personalization: Option<&[f64]>) -> Vec<f64> {
    let nodes = transitions.nodes();
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
        for (row, rank) in transitions.rows().zip(&ranks) {
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
