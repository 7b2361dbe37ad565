//! A5, determinism: the same inputs give the same map, however often and wherever it is made.
//!
//! In the parity profile, normalised maps are compared: path separators and line endings are unified, the
//! bare names of stage 3 are sorted, and everything else keeps its order. In the enhancement profile, every
//! byte counts.

mod trials;

use std::collections::BTreeSet;

use record::{Cell, Digest, Profile, Stage, Verdict};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    CorpusView, Missing,
    protocol::{Protocol, ProtocolError, Table},
    sides::Layers,
};

pub use trials::{repetitions, trials};

pub(super) const NAME: &str = "A5";
const GATE: GateId = GateId::A5;
/// Code points that a line of a map keeps.
const MAX_LINE: usize = 100;

/// Thresholds of A5.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A5Thresholds {
    /// Fewest runs in `files` mode, in `manual` mode and in one process.
    pub min_runs: u64,
    /// Least share of runs with the same map.
    pub min_identical_share: f64,
    /// Numbers of threads that must not matter.
    pub threads: Vec<usize>,
    /// Locales that must not matter.
    pub locales: Vec<String>,
}

impl Table for A5Thresholds {
    const NAME: &'static str = "a5";
}

/// The gate.
#[derive(Debug)]
pub struct A5;

impl Gate for A5 {
    fn title(&self) -> &'static str {
        "determinism"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Maps, Need::Trials]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(protocol.table::<A5Thresholds>()?))
    }
}

impl Judge for A5Thresholds {
    /// The trials of a corpus's first case at the first budget.
    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        let (evidence, corpus) = (view.evidence, view.corpus);
        let first = corpus.cases.first().zip(view.plan().budgets.first());
        let Some((case, &budget)) = first.filter(|_| !corpus.trials.is_empty()) else {
            return Vec::new();
        };
        let place = view.place(&case.id, Some(budget));
        let reference = evidence
            .engine(corpus, &case.id, budget)
            .and_then(|map| map.layers().map_err(|error| Missing(error.to_string())));
        let reference = match reference {
            Ok(reference) => reference,
            Err(Missing(why)) => return vec![place.not_run(GATE, "reference", &why)],
        };
        let repetitions = repetitions(self, &corpus.trials, |trial| {
            evidence.trial(&corpus.name, trial).map_err(|Missing(why)| why)
        });
        a5(&place, view.plan().profile, &reference, &repetitions, self)
    }
}

/// One kind of repetition, such as ten processes in `files` mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repetition {
    /// Name of the metric.
    pub metric: &'static str,
    /// Fewest runs; fewer are insufficient.
    pub min_runs: u64,
    /// The maps of each run, or why there is none. A run with several maps made them from the same inputs,
    /// so all must be equal.
    pub runs: Vec<Result<Vec<String>, String>>,
}

/// The cells of one case. `reference` is the map that all others must equal.
pub fn a5(
    place: &Place,
    profile: Profile,
    reference: &Layers,
    repetitions: &[Repetition],
    thresholds: &A5Thresholds,
) -> Vec<Cell> {
    let third: BTreeSet<String> = reference
        .kept_cut()
        .iter()
        .filter(|entry| entry.stage == Stage::Others)
        .map(|entry| normal_name(&entry.file))
        .collect();
    let hash = |text: &str| {
        if profile.is_parity() { Digest::of(normalised(text, &third)) } else { Digest::of(text) }
    };
    let expected = hash(&reference.text);
    repetitions
        .iter()
        .map(|repetition| {
            let made = || repetition.runs.iter().filter_map(|run| run.as_ref().ok());
            let equal = made()
                .filter(|maps| !maps.is_empty() && maps.iter().all(|map| hash(map) == expected))
                .count();
            let runs = made().count();
            // That every map is empty proves nothing.
            let samples = if reference.text.is_empty() { 0 } else { runs };
            let share = (samples > 0).then(|| equal as f64 / runs as f64);
            let least = (Bound::AtLeast, thresholds.min_identical_share);
            let mut cell = place.judged(GATE, repetition.metric, share, least, samples);
            if equal < runs {
                cell.note = format!("{} of {runs} runs differ", runs - equal);
            } else if (samples as u64) < repetition.min_runs {
                cell.verdict = Verdict::Insufficient;
                let why = repetition.runs.iter().find_map(|run| run.as_ref().err());
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                cell.note = format!("{samples} runs, fewer than {}{why}", repetition.min_runs);
            }
            cell
        })
        .collect()
}

/// A map with unified separators and line endings, and with the bare names of stage 3 moved to its end,
/// sorted. `third` are these names, normalised.
fn normalised(text: &str, third: &BTreeSet<String>) -> String {
    let text = text.replace("\r\n", "\n");
    let mut kept: Vec<String> = Vec::new();
    let mut set = Vec::new();
    for line in text.split('\n') {
        // A block starts with an empty line, and then its file's name.
        let heads = kept.last().is_some_and(String::is_empty);
        let name = if heads { normal_name(line) } else { line.to_owned() };
        if heads && third.contains(&name) {
            kept.pop();
            set.push(name);
        } else {
            kept.push(name);
        }
    }
    set.sort_unstable();
    kept.extend(set);
    kept.join("\n")
}

/// A file's name as its line in a map shows it, with `/` as separator.
fn normal_name(name: &str) -> String {
    name.replace('\\', "/").chars().take(MAX_LINE).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::normalised;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_names_of_stage_three_are_a_set_and_nothing_else_is() {
        let third = names(&["a", "b"]);
        let one = "\nx.py:\n│x\n\na\n\nb\n\nc\n";
        let other = "\nb\n\nx.py:\n│x\n\na\n\nc\n";
        assert_eq!(normalised(one, &third), normalised(other, &third));
        let stage_two_moved = "\nc\n\nx.py:\n│x\n\na\n\nb\n";
        assert_ne!(normalised(one, &third), normalised(stage_two_moved, &third));
        assert_ne!(normalised(one, &third), normalised("\nx.py:\n│x\n\na\n\nc\n", &third));
        let twice = "\nx.py:\n│x\n\na\n\na\n\nb\n\nc\n";
        assert_ne!(normalised(one, &third), normalised(twice, &third));
    }

    #[test]
    fn separators_and_line_ends_are_alike_and_content_is_not_touched() {
        let none = names(&[]);
        assert_eq!(normalised("\nd\\x.py:\r\n│x\r\n", &none), normalised("\nd/x.py:\n│x\n", &none));
        assert_ne!(normalised("\nx.py:\n│a\\b\n", &none), normalised("\nx.py:\n│a/b\n", &none));
    }
}
