//! The answer to a question for symbols: the connection graph, then a snapshot of each file.

use std::collections::BTreeMap;

use index::nav::{Place, Walk, answer::Freshness};
use serde::{Deserialize, Serialize};

use crate::{
    connection::{Details, Summary, details, text, tokens},
    graph::{Graph, Mark, Symbol, Tree, symbol},
    snapshot::snapshot,
};

/// Version of the answers' schema.
pub const SCHEMA_VERSION: u32 = 1;

/// How much an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// What was asked, as the answer repeats it.
    pub query: String,
    /// Number of calls that are followed, at least 1; all if `None`.
    pub call_depth: Option<usize>,
    /// Most tokens of the answer; a token counts four characters.
    pub tokens: usize,
}

/// A call in the tree of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Number of calls from the result, from 1.
    pub depth: usize,
    /// What is called.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// Why its own calls are not there, if it has any.
    pub mark: Option<Mark>,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What is said about the symbol.
    #[serde(flatten)]
    pub details: Details,
    /// What it calls, each before its own calls.
    pub calls: Vec<Call>,
    /// Whether there are more calls than these.
    pub calls_cut: bool,
}

/// A file cut down to the results in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The file, relative to the root.
    pub file: String,
    /// Its lines that are shown, behind a comment with its path.
    pub source: String,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Version of this schema.
    pub schema_version: u32,
    /// What was asked.
    pub query: String,
    /// The symbols.
    pub results: Vec<Found>,
    /// What a reader is shown.
    #[serde(flatten)]
    pub shown: Shown,
    /// Files with results that were written while the question was answered.
    pub stale_files: Vec<String>,
    /// Tokens of the answer as text, four characters each.
    pub tokens: usize,
    /// Most tokens that it may have.
    pub budget: usize,
    /// How fresh the answer is.
    pub index: Freshness,
}

/// The part of an answer that a reader is shown. It can be read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// How the symbols belong together, as text: what the answer begins with.
    pub connections: String,
    /// The files with results, in their order, as far as the budget reaches.
    pub snapshots: Vec<Snapshot>,
    /// Files whose snapshots do not fit.
    pub left_out: Vec<String>,
}

impl Shown {
    /// The answer as text: connections, then snapshots.
    pub fn text(&self) -> String {
        let mut text = self.connections.clone();
        for snapshot in &self.snapshots {
            text.push('\n');
            text.push_str(&snapshot.source);
        }
        text
    }
}

/// The answer about these symbols. The graph is whole; snapshots that do not fit beside it are left out.
pub fn answer(walk: &mut Walk, places: &[Place], extent: &Extent) -> Answer {
    let index = walk.freshness();
    let mut graph = Graph::new(walk);
    let all: Vec<Details> = places.iter().map(|place| details(&mut graph, place)).collect();
    let trees: Vec<Tree> =
        places.iter().map(|place| graph.tree(place, extent.call_depth)).collect();
    let connections = text(&all, &trees, &mut |branch| symbol(graph.walk, &branch.place));
    let mut calls_of = |tree: &Tree| {
        let calls = tree.branches.iter();
        calls
            .map(|one| Call {
                depth: one.depth,
                symbol: symbol(graph.walk, &one.place),
                mark: one.mark,
            })
            .collect()
    };
    let calls: Vec<Vec<Call>> = trees.iter().map(&mut calls_of).collect();
    let summary = Summary { query: extent.query.clone(), budget: extent.tokens };
    let mut body = connections.clone();
    let (mut snapshots, mut left_out, mut stale_files) = (Vec::new(), Vec::new(), Vec::new());
    for (file, targets) in by_file(places) {
        let Some(source) = snapshot(walk, &file, &targets) else {
            stale_files.push(file);
            continue;
        };
        let longer = format!("{body}\n{source}");
        if tokens(&(summary.line(&all, &longer) + &longer)) > extent.tokens {
            left_out.push(file);
            continue;
        }
        body = longer;
        snapshots.push(Snapshot { file, source });
    }
    let first = summary.line(&all, &body);
    let tokens = tokens(&(first.clone() + &body));
    let found = all.into_iter().zip(calls).zip(trees);
    let found =
        found.map(|((details, calls), tree)| Found { details, calls, calls_cut: tree.is_cut });
    Answer {
        schema_version: SCHEMA_VERSION,
        query: extent.query.clone(),
        results: found.collect(),
        shown: Shown { connections: first + &connections, snapshots, left_out },
        stale_files,
        tokens,
        budget: extent.tokens,
        index,
    }
}

/// The definitions by file, the files in the order of their first one.
fn by_file(places: &[Place]) -> Vec<(String, Vec<u32>)> {
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for place in places {
        let targets = found.entry(&place.file).or_default();
        if targets.is_empty() {
            order.push(place.file.clone());
        }
        targets.extend(place.definition);
    }
    order
        .into_iter()
        .map(|file| (file.clone(), found.remove(file.as_str()).unwrap_or_default()))
        .collect()
}
