//! What answers about places are worth: values that means are made of.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::gold::{At, NavGold, Stratum};

/// The parts of an answer of `parity nav` that are judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Answer {
    definitions: Vec<Entry>,
    references: Vec<Entry>,
    resolution: String,
}

/// A place in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
struct Entry {
    file_path: String,
    line: u32,
    column: u32,
    resolution: String,
}

/// One value that goes into a mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The corpus.
    pub corpus: String,
    /// Its split.
    pub split: String,
    /// The language.
    pub language: String,
    /// The metric.
    pub metric: String,
    /// From 0 to 1.
    pub value: f64,
}

/// How an answer names the root of the corpus.
const ROOT: &str = "$REPO/";
/// The resolution of what was found by its name alone.
const BY_NAME: &str = "name_match";

/// The values of all answers about a corpus, in the order of [`NavGold::places`].
pub fn values(gold: &NavGold, answers: &[Answer]) -> Vec<Sample> {
    let mut values = Vec::new();
    let mut answers = answers.iter();
    for stratum in Stratum::ALL {
        for row in gold.of(stratum) {
            let Some(answer) = answers.next() else { return values };
            let found: Vec<Option<At>> =
                answer.definitions.iter().map(|entry| place(gold, entry)).collect();
            let is_target = |at: &Option<At>| at.is_some_and(|at| same(at, &row.3));
            let name = stratum.as_str();
            let mut add = |metric: String, value: f64| values.push(of(gold, metric, value));
            if stratum == Stratum::External {
                add("external_invented".to_owned(), truth(!found.is_empty()));
                add("external_invented_baseline".to_owned(), truth(row.4.is_some()));
                continue;
            }
            let baseline = row.4.is_some_and(|at| same(at, &row.3));
            add(format!("{name}_among"), truth(found.iter().any(is_target)));
            add(format!("{name}_first"), truth(found.first().is_some_and(is_target)));
            add(format!("{name}_first_baseline"), truth(baseline));
            let sure: Vec<bool> = answer
                .definitions
                .iter()
                .zip(&found)
                .filter(|(entry, _)| entry.resolution != BY_NAME)
                .map(|(_, at)| is_target(at))
                .collect();
            if !sure.is_empty() {
                let right = sure.iter().filter(|right| **right).count();
                add("resolved_precision".to_owned(), right as f64 / sure.len() as f64);
                add("resolved_hits".to_owned(), truth(right > 0));
            }
        }
    }
    for row in &gold.references {
        let Some(answer) = answers.next() else { return values };
        let found: BTreeSet<At> =
            answer.references.iter().filter_map(|entry| place(gold, entry)).collect();
        let (yes, no): (BTreeSet<At>, BTreeSet<At>) =
            (row.3.iter().copied().collect(), row.4.iter().copied().collect());
        let right = found.intersection(&yes).count();
        let wrong = found.intersection(&no).count();
        values.push(of(gold, "references_recall".to_owned(), right as f64 / yes.len() as f64));
        if right + wrong > 0 {
            let precision = right as f64 / (right + wrong) as f64;
            values.push(of(gold, "references_precision".to_owned(), precision));
        }
    }
    values
}

fn of(gold: &NavGold, metric: String, value: f64) -> Sample {
    let NavGold { corpus, split, language, .. } = gold;
    let (corpus, split, language) = (corpus.clone(), split.clone(), language.clone());
    Sample { corpus, split, language, metric, value }
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Where an entry is; `None` for a file that the gold does not name, which no target is in.
fn place(gold: &NavGold, entry: &Entry) -> Option<At> {
    let file = entry.file_path.strip_prefix(ROOT)?;
    let at = gold.files.iter().position(|known| known == file)?;
    Some((at, entry.line, entry.column))
}

/// Whether a place is one of the targets. A module is its file, wherever its start is said to be.
fn same(at: At, targets: &[At]) -> bool {
    let is_module = |target: &At| at.0 == target.0 && at.1 == 1 && target.1 == 1 && target.2 == 1;
    targets.iter().any(|target| at == *target || is_module(target))
}
