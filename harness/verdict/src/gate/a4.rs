//! A4, refresh semantics: in every call of every sequence our session serves or computes exactly
//! where the comparator does, and says the same.

use std::collections::BTreeSet;

use record::{Cell, GateId, Verdict};

use super::{A4Thresholds, Bound, Place};

const GATE: GateId = GateId::A4;

/// What one side did in one sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceSide {
    /// The mode in force.
    pub refresh: String,
    /// The calls.
    pub calls: Vec<CallSide>,
}

/// What one side did in one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSide {
    /// The map; empty if there is none.
    pub text: String,
    /// True if the answer was stored by an earlier call.
    pub cached: bool,
    /// How each step of the fallback chain ended.
    pub steps: Vec<Step>,
}

/// How one step of the fallback chain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Before anything was looked at: no budget, or no other file.
    Skipped,
    /// With a stored answer.
    Served,
    /// With a computed one.
    Computed,
    /// With an exception, which disables the map.
    Failed,
}

/// A sequence as it was planned, with both sides' answers or why one is missing.
#[derive(Debug)]
pub struct SequenceRun<'a> {
    /// Its id.
    pub id: &'a str,
    /// The mode that was asked for.
    pub refresh: &'a str,
    /// What each call is about.
    pub calls: Vec<&'a str>,
    /// Ours and the comparator's.
    pub sides: Result<(SequenceSide, SequenceSide), String>,
}

/// The cells of all sequences of a corpus.
pub fn a4(corpus: &str, runs: &[SequenceRun], thresholds: &A4Thresholds) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut covered = BTreeSet::new();
    for run in runs {
        let place = Place { corpus, case: run.id, budget: None };
        match &run.sides {
            Ok((ours, theirs)) => {
                covered.insert(run.refresh);
                cells.push(judged(
                    &place,
                    "mode_equal",
                    ours.refresh == theirs.refresh,
                    format!("ours {}, comparator {}", ours.refresh, theirs.refresh),
                    thresholds,
                ));
                for (number, call) in run.calls.iter().enumerate() {
                    let case = format!("{}/{number:02} {call}", run.id);
                    let place = Place { case: &case, ..place };
                    cells.extend(self::call(
                        &place,
                        ours.calls.get(number),
                        theirs.calls.get(number),
                        thresholds,
                    ));
                }
            }
            Err(why) => cells.push(place.not_run(GATE, "calls", why)),
        }
    }
    let place = Place { corpus, case: "", budget: None };
    let missing: Vec<&String> =
        thresholds.modes.iter().filter(|mode| !covered.contains(mode.as_str())).collect();
    let share = 1.0 - missing.len() as f64 / thresholds.modes.len().max(1) as f64;
    let mut coverage =
        place.judged(GATE, "modes_covered", Some(share), (Bound::AtLeast, 1.0), covered.len());
    if !missing.is_empty() {
        coverage.verdict = Verdict::Insufficient;
        coverage.note = format!("no sequence of {missing:?} was judged");
    }
    cells.push(coverage);
    cells
}

/// The cells of one call: text, cached flag, and the steps of the chain.
fn call(
    place: &Place,
    ours: Option<&CallSide>,
    theirs: Option<&CallSide>,
    thresholds: &A4Thresholds,
) -> Vec<Cell> {
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        let side = if ours.is_none() { "our session" } else { "the comparator" };
        return vec![place.not_run(GATE, "text_equal", &format!("{side} did not answer"))];
    };
    let cell = |metric, equal, note| judged(place, metric, equal, note, thresholds);
    vec![
        cell(
            "text_equal",
            ours.text == theirs.text,
            format!("ours {} bytes, comparator {}", ours.text.len(), theirs.text.len()),
        ),
        cell(
            "cached_equal",
            ours.cached == theirs.cached,
            format!("ours {}, comparator {}", ours.cached, theirs.cached),
        ),
        cell(
            "steps_equal",
            ours.steps == theirs.steps,
            format!("ours {:?}, comparator {:?}", ours.steps, theirs.steps),
        ),
    ]
}

fn judged(
    place: &Place,
    metric: &str,
    equal: bool,
    note: String,
    thresholds: &A4Thresholds,
) -> Cell {
    let value = Some(f64::from(u8::from(equal)));
    let mut cell =
        place.judged(GATE, metric, value, (Bound::AtLeast, thresholds.min_equal_calls), 1);
    if !equal {
        cell.note = note;
    }
    cell
}
