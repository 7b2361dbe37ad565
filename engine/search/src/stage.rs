//! The second stage: adjusts scores by names, kinds, paths, and the other candidates of a file.

use std::collections::{BTreeMap, BTreeSet};

use base::text::{standing::Standing, words};
use serde::Serialize;

use crate::{
    rank::Found,
    weights::{Stage, Weights},
};

/// A candidate with its final score.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    /// What the first stage found.
    pub found: Found<'a>,
    /// The score as a share of the best one, from 0 to 1.
    pub score: f64,
    /// How the score came about.
    pub factors: Factors,
}

/// The factors of a score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Factors {
    /// The score of the first stage.
    pub bm25f: f64,
    /// Greater than 1 if the chunk's name occurs in the question.
    pub definition: f64,
    /// Less than 1 if the chunk is not a symbol.
    pub kind: f64,
    /// Less than 1 for tests, examples, documentation, generated and foreign code, unless the
    /// question asks for such files.
    pub standing: f64,
    /// Less than 1 for a file of declarations.
    pub declaration: f64,
    /// What all candidates of the file, including this one, add to its score. It is added to the
    /// product of the other factors, and is on the same scale.
    pub coherence: f64,
}

/// Orders candidates by everything that is known about them, the best first.
pub fn order<'a>(
    query: &str,
    found: Vec<Found<'a>>,
    weights: &Weights,
    with_tests: bool,
) -> Vec<Candidate<'a>> {
    let named: BTreeSet<String> = words::names(query).map(str::to_lowercase).collect();
    let mut candidates: Vec<Candidate> = found
        .into_iter()
        .map(|found| {
            let factors = factors(query, &named, &found, &weights.stage, with_tests);
            Candidate { score: product(&factors), factors, found }
        })
        .collect();
    let best = candidates.iter().map(|one| one.score).fold(0.0, f64::max);
    let mut by_file: BTreeMap<&str, f64> = BTreeMap::new();
    for one in &candidates {
        *by_file.entry(one.found.file).or_default() += one.score;
    }
    let most = by_file.values().copied().fold(0.0, f64::max);
    for one in &mut candidates {
        let file = by_file.get(one.found.file).copied().unwrap_or_default();
        one.factors.coherence = weights.stage.coherence * best * file / most.max(f64::MIN_POSITIVE);
        one.score += one.factors.coherence;
    }
    let best = candidates.iter().map(|one| one.score).fold(f64::MIN_POSITIVE, f64::max);
    for one in &mut candidates {
        one.score /= best;
    }
    candidates.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.found.place().cmp(&other.found.place()))
    });
    candidates
}

fn factors(
    query: &str,
    named: &BTreeSet<String>,
    found: &Found,
    stage: &Stage,
    with_tests: bool,
) -> Factors {
    let entry = &found.entry;
    let is_named = entry.is_symbol && named.contains(&entry.name.to_lowercase());
    let standing = Standing::of(found.file);
    let declares = stage.declaration_endings.iter().any(|end| found.file.ends_with(end.as_str()));
    Factors {
        bm25f: found.score,
        definition: if is_named { stage.definition } else { 1.0 },
        kind: match entry.kind.as_str() {
            _ if entry.is_symbol => 1.0,
            "import" => stage.import,
            "comment" => stage.comment,
            _ => stage.statement,
        },
        standing: if with_tests && standing == Standing::Test {
            1.0
        } else {
            standing.weight(query)
        },
        declaration: if declares { stage.declaration } else { 1.0 },
        coherence: 0.0,
    }
}

fn product(factors: &Factors) -> f64 {
    factors.bm25f * factors.definition * factors.kind * factors.standing * factors.declaration
}
