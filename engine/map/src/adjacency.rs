//! The edges of a graph by the nodes that they start from.

/// One edge.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Node that it starts from.
    pub source: u32,
    /// Node that it leads to.
    pub target: u32,
    /// Index of the definition that it leads to.
    pub definition: u32,
    /// Weight.
    pub weight: f64,
}

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
pub struct Adjacency {
    /// Where the edges of each node start, and their number.
    starts: Vec<u32>,
    edges: Vec<OutEdge>,
}

impl Adjacency {
    /// Sorts edges between so many nodes, given in order of insertion.
    pub fn of(nodes: usize, edges: &[Edge]) -> Self {
        let mut starts = vec![0; nodes + 1];
        for edge in edges {
            starts[edge.source as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        // Insertion order within each source.
        let mut next = starts.clone();
        let mut inserted = vec![OutEdge::default(); edges.len()];
        for Edge { source, target, definition, weight } in edges.iter().copied() {
            let slot = &mut next[source as usize];
            inserted[*slot as usize] = OutEdge { target, definition, weight };
            *slot += 1;
        }
        // Group by target, in order of the target's first appearance.
        let mut sorted = inserted.clone();
        let mut groups = Groups { of: vec![0; nodes], next: Vec::new() };
        for ends in starts.windows(2) {
            let row = ends[0] as usize..ends[1] as usize;
            groups.sort(&inserted[row.clone()], &mut sorted[row]);
        }
        Self { starts, edges: sorted }
    }

    /// The adjacency with these parts; `None` if they do not fit each other.
    pub fn of_parts(starts: Vec<u32>, edges: Vec<OutEdge>) -> Option<Self> {
        let whole = starts.first() == Some(&0) && starts.last() == Some(&(edges.len() as u32));
        (whole && starts.is_sorted()).then_some(Self { starts, edges })
    }

    /// Where the edges of each node start, and their number.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The edges of all nodes, one node after the other.
    pub fn edges(&self) -> &[OutEdge] {
        &self.edges
    }

    /// The out-edges of a node.
    pub fn out(&self, node: usize) -> &[OutEdge] {
        let row = self.starts[node] as usize..self.starts[node + 1] as usize;
        self.edges.get(row).unwrap_or_default()
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
