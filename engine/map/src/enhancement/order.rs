//! The order in which candidates come into a map of the enhancement profile.

use std::collections::{BTreeMap, BTreeSet};

use base::text::standing::Standing;
use serde::Serialize;

use super::{Factor, Relevance};
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

/// What decides the order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FileWorth {
    /// What its rank gives.
    pub graph: f64,
    /// What the words give that it shares with the message, from 0 to 1.
    pub words: f64,
    /// What kind of file its path tells of.
    pub standing: &'static str,
    /// What that multiplies both with, from 0 to 1.
    pub weight: f64,
}

/// What decides the order of a definition within its file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DefinitionWorth {
    /// What its rank gives.
    pub graph: f64,
    /// What the words give that it shares with the message, from 0 to 1.
    pub words: f64,
}

/// A candidate in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The candidate.
    pub entry: Entry,
    /// The value by which it was put there.
    pub value: f64,
    /// Its place within its file, from 1.
    pub nth: usize,
}

/// The order, and what decided it.
#[derive(Debug)]
pub struct Order {
    /// The candidates, most important first.
    pub candidates: Vec<Candidate>,
    /// By file id.
    pub files: Vec<FileWorth>,
    /// By index of the graph's definitions.
    pub definitions: Vec<DefinitionWorth>,
}

impl Order {
    /// The candidates without what decided their order.
    pub fn entries(&self) -> Vec<Entry> {
        self.candidates.iter().map(|candidate| candidate.entry).collect()
    }
}

impl FileWorth {
    /// All of it.
    pub fn value(&self) -> f64 {
        (self.graph + self.words) * self.weight
    }
}

impl DefinitionWorth {
    /// All of it.
    pub fn value(&self) -> f64 {
        self.words + self.graph
    }
}

/// The candidates, most important first within each stage: every definition outside of the chat
/// once, and behind them every other file by its name alone.
pub fn order(stages: &[Entry], ordering: &Ordering) -> Order {
    let files = ordering.files();
    let mut by_file: BTreeMap<usize, Vec<(f64, usize)>> = BTreeMap::new();
    let definitions = ordering.definitions();
    let ranks: BTreeMap<(usize, usize), f64> = ordering
        .graph
        .definitions
        .iter()
        .zip(&definitions)
        .map(|(found, worth)| ((found.file, found.ident), worth.value()))
        .collect();
    for (position, entry) in stages.iter().enumerate() {
        let value = match *entry {
            Entry::Definition { file, ident, .. } => {
                ranks.get(&(file, ident)).copied().unwrap_or(0.0)
            }
            Entry::Bare { .. } => 0.0,
        };
        by_file.entry(entry.file()).or_default().push((value, position));
    }
    let mut all: Vec<(u8, f64, usize, usize)> = Vec::with_capacity(stages.len());
    for (file, mut entries) in by_file {
        // Equal ones stay in the order of the stages.
        entries.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut value = files[file].value();
        for (at, (own, position)) in entries.into_iter().enumerate() {
            let stage = match stages.get(position) {
                Some(Entry::Bare { stage, .. }) => *stage,
                _ => 1,
            };
            if ordering.has(Factor::Spread) {
                all.push((stage, value, position, at + 1));
                value *= DECAY;
            } else {
                all.push((stage, value * own, position, at + 1));
            }
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let candidate = |(_, value, position, nth): (u8, f64, usize, usize)| {
        Some(Candidate { entry: *stages.get(position)?, value, nth })
    };
    Order { candidates: all.into_iter().filter_map(candidate).collect(), files, definitions }
}

impl Ordering<'_> {
    fn has(&self, factor: Factor) -> bool {
        !self.without.contains(&factor)
    }

    /// The worth of each file by its id.
    fn files(&self) -> Vec<FileWorth> {
        let standing = Standing::Source.as_str();
        let none = FileWorth { graph: 0.0, words: 0.0, standing, weight: 1.0 };
        let mut worth = vec![none; self.input.sources.files.len()];
        let greatest = self.ranking.files.iter().map(|(_, rank)| *rank).fold(0.0, f64::max);
        if greatest > 0.0 && (self.has(Factor::Graph) || self.relevance.is_none()) {
            let share = if self.relevance.is_some() { GRAPH_SHARE } else { 1.0 };
            for (file, rank) in &self.ranking.files {
                worth[*file].graph += share * rank / greatest;
            }
        }
        if let Some(relevance) = self.relevance {
            for (worth, found) in worth.iter_mut().zip(&relevance.files) {
                worth.words = *found;
            }
        }
        if self.has(Factor::Standing) {
            for &file in &self.input.included {
                let rel = &self.input.sources.files[file].file.rel;
                let standing = Standing::of(rel);
                worth[file].standing = standing.as_str();
                worth[file].weight = standing.weight(self.message);
            }
        }
        worth
    }

    /// The worth of each definition within its file, by its index.
    fn definitions(&self) -> Vec<DefinitionWorth> {
        let greatest = self.ranking.definitions.iter().copied().fold(0.0, f64::max);
        let rank = |index: usize| {
            if greatest > 0.0 { self.ranking.definitions[index] / greatest } else { 0.0 }
        };
        let worth = |index: usize| match self.relevance {
            Some(relevance) => {
                let graph = if self.has(Factor::Graph) { RANK_SHARE * rank(index) } else { 0.0 };
                DefinitionWorth { graph, words: relevance.definitions[index] }
            }
            None => DefinitionWorth { graph: rank(index), words: 0.0 },
        };
        (0..self.graph.definitions.len()).map(worth).collect()
    }
}
