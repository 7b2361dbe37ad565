//! A2, stage correctness and render fidelity: which candidates there are, which of them are cut away,
//! and how the rest is rendered.
//!
//! Selection is judged on the lists before rendering, and the text separately. Three differences
//! are normalised, as the reference allows: path separators, line endings, order in stage 3.

mod coverage;
mod invariants;

use record::{Cell, Profile, Stage};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place, PlotSpec};
use crate::{
    CaseView, RunView,
    counts::Counts,
    protocol::{Protocol, ProtocolError, Table},
    sides::{
        Layers, PrefitEntry,
        lists::{first_difference, share_of_lists},
    },
};

pub use coverage::Coverage;
pub use invariants::invariants;
use invariants::{in_order, lines, membership, rendered_names, share_cell};

pub(super) const NAME: &str = "A2";
const GATE: GateId = GateId::A2;

/// Thresholds of A2.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A2Thresholds {
    /// A further budget in tokens, so wide that most maps show every stage; run on the first case
    /// of each corpus.
    pub wide_budget: u64,
    /// Least share of entries, names and lines that are as they should be.
    pub min_share: f64,
    /// Fewest maps of a run that must show each stage, and be cut in each and between any two.
    pub min_maps: u64,
}

impl Table for A2Thresholds {
    const NAME: &'static str = "a2";
}

/// The gate.
#[derive(Debug)]
pub struct A2;

impl Gate for A2 {
    fn title(&self) -> &'static str {
        "stages and rendering"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers, Need::Maps, Need::WideBudget]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Correct stages, cuts and rendering")]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(protocol.table::<A2Thresholds>()?))
    }
}

impl Judge for A2Thresholds {
    fn case(&self, view: &CaseView, counts: &mut Counts) -> Vec<Cell> {
        let mut coverage = Coverage::default();
        view.all().for_each(|(_, ours, _)| coverage.add(ours));
        counts.merge(&coverage.counts());
        if view.case.no_map {
            return Vec::new();
        }
        let cells = view
            .all()
            .flat_map(|(budget, ours, theirs)| a2(&view.place(budget), ours, theirs, self));
        cells.collect()
    }

    fn run(&self, run: &RunView) -> Vec<Cell> {
        Coverage::of(run.counts).cells(self)
    }
}

/// The cells of one case at one budget.
pub fn a2(place: &Place, ours: &Layers, theirs: &Layers, thresholds: &A2Thresholds) -> Vec<Cell> {
    let cell = |metric: &str, counted: (usize, usize), note: String| {
        share_cell(place, GATE, metric, counted, note, thresholds)
    };
    let (our_text, their_text) = (lines(&ours.text), lines(&theirs.text));
    let text = cell(
        "rendered_text",
        share_of_lists(&our_text, &their_text),
        first_difference(&our_text, &their_text),
    );
    let (our_ranking, their_ranking) = match (&ours.ranking, &theirs.ranking) {
        (Some(ours), Some(theirs)) => (ours, theirs),
        (None, None) => {
            let mut none = place.reported(GATE, "stage_order", None, 0);
            "neither side assembled a list".clone_into(&mut none.note);
            return vec![none, text];
        }
        _ => return vec![place.not_run(GATE, "stage_order", "one side has no list"), text],
    };
    let Some(postfit) = &ours.postfit else {
        return vec![place.not_run(GATE, "cut_is_prefix", "no selected list was recorded"), text];
    };
    let (membership, stray) = membership(our_ranking, &ours.last.chat_files, Profile::Parity);
    let cut = ours.kept_probe().map_or(0, |probe| usize::try_from(probe.middle).unwrap_or(0));
    let kept = our_ranking.prefit.get(..cut).unwrap_or(&our_ranking.prefit);
    let probed = ours.largest_probe().max(theirs.largest_probe());
    let (our_list, their_list) =
        (normalised(&our_ranking.prefit), normalised(&their_ranking.prefit));
    let (our_cut, their_cut) = (normalised(postfit), normalised(theirs.kept_cut()));
    let (names, absent) =
        rendered_names(postfit, &ours.last.chat_files, &our_text, Profile::Parity);
    let candidates = our_ranking.prefit.len();
    let selected = (candidates > 0).then(|| postfit.len() as f64 / candidates as f64);
    vec![
        // The share of the candidates that the budget has room for distinguishes a map that is cut from one
        // that shows its whole repository.
        place.reported(GATE, "selected_share", selected, candidates),
        cell("stage_order", in_order(&our_ranking.prefit), "a stage follows a later one".into()),
        cell("stage_membership", membership, stray),
        cell("cut_is_prefix", share_of_lists(postfit, kept), first_difference(postfit, kept)),
        cell(
            "prefit_trace",
            same_lists(&our_list, &their_list, probed),
            first_difference(&our_list, &their_list),
        ),
        cell(
            "postfit_trace",
            share_of_lists(&our_cut, &their_cut),
            first_difference(&our_cut, &their_cut),
        ),
        cell("rendered_names", names, absent),
        text,
    ]
}

/// A list with plain separators, and with its stage 3 in order of file names.
fn normalised(entries: &[PrefitEntry]) -> Vec<PrefitEntry> {
    let mut list: Vec<PrefitEntry> = entries
        .iter()
        .map(|entry| PrefitEntry { file: entry.file.replace('\\', "/"), ..entry.clone() })
        .collect();
    let mut others: Vec<PrefitEntry> =
        list.iter().filter(|entry| entry.stage == Stage::Others).cloned().collect();
    others.sort_unstable();
    let places = list.iter_mut().filter(|entry| entry.stage == Stage::Others);
    for (place, entry) in places.zip(others) {
        *place = entry;
    }
    list
}

/// Counts equal entries: by position up to the largest probed cut, and anywhere after it, where no cut
/// was probed and ties within rounding may be ordered either way.
fn same_lists(ours: &[PrefitEntry], theirs: &[PrefitEntry], probed: usize) -> (usize, usize) {
    let split = |list: &[PrefitEntry]| {
        let (head, tail) = list.split_at(probed.min(list.len()));
        let mut tail = tail.to_vec();
        tail.sort_unstable();
        [head, &tail].concat()
    };
    share_of_lists(&split(ours), &split(theirs))
}
