//! The order in which candidates come into a map of the enhancement profile.

use std::collections::{BTreeMap, BTreeSet};

use super::{Factor, Relevance, standing::Standing};
use crate::{
    graph::{FileGraph, RankingInput},
    ranking::Ranking,
    stages::Entry,
};

/// What the rank of a file adds to its relevance, the greatest rank being 1.
const GRAPH_SHARE: f64 = 0.15;
/// What the rank of a definition adds to its relevance within its file.
const RANK_SHARE: f64 = 0.3;
/// What each further definition of a file counts, against the one before it.
const DECAY: f64 = 0.7;

/// Everything that the order depends on.
#[derive(Debug)]
pub struct Ordering<'a> {
    /// The graph.
    pub graph: &'a FileGraph<'a>,
    /// Its ranks.
    pub ranking: &'a Ranking,
    /// What was ranked.
    pub input: &'a RankingInput<'a>,
    /// How well everything answers the message; absent without one.
    pub relevance: Option<&'a Relevance>,
    /// The message.
    pub message: &'a str,
    /// Factors that are turned off.
    pub without: &'a BTreeSet<Factor>,
}

/// The candidates, most important first within each stage: every definition outside of the chat
/// once, and behind them every other file by its name alone.
pub fn order(stages: &[Entry], ordering: &Ordering) -> Vec<Entry> {
    let values = ordering.files();
    let mut by_file: BTreeMap<usize, Vec<(f64, usize)>> = BTreeMap::new();
    let ranks = ordering.definitions();
    for (position, entry) in stages.iter().enumerate() {
        let value = match *entry {
            Entry::Definition { file, ident, .. } => {
                ranks.get(&(file, ident)).copied().unwrap_or(0.0)
            }
            Entry::Bare { .. } => 0.0,
        };
        by_file.entry(entry.file()).or_default().push((value, position));
    }
    let mut all: Vec<(u8, f64, usize)> = Vec::with_capacity(stages.len());
    for (file, mut entries) in by_file {
        // Equal ones stay in the order of the stages.
        entries.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut value = values[file];
        for (own, position) in entries {
            let stage = match stages.get(position) {
                Some(Entry::Bare { stage, .. }) => *stage,
                _ => 1,
            };
            if ordering.has(Factor::Spread) {
                all.push((stage, value, position));
                value *= DECAY;
            } else {
                all.push((stage, value * own, position));
            }
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    all.into_iter().filter_map(|(.., position)| stages.get(position).copied()).collect()
}

impl Ordering<'_> {
    fn has(&self, factor: Factor) -> bool {
        !self.without.contains(&factor)
    }

    /// The value of each file by its id.
    fn files(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.input.sources.files.len()];
        let greatest = self.ranking.files.iter().map(|(_, rank)| *rank).fold(0.0, f64::max);
        if greatest > 0.0 && (self.has(Factor::Graph) || self.relevance.is_none()) {
            let share = if self.relevance.is_some() { GRAPH_SHARE } else { 1.0 };
            for (file, rank) in &self.ranking.files {
                values[*file] += share * rank / greatest;
            }
        }
        if let Some(relevance) = self.relevance {
            for (value, found) in values.iter_mut().zip(&relevance.files) {
                *value += found;
            }
        }
        if self.has(Factor::Standing) {
            for &file in &self.input.included {
                let rel = &self.input.sources.files[file].file.rel;
                values[file] *= Standing::of(rel).weight(self.message);
            }
        }
        values
    }

    /// The value of each definition within its file, by file and identifier.
    fn definitions(&self) -> BTreeMap<(usize, usize), f64> {
        let greatest = self.ranking.definitions.iter().copied().fold(0.0, f64::max);
        let rank = |index: usize| {
            if greatest > 0.0 { self.ranking.definitions[index] / greatest } else { 0.0 }
        };
        let value = |index: usize| match self.relevance {
            Some(relevance) if self.has(Factor::Graph) => {
                relevance.definitions[index] + RANK_SHARE * rank(index)
            }
            Some(relevance) => relevance.definitions[index],
            None => rank(index),
        };
        let definitions = self.graph.definitions.iter().enumerate();
        definitions.map(|(index, found)| ((found.file, found.ident), value(index))).collect()
    }
}
