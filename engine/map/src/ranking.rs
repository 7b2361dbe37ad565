//! From file ranks to definition ranks.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{
    graph::{FileGraph, RankingInput},
    pagerank::pagerank,
};

/// Ranks of files and of definitions.
#[derive(Debug)]
pub struct Ranking {
    /// (file id, rank) in node order.
    pub files: Vec<(usize, f64)>,
    /// Rank per definition index.
    pub definitions: Vec<f64>,
    /// Definition indices from the greatest file name to the least, those of a file from the greatest
    /// identifier to the least.
    pub by_name: Vec<u32>,
}

impl Ranking {
    /// Ranks a graph: each file's PageRank is shared out over its out-edges by weight, and a
    /// definition's rank is the sum of the shares that reach it.
    pub fn of(graph: &FileGraph, input: &RankingInput) -> Self {
        let mut of_files = vec![0.0; input.sources.files.len()];
        graph.personalization.iter().for_each(|(file, weight)| of_files[*file] = *weight);
        let personalization: Vec<f64> = graph.nodes.iter().map(|file| of_files[*file]).collect();
        let personalized = !graph.personalization.is_empty();
        let restart = personalized.then_some(personalization.as_slice());
        // The names do not depend on the ranks.
        let (ranks, by_name) =
            rayon::join(|| pagerank(&graph.transitions, restart), || by_name(graph, input));

        let mut definitions = vec![0.0; graph.definitions().len()];
        for (node, rank) in ranks.iter().enumerate() {
            for (edge, adds) in graph.adjacency.flow(node, *rank) {
                definitions[edge.definition as usize] += adds;
            }
        }
        let files = graph.nodes.iter().copied().zip(ranks).collect();
        Self { files, definitions, by_name }
    }

    /// Definition indices from the highest rank to the lowest. Ties go to the greater file name, then to
    /// the greater identifier.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        let order = positions(self.by_name.iter().map(|at| self.descending(*at as usize)));
        order.into_iter().map(|at| self.by_name[at as usize] as usize)
    }

    /// A number that is the less the higher a definition ranks.
    pub fn descending(&self, definition: usize) -> u64 {
        !ascending(self.definitions[definition])
    }
}

/// The definitions from the greatest file name and identifier to the least. No two files have the same
/// relative name, as they have different absolute ones.
fn by_name(graph: &FileGraph, input: &RankingInput) -> Vec<u32> {
    let files = &input.sources.files;
    let rel = |file: &usize| files[*file].file.rel.as_str();
    let mut sorted: Vec<usize> = (0..files.len()).collect();
    sorted.sort_unstable_by_key(rel);
    // Definitions are in order of their files.
    let definitions = graph.definitions();
    let mut of_files = vec![0..0; files.len()];
    let mut first = 0;
    for of_file in definitions.chunk_by(|one, other| one.file == other.file) {
        let end = first + of_file.len() as u32;
        of_files[of_file[0].file] = first..end;
        first = end;
    }
    let mut by_name = Vec::with_capacity(definitions.len());
    for file in sorted.into_iter().rev() {
        let first = by_name.len();
        by_name.extend(of_files[file].clone());
        let place = |at: &u32| Reverse(graph.places[definitions[*at as usize].ident]);
        by_name[first..].sort_unstable_by_key(place);
    }
    by_name
}

/// The positions of some keys, sorted by key. Equal keys keep their order.
pub fn positions<K: Ord + Send>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut sorted: Vec<(K, u32)> = keys.zip(0..).collect();
    sorted.par_sort_unstable();
    sorted.into_iter().map(|(_, position)| position).collect()
}

/// A number that is the greater the greater another one is, in its total order.
pub const fn ascending(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn whole_numbers_stand_in_the_total_order_of_floats() {
        let values = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.5,
            -1e-300,
            -0.0,
            0.0,
            1e-300,
            0.1,
            0.3,
            2.0,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(values.map(ascending).is_sorted());
        for (one, other) in values.iter().zip(&values[1..]) {
            assert!(ascending(*one) < ascending(*other), "{one} {other}");
        }
    }
}
