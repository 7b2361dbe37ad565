//! From file ranks to definition ranks.

use super::{
    graph::{FileGraph, RankingInput},
    pagerank::{Adjacency, pagerank},
};

/// Ranks of files and of definitions.
#[derive(Debug)]
pub struct Ranking {
    /// (file id, rank) in node order.
    pub files: Vec<(usize, f64)>,
    /// Rank per definition index.
    pub definitions: Vec<f64>,
    /// Definition indices from the highest rank to the lowest. Ties go to the greater file
    /// name, then to the greater identifier.
    pub order: Vec<usize>,
    /// The edges in the order in which they were ranked.
    pub adjacency: Adjacency,
}

impl Ranking {
    /// Ranks a graph: each file's PageRank is shared out over its out-edges by weight, and a
    /// definition's rank is the sum of the shares that reach it.
    pub fn of(graph: &FileGraph, input: &RankingInput) -> Self {
        let adjacency = Adjacency::of(graph);
        let nodes: Vec<usize> = graph.graph.node_weights().copied().collect();
        let personalization: Vec<f64> = nodes
            .iter()
            .map(|file| graph.personalization.get(file).copied().unwrap_or(0.0))
            .collect();
        let personalized = !graph.personalization.is_empty();
        let ranks = pagerank(&adjacency, personalized.then_some(personalization.as_slice()));

        let mut definitions = vec![0.0; graph.definitions.len()];
        for (node, rank) in ranks.iter().enumerate() {
            for (edge, adds) in adjacency.flow(node, *rank) {
                definitions[edge.definition] += adds;
            }
        }
        let order = descending(graph, input, &definitions);
        let files = nodes.into_iter().zip(ranks).collect();
        Self { files, definitions, order, adjacency }
    }
}

fn descending(graph: &FileGraph, input: &RankingInput, ranks: &[f64]) -> Vec<usize> {
    let rel = |file: usize| input.sources.files[file].file.rel.as_str();
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_unstable_by(|&a, &b| {
        let (left, right) = (&graph.definitions[a], &graph.definitions[b]);
        ranks[b]
            .total_cmp(&ranks[a])
            .then_with(|| rel(right.file).cmp(rel(left.file)))
            .then_with(|| graph.idents[right.ident].cmp(graph.idents[left.ident]))
    });
    order
}
