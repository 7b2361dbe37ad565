//! A5, determinism: the same inputs give the same map, however often and wherever it is made.
//!
//! In the parity profile normalised maps are compared: path separators and line ends made alike,
//! the bare names of stage 3 as a sorted set, everything else in its order. In the enhancement
//! profile every byte counts.

use std::collections::BTreeSet;

use record::{Cell, Digest, GateId, Stage, Verdict};

use super::{A5Thresholds, Bound, Layers, Place};

const GATE: GateId = GateId::A5;
/// Code points that a line of a map keeps.
const MAX_LINE: usize = 100;

/// One kind of repetition, such as ten processes in `files` mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repetition {
    /// Name of the metric.
    pub metric: &'static str,
    /// Fewest runs; fewer are insufficient.
    pub min_runs: u64,
    /// The maps of each run, or why there is none. A run that served several has made them of
    /// the same inputs, so all must be equal.
    pub runs: Vec<Result<Vec<String>, String>>,
}

/// The cells of one case. `reference` is the map that all others must equal.
pub fn a5(
    place: &Place,
    parity: bool,
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
        if parity { Digest::of(normalised(text, &third)) } else { Digest::of(text) }
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
            // That nothing is always the same proves nothing.
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

/// A map with separators and line ends made alike, and the bare names of stage 3 taken out and
/// put behind it, sorted. `third` are these names, normalised.
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

/// A file's name as its line in a map has it, with `/` as separator.
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
