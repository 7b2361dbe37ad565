//! Personalised PageRank, as networkx computes it through SciPy, in the same order of
//! floating-point operations.

use petgraph::visit::EdgeRef;

use super::{
    graph::FileGraph,
    numeric::{introsort, pairwise_sum, segment_sum},
};

/// Damping factor.
const ALPHA: f64 = 0.85;
/// Convergence bound, per node, on the L1 norm of the change in one iteration.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of iterations.
const MAX_ITERATIONS: usize = 100;

/// Out-edges of each node in the order in which networkx keeps them: targets in order of first
/// appearance, parallel edges in order of insertion.
#[derive(Debug)]
pub struct Adjacency {
    starts: Vec<usize>,
    edges: Vec<OutEdge>,
}

/// One out-edge.
#[derive(Debug, Clone, Copy)]
pub struct OutEdge {
    /// Node index of the target.
    pub target: usize,
    /// Index of the definition that the edge leads to.
    pub definition: usize,
    /// Weight.
    pub weight: f64,
}

impl Adjacency {
    /// Sorts the edges of a graph into this order.
    pub fn of(graph: &FileGraph) -> Self {
        let nodes = graph.graph.node_count();
        let mut starts = vec![0; nodes + 1];
        for edge in graph.graph.edge_references() {
            starts[edge.source().index() + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        // Insertion order within each source.
        let mut next = starts.clone();
        let blank = OutEdge { target: 0, definition: 0, weight: 0.0 };
        let mut edges = vec![blank; graph.graph.edge_count()];
        for edge in graph.graph.edge_references() {
            let slot = &mut next[edge.source().index()];
            let reference = edge.weight();
            edges[*slot] = OutEdge {
                target: edge.target().index(),
                definition: reference.definition,
                weight: reference.weight,
            };
            *slot += 1;
        }
        // Group by target, in order of the target's first appearance.
        let mut first_seen = vec![0; nodes];
        for node in 0..nodes {
            let row = &mut edges[starts[node]..starts[node + 1]];
            for (position, edge) in row.iter().enumerate().rev() {
                first_seen[edge.target] = position;
            }
            row.sort_by_key(|edge| first_seen[edge.target]);
        }
        Self { starts, edges }
    }

    /// The out-edges of a node.
    pub fn out(&self, node: usize) -> &[OutEdge] {
        self.edges.get(self.starts[node]..self.starts[node + 1]).unwrap_or_default()
    }

    /// The part of a node's rank that reaches a definition, for each out-edge.
    pub fn flow(&self, node: usize, rank: f64) -> impl Iterator<Item = (&OutEdge, f64)> {
        let out = self.out(node);
        let total = out.iter().fold(0.0, |sum, edge| sum + edge.weight);
        out.iter().map(move |edge| (edge, rank * edge.weight / total))
    }

    /// Number of nodes.
    pub const fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The transition matrix, with parallel edges summed and each row scaled to the sum 1.
    fn transitions(&self) -> Transitions {
        let mut all: Vec<(usize, f64)> =
            self.edges.iter().map(|edge| (edge.target, edge.weight)).collect();
        let row_of = |node: usize| self.starts[node]..self.starts[node + 1];
        // The matrix library sorts all rows as soon as one is unsorted.
        let is_sorted = |node| all[row_of(node)].is_sorted_by_key(|entry| entry.0);
        if !(0..self.nodes()).all(is_sorted) {
            for node in 0..self.nodes() {
                introsort(&mut all[row_of(node)]);
            }
        }
        let mut entries: Vec<(usize, f64)> = Vec::with_capacity(all.len());
        let mut starts = vec![0];
        let (mut dangling, mut weights) = (Vec::new(), Vec::new());
        for node in 0..self.nodes() {
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
                dangling.push(node);
            } else {
                let scale = 1.0 / sum;
                for entry in row {
                    entry.1 *= scale;
                }
            }
            starts.push(entries.len());
        }
        Transitions { starts, entries, dangling }
    }
}

/// A transition matrix by rows.
struct Transitions {
    /// Where each row starts in the entries, and their number.
    starts: Vec<usize>,
    /// Columns and values.
    entries: Vec<(usize, f64)>,
    /// The nodes whose rows are empty.
    dangling: Vec<usize>,
}

impl Transitions {
    fn rows(&self) -> impl Iterator<Item = &[(usize, f64)]> {
        self.starts.windows(2).map(|ends| &self.entries[ends[0]..ends[1]])
    }
}

/// Ranks by node index. Restarts, and steps from dangling nodes, follow `personalization` (by node
/// index, not normalised); if it is absent or sums to zero over the nodes, they are uniform. If the
/// iteration has not converged after [`MAX_ITERATIONS`], which was not seen on any graph, the last
/// ranks are returned.
pub fn pagerank(adjacency: &Adjacency, personalization: Option<&[f64]>) -> Vec<f64> {
    let nodes = adjacency.nodes();
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
    let transitions = adjacency.transitions();
    let mut ranks = uniform();
    for _ in 0..MAX_ITERATIONS {
        let mut arriving = vec![0.0; nodes];
        for (row, rank) in transitions.rows().zip(&ranks) {
            for (target, share) in row {
                arriving[*target] += share * rank;
            }
        }
        let stranded = transitions.dangling.iter().fold(0.0, |sum, node| sum + ranks[*node]);
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
