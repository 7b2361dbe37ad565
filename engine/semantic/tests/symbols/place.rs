//! A folder of sources.

use std::fs;

use index::{
    Settings,
    nav::{Navigator, Place as At, Walk},
};
use semantic::{
    Answer, Extent, answer,
    graph::{Graph, symbol},
    lookup::{Missing, resolve},
};
use tempfile::TempDir;

/// Sources in a temporary folder.
pub struct Place(TempDir);

impl Place {
    /// Writes sources, given as path and text.
    pub fn of(sources: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in sources {
            let path = folder.path().join("sources").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    /// What a walk over the sources gives.
    pub fn walk<T>(&self, visit: impl FnOnce(&mut Walk) -> T) -> T {
        let settings = Settings::in_folder(self.0.path().join("store"));
        let mut navigator = Navigator::open(&self.0.path().join("sources"), settings).unwrap();
        navigator.walk(visit).unwrap()
    }

    /// The symbols that a question asks for.
    pub fn found(&self, query: &str) -> Result<Vec<At>, Missing> {
        self.walk(|walk| resolve(walk, &query.parse().unwrap(), &|_| true))
    }

    /// The places of symbols as `file:line name`.
    pub fn names(&self, query: &str) -> Vec<String> {
        let found = self.found(query).unwrap();
        self.walk(|walk| {
            let of = found.iter().map(|place| symbol(walk, place));
            of.map(|one| format!("{}:{} {}", one.file, one.line, one.name)).collect()
        })
    }

    /// The answer to a question.
    pub fn answer(&self, query: &str, call_depth: Option<usize>, tokens: usize) -> Answer {
        self.answer_about(&[query], call_depth, tokens)
    }

    /// The answer about the symbols of several questions.
    pub fn answer_about(
        &self,
        queries: &[&str],
        call_depth: Option<usize>,
        tokens: usize,
    ) -> Answer {
        let places: Vec<At> = queries.iter().flat_map(|query| self.found(query).unwrap()).collect();
        let extent = Extent { query: queries.join(" and "), call_depth, tokens };
        self.walk(|walk| answer(walk, &places, &extent))
    }

    /// The edges of a file as `from -> to kind tier line`, and its candidates as `from ?> to`.
    pub fn edges(&self, file: &str) -> Vec<String> {
        self.walk(|walk| {
            let mut rows = Vec::new();
            let mut graph = Graph::new(walk);
            for (from, uses) in graph.of_file(file) {
                for edge in &uses.edges {
                    let (from, to) = (symbol(graph.walk, &edge.from), symbol(graph.walk, &edge.to));
                    let (kind, tier) = (edge.kind.as_str(), edge.tier.as_str());
                    rows.push(format!("{} -> {} {kind} {tier} {}", from.name, to.name, edge.line));
                }
                for (to, _) in &uses.candidates {
                    let (from, to) = (symbol(graph.walk, &from), symbol(graph.walk, to));
                    rows.push(format!("{} ?> {}", from.name, to.name));
                }
            }
            rows
        })
    }
}
