//! The order of the candidates in a map of the enhancement profile.

use std::collections::BTreeSet;

use base::text::standing::Standing;
use rayon::prelude::*;
use serde::Serialize;

use super::{
    Factor, Relevance,
    candidates::{Candidate, Candidates, Key},
};
use crate::{
    graph::{FileGraph, RankingInput},
    ranking::Ranking,
    stages::{Entry, bare},
};

/// How much the rank of a file adds to its relevance, if the greatest rank is 1.
const GRAPH_SHARE: f64 = 0.15;
/// How much the rank of a definition adds to its relevance within its file.
const RANK_SHARE: f64 = 0.3;
/// Factor for each further definition of a file, relative to the previous one.
const DECAY: f64 = 0.7;

/// How much of the value of a definition is added to those next to it.
const NEIGHBOUR_SHARE: f64 = 0.3;

/// Everything that the order depends on.
#[derive(Debug)]
pub struct Ordering<'a> {
    /// The graph.
    pub graph: &'a FileGraph<'a>,
    /// The ranks of the graph.
    pub ranking: &'a Ranking,
    /// The input of the ranking.
    pub input: &'a RankingInput<'a>,
    /// How well files and definitions match the message; `None` without a message.
    pub relevance: Option<&'a Relevance>,
    /// The message.
    pub message: &'a str,
    /// Factors that are turned off.
    pub without: &'a BTreeSet<Factor>,
}

/// The values that decide the order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FileWorth {
    /// The part that comes from its rank.
    pub graph: f64,
    /// The part that comes from words shared with the message, from 0 to 1.
    pub words: f64,
    /// Its standing, judged by its path.
    pub standing: &'static str,
    /// The factor of that standing for both parts, from 0 to 1.
    pub weight: f64,
}

/// The values that decide the order of a definition within its file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DefinitionWorth {
    /// The part that comes from its rank.
    pub graph: f64,
    /// The part that comes from words shared with the message, from 0 to 1.
    pub words: f64,
    /// The part that comes from the definitions next to it.
    pub neighbours: f64,
}

/// The order, and the values that decided it.
#[derive(Debug)]
pub struct Order {
    /// The candidates.
    pub candidates: Candidates,
    /// The values of each file, by file id.
    pub files: Vec<FileWorth>,
    /// The values of each definition, by its index in the graph.
    pub definitions: Vec<DefinitionWorth>,
}

impl FileWorth {
    /// The value of the file: the sum of both parts, times the factor of the standing.
    pub fn value(&self) -> f64 {
        (self.graph + self.words) * self.weight
    }
}

impl DefinitionWorth {
    /// The value of the definition: the sum of all parts.
    pub fn value(&self) -> f64 {
        self.words + self.graph + self.neighbours
    }
}

/// The stage of a file that is shown by its bare name.
const fn stage(entry: &Entry) -> u8 {
    match *entry {
        Entry::Definition { .. } => 1,
        Entry::Bare { stage, .. } => stage,
    }
}

impl Ordering<'_> {
    /// The candidates, most important first within each stage: first every definition outside the chat,
    /// each once, and then every other file by its bare name.
    pub fn order(&self) -> Order {
        let ((files, worths), (mut definitions, mut bare)) =
            rayon::join(|| rayon::join(|| self.files(), || self.definitions()), || self.by_file());
        let of_files: Vec<_> =
            definitions.chunk_by_mut(|a, b| a.entry.file() == b.entry.file()).collect();
        let of_files = of_files.into_par_iter().with_min_len(256);
        of_files.for_each(|of_file| self.value(of_file, &files, &worths));
        bare.chunks_mut(1).for_each(|one| self.value(one, &files, &worths));
        bare.sort_by_key(|one| (stage(&one.entry), self.key(one)));
        let candidates = Candidates::of(definitions, bare, |one| self.key(one));
        Order { candidates, files, definitions: worths }
    }

    /// The definitions, those of a file one after the other, and the files that have none, without values.
    fn by_file(&self) -> (Vec<Candidate>, Vec<Candidate>) {
        let candidate = |entry| Candidate { entry, value: 0.0, nth: 0 };
        let is_in_chat = |file: usize| self.input.chat.contains(&file);
        let mut shown = vec![false; self.input.sources.files.len()];
        let mut definitions = Vec::with_capacity(self.graph.defined.rows.len());
        for definition in self.ranking.by_name.iter().map(|at| *at as usize) {
            let file = self.graph.definitions()[definition].file;
            if !is_in_chat(file) {
                shown[file] = true;
                let lines = self.graph.rows(definition).iter();
                let entries = lines.map(|&line| Entry::Definition { file, definition, line });
                definitions.extend(entries.map(candidate));
            }
        }
        let bare = bare(&shown, self.ranking, self.input).into_iter();
        let bare = bare.filter(|entry| !is_in_chat(entry.file())).map(candidate);
        (definitions, bare.collect())
    }

    /// Sets the values of all candidates of a file.
    fn value(&self, of_file: &mut [Candidate], files: &[FileWorth], worths: &[DefinitionWorth]) {
        for candidate in of_file.iter_mut() {
            candidate.value = match candidate.entry {
                Entry::Definition { definition, .. } => worths[definition].value(),
                Entry::Bare { .. } => 0.0,
            };
        }
        let mut places: Vec<(Key, usize)> =
            of_file.iter().enumerate().map(|(at, one)| (self.key(one), at)).collect();
        places.sort_unstable();
        let mut value = of_file.first().map_or(0.0, |one| files[one.entry.file()].value());
        for (before, (_, at)) in places.into_iter().enumerate() {
            let candidate = &mut of_file[at];
            candidate.nth = before + 1;
            if self.has(Factor::Spread) {
                candidate.value = value;
                value *= DECAY;
            } else {
                candidate.value *= value;
            }
        }
    }

    /// Candidates with equal values are in order of their ranks, and then of their names.
    fn key(&self, candidate: &Candidate) -> Key {
        candidate.key(match candidate.entry {
            Entry::Definition { definition, .. } => self.ranking.descending(definition),
            Entry::Bare { .. } => 0,
        })
    }

    fn has(&self, factor: Factor) -> bool {
        !self.without.contains(&factor)
    }

    /// The values of each file, by its id.
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
            let weights = Standing::ALL.map(|standing| standing.weight(self.message));
            let of = |file: &usize| Standing::of(&self.input.sources.files[*file].file.rel);
            let included = self.input.included.par_iter().with_min_len(256);
            let standings: Vec<Standing> = included.map(of).collect();
            for (file, standing) in self.input.included.iter().zip(standings) {
                worth[*file].standing = standing.as_str();
                worth[*file].weight = weights[standing as usize];
            }
        }
        worth
    }

    /// The values of each definition within its file, by its index.
    fn definitions(&self) -> Vec<DefinitionWorth> {
        let greatest = self.ranking.definitions.iter().copied().fold(0.0, f64::max);
        let rank = |index: usize| {
            if greatest > 0.0 { self.ranking.definitions[index] / greatest } else { 0.0 }
        };
        let worth = |index: usize| {
            let (graph, words) = match self.relevance {
                Some(relevance) => {
                    let share = if self.has(Factor::Graph) { RANK_SHARE } else { 0.0 };
                    (share * rank(index), relevance.definitions[index])
                }
                None => (rank(index), 0.0),
            };
            DefinitionWorth { graph, words, neighbours: 0.0 }
        };
        let mut worth: Vec<_> = (0..self.graph.definitions().len()).map(worth).collect();
        if self.has(Factor::Neighbours) {
            self.lift_neighbours(&mut worth);
        }
        worth
    }

    /// Adds to each definition a part of the greatest value next to it: what stands before or after
    /// it in its file.
    fn lift_neighbours(&self, worth: &mut [DefinitionWorth]) {
        let own: Vec<f64> = worth.iter().map(DefinitionWorth::value).collect();
        let (mut first, mut places) = (0, Vec::new());
        for of_file in self.graph.definitions().chunk_by(|one, other| one.file == other.file) {
            places.clear();
            for index in first..first + of_file.len() {
                places.extend(self.graph.rows(index).iter().map(|row| (*row, index)));
            }
            first += of_file.len();
            places.sort_unstable();
            for pair in places.windows(2) {
                let [(_, one), (_, other)] = *pair else { continue };
                if one != other {
                    for (of, beside) in [(one, other), (other, one)] {
                        worth[of].neighbours =
                            worth[of].neighbours.max(NEIGHBOUR_SHARE * own[beside]);
                    }
                }
            }
        }
    }
}
