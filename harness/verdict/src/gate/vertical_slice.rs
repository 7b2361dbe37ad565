//! 3A.0, the vertical slice: one small repository through every step, from tags to budget fit. In the
//! enhancement profile, the rules of the stages are judged of every map.

use record::{Cell, Profile, Stage, Verdict};
use serde::Deserialize;

use super::{A2Thresholds, Bound, Gate, GateId, Judge, Need, Place, a2::invariants};
use crate::{
    CaseView, CorpusView, Missing,
    counts::Counts,
    metrics::recount,
    protocol::{Protocol, ProtocolError, Table},
    sides::{Layers, PrefitEntry},
};

pub(super) const NAME: &str = "3A.0";
const GATE: GateId = GateId::VerticalSlice;

/// Thresholds of the vertical slice.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceThresholds {
    /// Fewest repeated runs.
    pub min_runs: u64,
}

impl Table for SliceThresholds {
    const NAME: &'static str = "vertical_slice";
}

/// The gate.
#[derive(Debug)]
pub struct VerticalSlice;

impl Gate for VerticalSlice {
    fn title(&self) -> &'static str {
        "vertical slice"
    }

    fn profiles(&self) -> &'static [Profile] {
        &Profile::ALL
    }

    fn needs(&self, profile: Profile) -> &'static [Need] {
        match profile {
            Profile::Parity => &[Need::Answers, Need::Maps, Need::Repeats],
            Profile::Enhancement => &[Need::Maps, Need::Repeats],
        }
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Rules { slice: protocol.table()?, stages: protocol.table()? }))
    }
}

struct Rules {
    slice: SliceThresholds,
    stages: A2Thresholds,
}

impl Judge for Rules {
    fn case(&self, view: &CaseView, _: &mut Counts) -> Vec<Cell> {
        let corpus = view.corpus.corpus;
        let is_first = corpus.repeats > 0 && corpus.cases.first() == Some(view.case);
        let Some((budget, layers, theirs)) = view.first().filter(|_| is_first) else {
            return Vec::new();
        };
        let repeats = repeats(view.corpus);
        let run = SliceRun { layers, repeats: &repeats, theirs: Some(theirs) };
        vertical_slice(&view.place(budget), &run, &self.slice)
    }

    /// In the enhancement profile there is no other side.
    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        let (plan, corpus) = (view.plan(), view.corpus);
        if plan.profile.is_parity() {
            return Vec::new();
        }
        let mut cells = Vec::new();
        let mut is_slice = corpus.repeats > 0;
        let cases = corpus.cases.iter().filter(|case| !case.no_map);
        for (case, budget) in cases.flat_map(|case| plan.budgets.iter().map(move |at| (case, *at)))
        {
            let place = view.place(&case.id, Some(budget));
            let document = view.evidence.engine(corpus, &case.id, budget);
            let layers = document
                .and_then(|document| document.layers().map_err(|error| Missing(error.to_string())));
            match layers {
                Ok(layers) => {
                    if is_slice {
                        let repeats = repeats(view);
                        let run = SliceRun { layers: &layers, repeats: &repeats, theirs: None };
                        cells.extend(vertical_slice(&place, &run, &self.slice));
                    }
                    cells.extend(invariants(&place, GATE, &layers, &self.stages));
                }
                Err(Missing(why)) => cells.push(place.not_run(GATE, "map_is_rendered", &why)),
            }
            // Its first case at the first budget.
            is_slice = false;
        }
        cells
    }
}

/// Texts of the repeated runs that made a map.
fn repeats(view: &CorpusView) -> Vec<String> {
    let of = |number| view.evidence.repeat(&view.corpus.name, number).ok();
    (0..view.corpus.repeats).filter_map(of).collect()
}

/// One run of the slice.
#[derive(Debug)]
pub struct SliceRun<'a> {
    /// The case at one budget.
    pub layers: &'a Layers,
    /// Texts of the repeated runs in fresh processes, in `files` refresh mode.
    pub repeats: &'a [String],
    /// The comparator's layers, by which the budget acceptance is judged in the parity profile.
    /// Without them the map must keep within its budget.
    pub theirs: Option<&'a Layers>,
}

/// The four criteria of the reference as cells.
pub fn vertical_slice(place: &Place, run: &SliceRun, thresholds: &SliceThresholds) -> Vec<Cell> {
    let all = (Bound::AtLeast, 1.0);
    let layers = run.layers;
    let share = |holds: bool| Some(f64::from(u8::from(holds)));

    let entries = layers.text.lines().filter(|line| line.ends_with(':')).count();
    let rendered = place.judged(
        GATE,
        "map_is_rendered",
        share(!layers.text.trim().is_empty() && entries > 0),
        all,
        1,
    );

    let kept =
        |layers: &Layers| layers.kept_probe().map(|probe| (probe.middle, probe.tokens.to_bits()));
    let (accepted, probes) = match run.theirs {
        Some(theirs) => {
            (kept(layers).is_some() && kept(layers) == kept(theirs), layers.last.search.len())
        }
        None => (keeps_within(place.budget, &layers.text), 1),
    };
    let acceptance = place.judged(GATE, "budget_acceptance", share(accepted), all, probes);

    let equal = run.repeats.iter().filter(|text| **text == layers.text).count();
    let repeats = run.repeats.len();
    let mut determinism = place.judged(
        GATE,
        "repeats_identical",
        (repeats > 0).then(|| equal as f64 / repeats as f64),
        all,
        repeats,
    );
    if (repeats as u64) < thresholds.min_runs {
        determinism.verdict = Verdict::Insufficient;
        determinism.note = format!("{repeats} runs, fewer than {}", thresholds.min_runs);
    }

    let prefit = layers.ranking.as_ref().map_or(&[][..], |ranking| &ranking.prefit);
    let stages =
        place.judged(GATE, "stage_invariants", share(stages_hold(prefit)), all, prefit.len());
    vec![rendered, acceptance, determinism, stages]
}

/// Whether the conservative count of a map, counted again, is within its budget.
fn keeps_within(budget: Option<u64>, text: &str) -> bool {
    let counted = recount::estimate(text).map(|estimate| recount::safety(estimate, text));
    budget.zip(counted).is_some_and(|(budget, counted)| counted <= budget as f64)
}

/// Stages appear in order (so trimming from the end drops stage 3 first), definitions in stage 1
/// only, bare names in all others, and no file twice by its bare name.
fn stages_hold(prefit: &[PrefitEntry]) -> bool {
    let ordered = prefit.is_sorted_by_key(|entry| entry.stage);
    let shapes =
        prefit.iter().all(|entry| entry.tag.is_some() == (entry.stage == Stage::Definitions));
    let mut bare: Vec<_> =
        prefit.iter().filter(|entry| entry.tag.is_none()).map(|entry| &entry.file).collect();
    let count = bare.len();
    bare.sort_unstable();
    bare.dedup();
    let every_stage = [Stage::Definitions, Stage::Graph, Stage::Others]
        .into_iter()
        .all(|stage| prefit.iter().any(|entry| entry.stage == stage));
    ordered && shapes && bare.len() == count && every_stage
}
