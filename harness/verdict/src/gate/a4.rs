//! A4, refresh semantics: in every call of every sequence, our session serves a stored map or computes a
//! new one exactly where the comparator does, and the maps are the same.

use std::collections::BTreeSet;

use record::{Cell, Profile, Refresh, Verdict};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place};
use crate::{
    CorpusView, Missing,
    protocol::{Protocol, ProtocolError, Table},
    sides::{CallSide, SequenceSide},
};

pub(super) const NAME: &str = "A4";
const GATE: GateId = GateId::A4;

/// Thresholds of A4.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A4Thresholds {
    /// Least share of calls that equal the comparator's.
    pub min_equal_calls: f64,
    /// The modes that must have been judged.
    pub modes: Vec<Refresh>,
}

impl Table for A4Thresholds {
    const NAME: &'static str = "a4";
}

/// The gate.
#[derive(Debug)]
pub struct A4;

impl Gate for A4 {
    fn title(&self) -> &'static str {
        "refresh semantics"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Sequences]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(protocol.table::<A4Thresholds>()?))
    }
}

impl Judge for A4Thresholds {
    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        let (evidence, corpus) = (view.evidence, view.corpus);
        if corpus.sequences.is_empty() {
            return Vec::new();
        }
        let comparator = evidence.sequences(&corpus.name);
        let sides = |id: &str| {
            let theirs = comparator.as_ref().map_err(Clone::clone)?.sequence(id)?;
            Ok((evidence.session(&corpus.name, id)?, theirs))
        };
        let runs: Vec<SequenceRun> = corpus
            .sequences
            .iter()
            .map(|sequence| SequenceRun {
                id: &sequence.id,
                refresh: sequence.refresh,
                calls: sequence.calls.iter().map(|call| call.id.as_str()).collect(),
                sides: sides(&sequence.id).map_err(|Missing(why)| why),
            })
            .collect();
        a4(&corpus.name, &runs, self)
    }
}

/// A sequence as it was planned, with both sides' answers or why one is missing.
#[derive(Debug)]
pub struct SequenceRun<'a> {
    /// Its id.
    pub id: &'a str,
    /// The mode that was asked for.
    pub refresh: Refresh,
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
    let missing = thresholds.modes.iter().filter(|mode| !covered.contains(*mode));
    let missing: Vec<&str> = missing.map(|mode| mode.as_str()).collect();
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
