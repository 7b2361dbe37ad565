//! What changed since the record before, in sentences, missing things first.

use frames::Series;
use serde::{Deserialize, Serialize};

use super::record::{Outcome, State};
use crate::{
    history::{
        Diff,
        significance::{Compared, compare},
    },
    report::figure,
};

/// Kind of a value that is a wall time in seconds.
pub const SECONDS: &str = "seconds";
/// Kind of a value that is the least distance of a metric to its thresholds.
pub const MARGIN: &str = "worst margin";

/// How bad a change is, worst first: the order in which changes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// Something that was measured before, or should have been, is not there.
    Missing,
    /// Something that passed does not, or takes significantly longer.
    Regressed,
    /// Something changed, and nothing that passed is lost.
    Changed,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mover {
    /// How bad it is.
    pub weight: Weight,
    /// The sentence.
    pub text: String,
}

/// The most cells of one kind that are listed one by one.
const TOLD: usize = 50;

/// One sentence for each step of this night that did not pass.
pub fn of_steps(steps: &[Outcome]) -> Vec<Mover> {
    let mover = |step: &Outcome| {
        let (weight, what) = match &step.state {
            State::Passed => return None,
            State::Failed => {
                let code =
                    step.exit_code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
                (Weight::Regressed, format!("failed with {code}"))
            }
            State::Interrupted => (Weight::Missing, "was interrupted".to_owned()),
            State::NotRun => (Weight::Missing, "was not run".to_owned()),
            State::Outdated => (Weight::Missing, "was run on another commit".to_owned()),
            State::Unsealed => (Weight::Missing, "sealed no bundle of this commit".to_owned()),
        };
        Some(Mover { weight, text: format!("Step {} {what}: {}.", step.name, step.what) })
    };
    steps.iter().filter_map(mover).collect()
}

/// What changed in the run of one step since the record before.
pub fn of_run(step: &str, diff: &Diff) -> Vec<Mover> {
    let mut movers = Vec::new();
    let mut tell =
        |weight, text: String| movers.push(Mover { weight, text: format!("{step}: {text}") });
    for corpus in &diff.corpora_gone {
        tell(Weight::Missing, format!("corpus {corpus} is gone."));
    }
    for (place, _) in diff.cells_gone.iter().zip(0..TOLD) {
        tell(Weight::Missing, format!("{place} is not measured any more."));
    }
    if let Some(more) = diff.cells_gone.len().checked_sub(TOLD).filter(|more| *more > 0) {
        tell(Weight::Missing, format!("{more} more cells are not measured any more."));
    }
    let weight = |regressed| if regressed { Weight::Regressed } else { Weight::Changed };
    for gate in &diff.gates {
        tell(weight(gate.is_regression()), format!("gate {gate}."));
    }
    for (change, _) in diff.changed.iter().zip(0..TOLD) {
        tell(weight(change.is_regression()), format!("{change}."));
    }
    for unlike in &diff.unlike {
        tell(Weight::Changed, format!("not alike, {unlike}."));
    }
    let counts = [
        (diff.changed.len().saturating_sub(TOLD), "more cells have another verdict"),
        (diff.corpora_added.len(), "corpora were added"),
        (diff.corpora_changed.len(), "corpora have another commit"),
        (diff.cells_added.len(), "cells were added"),
        (diff.moved.len(), "cells moved beyond the known noise, with the same verdict"),
    ];
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        tell(Weight::Changed, format!("{} {what}.", figure::count(count as u64)));
    }
    movers
}

/// Times whose last value is significantly different, and values that the record before had and this
/// one lacks.
pub fn of_history(series: &[Series]) -> Vec<Mover> {
    let mut movers = Vec::new();
    for one in series {
        let Some((now, earlier)) = one.values.split_last() else { continue };
        let known: Vec<f64> = earlier.iter().flatten().copied().collect();
        let Some(now) = *now else {
            if earlier.last().is_some_and(Option::is_some) {
                let text = format!("{} has no {} any more.", one.name, one.kind);
                movers.push(Mover { weight: Weight::Missing, text });
            }
            continue;
        };
        if one.kind != SECONDS {
            continue;
        }
        let (weight, what) = match compare(&known, now) {
            Compared::Slower => (Weight::Regressed, "longer"),
            Compared::Faster => (Weight::Changed, "shorter"),
            Compared::Ordinary | Compared::TooFew => continue,
        };
        let text = format!(
            "{} took {now:.1} s, significantly {what} than in the {} records before.",
            one.name,
            known.len()
        );
        movers.push(Mover { weight, text });
    }
    movers
}

#[cfg(test)]
mod tests {
    use frames::Series;

    use super::{MARGIN, SECONDS, Weight, of_history};

    #[test]
    fn a_slow_step_and_a_missing_row_are_told_and_an_ordinary_one_is_not() {
        let series = |kind: &str, name: &str, values: &[Option<f64>]| Series {
            kind: kind.to_owned(),
            name: name.to_owned(),
            values: values.to_vec(),
        };
        let before = [Some(1.0), Some(1.2), Some(1.1), Some(1.0)];
        let with = |last| [&before[..], &[last]].concat();
        let movers = of_history(&[
            series(SECONDS, "maps", &with(Some(1.3))),
            series(SECONDS, "slow", &with(Some(9.0))),
            series(SECONDS, "quick", &with(Some(0.1))),
            series(MARGIN, "A1", &with(None)),
            // A margin is judged by its gate, not by its history.
            series(MARGIN, "A3", &with(Some(9.0))),
            series(SECONDS, "new", &[None, None, None, None, Some(5.0)]),
        ]);
        let told: Vec<_> = movers.iter().map(|one| (one.weight, &*one.text)).collect();
        assert_eq!(
            told,
            [
                (
                    Weight::Regressed,
                    "slow took 9.0 s, significantly longer than in the 4 records before."
                ),
                (
                    Weight::Changed,
                    "quick took 0.1 s, significantly shorter than in the 4 records before."
                ),
                (Weight::Missing, "A1 has no worst margin any more."),
            ]
        );
    }
}
