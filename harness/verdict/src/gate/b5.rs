//! B5, end to end: one whole run in deterministic mode in which every other gate passes, and the blocker
//! gate 0C, which is computed from the cells of the others.

use std::collections::BTreeSet;

use record::{Cell, Profile, Set, Side, Verdict};

use super::{Bound, Gate, GateId, Judge, Need, Place, gates_of, verdict};
use crate::{
    Evidence, RunView,
    protocol::{Protocol, ProtocolError},
};

pub(super) const NAME: &str = "B5";
const GATE: GateId = GateId::B5;
/// The path whose persistence the blocker gate checks.
const TOOL_OUTPUT: &str = "lcm.tool_output.create";

/// The criteria of the blocker gate 0C: each is met if there are cells of this gate, case (any if
/// empty) and these metrics, and all of them pass.
const BLOCKER: [(&str, GateId, &str, &[&str]); 5] = [
    ("files_are_parsed", GateId::VerticalSlice, "", &["stage_invariants"]),
    ("map_is_made", GateId::VerticalSlice, "", &["map_is_rendered"]),
    ("exploration_by_matrix", GateId::B3, TOOL_OUTPUT, &["success", "success_readback"]),
    ("failure_is_not_blocking", GateId::B3, TOOL_OUTPUT, &["explorer_failure", "store_failure"]),
    ("settings_obeyed", GateId::B3, TOOL_OUTPUT, &["disabled", "threshold", "below_limit"]),
];

/// The gate.
#[derive(Debug)]
pub struct B5;

impl Gate for B5 {
    fn title(&self) -> &'static str {
        "end to end"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn sets(&self) -> &'static [Set] {
        &[Set::Full]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[]
    }

    fn judge(&self, _: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Self))
    }
}

impl Judge for B5 {
    fn end(&self, run: &RunView) -> Vec<Cell> {
        let plan = &run.evidence.plan;
        let all = gates_of(plan.profile, plan.set).into_iter().filter(|id| *id != GATE);
        let mut cells: Vec<Cell> = all.map(|id| passed(id, run)).collect();
        cells.extend(BLOCKER.map(|(metric, gate, case, metrics)| {
            let place = Place { corpus: "", case: "0C", budget: None };
            let found = run.cells.iter().filter(|cell| {
                cell.gate == gate
                    && (case.is_empty() || cell.case == case)
                    && metrics.contains(&cell.metric.as_str())
            });
            met(&place, metric, found, metrics)
        }));
        cells.extend(one_run(run.evidence));
        cells.push(deterministic(run.cells));
        cells
    }
}

/// Whether a gate of the sign-off passes.
fn passed(id: GateId, run: &RunView) -> Cell {
    let place = Place { corpus: "", case: id.as_str(), budget: None };
    if !run.evidence.plan.gates.contains(&id.name()) {
        return place.not_run(GATE, "gate_passes", "the run does not judge it");
    }
    let own: Vec<&Cell> = run.cells.iter().filter(|cell| cell.gate == id).collect();
    let judged = own.iter().filter(|cell| cell.threshold.is_some()).count();
    let found = verdict(own);
    let value = f64::from(u8::from(found == Verdict::Pass));
    let mut cell = place.judged(GATE, "gate_passes", Some(value), (Bound::AtLeast, 1.0), judged);
    if found != Verdict::Pass {
        cell.verdict = found;
        cell.note = format!("its verdict is {}", found.as_str());
    }
    cell
}

/// A cell of a criterion that other cells decide: there must be a cell of each of these metrics.
fn met<'a>(
    place: &Place,
    metric: &str,
    cells: impl Iterator<Item = &'a Cell>,
    metrics: &[&str],
) -> Cell {
    let cells: Vec<&Cell> = cells.filter(|cell| cell.threshold.is_some()).collect();
    let there: BTreeSet<&str> = cells.iter().map(|cell| cell.metric.as_str()).collect();
    if there.len() < metrics.len() {
        return place.not_run(GATE, metric, "a cell that it follows from is missing");
    }
    let passing = cells.iter().filter(|cell| cell.verdict == Verdict::Pass).count();
    let share = passing as f64 / cells.len() as f64;
    place.judged(GATE, metric, Some(share), (Bound::AtLeast, 1.0), cells.len())
}

/// Checks that the evidence is whole: each unit of the plan has a recording of its own, our program was
/// called as planned (for a scenario or a batch of files, in its first call), and nothing was left out. The
/// comparator's recordings may come from the response cache.
fn one_run(evidence: &Evidence) -> Vec<Cell> {
    let plan = &evidence.plan;
    let place = Place { corpus: "", case: "one_run", budget: None };
    let units = plan.units();
    let (mut own, mut as_planned) = (0, 0);
    let (mut ours, mut names) = (0, BTreeSet::new());
    for unit in &units {
        let key = plan.key(unit);
        let call = plan.call(unit);
        ours += usize::from(call.is_some());
        let Some(Ok(recording)) = evidence.recording_of(&key) else { continue };
        let first = evidence.name_of(&key).is_some_and(|name| names.insert(name));
        own += usize::from(first && recording.unit == key);
        let Some(mut asked) = call else { continue };
        asked.env.insert("PATH".to_owned(), "$PATH".to_owned());
        let same = recording.side == Side::Engine
            && recording.argv.get(1..) == Some(&asked.args)
            && recording.env == asked.env;
        as_planned += usize::from(same);
    }
    let share = |metric, part: usize, whole: usize| {
        let value = (whole > 0).then(|| part as f64 / whole as f64);
        place.judged(GATE, metric, value, (Bound::AtLeast, 1.0), whole)
    };
    let mut whole = place.judged(
        GATE,
        "whole_set",
        Some(f64::from(u8::from(!plan.partial))),
        (Bound::AtLeast, 1.0),
        1,
    );
    if plan.partial {
        whole.verdict = Verdict::Insufficient;
        "only a part was asked for".clone_into(&mut whole.note);
    }
    vec![
        whole,
        share("units_recorded", own, units.len()),
        share("called_as_planned", as_planned, ours),
    ]
}

/// Checks that no model had a part in any exploration, by the counts of the gates of explorations.
fn deterministic(cells: &[Cell]) -> Cell {
    let place = Place { corpus: "", case: "one_run", budget: None };
    let found = cells.iter().filter(|cell| cell.metric == "model_tiers");
    met(&place, "deterministic_mode", found, &["model_tiers"])
}
