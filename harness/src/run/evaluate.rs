//! From evidence to verdicts. This is what `parity run` prints and `parity verify` recomputes.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    Evidence, EvidenceError, PlannedCorpus,
    evidence::{Comparator, Missing},
    noise::RawRuns,
};
use crate::corpus::Case;
use crate::gate::{
    Cell, Layers, Place, SliceRun, Verdict, a1, a3_enhancement, a3_parity, exact, verdict,
    vertical_slice,
};

/// The cells of a run and what they come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// All cells, in order of gate, corpus, case, budget and metric.
    pub cells: Vec<Cell>,
    /// The verdict of each gate of the plan.
    pub gates: Vec<GateResult>,
    /// The verdict of the run: the worst of the gates.
    pub verdict: Verdict,
}

/// What one gate came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    /// The gate.
    pub gate: String,
    /// Its verdict.
    pub verdict: Verdict,
}

/// The evidence cannot be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// It cannot be read.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
}

/// Evaluates an evidence folder.
pub fn evaluate(dir: &Path) -> Result<Evaluation, EvaluationError> {
    let evidence = Evidence::open(dir)?;
    let mut cells = Vec::new();
    for corpus in &evidence.plan.corpora {
        if evidence.plan.profile == "parity" {
            cells.extend(parity(&evidence, corpus));
        } else {
            cells.extend(enhancement(&evidence, corpus));
        }
    }
    Ok(Evaluation::of(cells, &evidence.plan.gates))
}

impl Evaluation {
    /// Judges cells: each planned gate must have at least one judged cell.
    pub fn of(mut cells: Vec<Cell>, gates: &[String]) -> Self {
        cells.sort_by(|a, b| {
            (&a.gate, &a.corpus, &a.case, a.budget, &a.metric)
                .cmp(&(&b.gate, &b.corpus, &b.case, b.budget, &b.metric))
        });
        let gates: Vec<GateResult> = gates
            .iter()
            .map(|gate| GateResult {
                gate: gate.clone(),
                verdict: verdict(cells.iter().filter(|cell| cell.gate == *gate)),
            })
            .collect();
        let verdict = Verdict::worst(gates.iter().map(|gate| gate.verdict));
        Self { cells, gates, verdict }
    }
}

/// Both sides of one case at one budget.
pub(super) type Sides = (u64, Layers, Layers);

fn parity(evidence: &Evidence, corpus: &PlannedCorpus) -> Vec<Cell> {
    let comparator = evidence.comparator(corpus);
    let raw = RawRuns::due(evidence, corpus, comparator.as_ref().ok());
    let mut cells = Vec::new();
    for case in &corpus.cases {
        let mut sides = Vec::new();
        for &budget in &evidence.plan.budgets {
            match both(evidence, corpus, case, budget, comparator.as_ref()) {
                Ok((ours, theirs)) => sides.push((budget, ours, theirs)),
                Err(Missing(why)) => {
                    let place =
                        Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
                    cells.extend(
                        evidence
                            .plan
                            .gates
                            .iter()
                            .map(|gate| place.not_run(gate, "evidence", &why)),
                    );
                }
            }
        }
        let mut judged = case_cells(evidence, corpus, case, &sides);
        if let Some(raw) = &raw {
            raw.judge(evidence, corpus, case, &sides, &mut judged);
        }
        cells.extend(judged);
    }
    cells
}

fn both(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    case: &Case,
    budget: u64,
    comparator: Result<&Comparator, &Missing>,
) -> Result<(Layers, Layers), Missing> {
    let theirs = comparator.map_err(Clone::clone)?.layers(&case.id, budget)?;
    let ours = evidence.engine(&corpus.name, &case.id, budget)?;
    let ours = ours.layers().map_err(|error| Missing(error.to_string()))?;
    Ok((ours, theirs))
}

fn case_cells(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    case: &Case,
    sides: &[Sides],
) -> Vec<Cell> {
    let thresholds = &evidence.thresholds;
    let by_budget: Vec<_> =
        sides.iter().map(|(budget, ours, theirs)| (*budget, ours, theirs)).collect();
    let mut cells = a1(&corpus.name, &case.id, &by_budget, &thresholds.a1);
    for (budget, ours, theirs) in by_budget {
        let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
        cells.extend(exact(&place, ours, theirs, &thresholds.exact));
        cells.extend(a3_parity(&place, ours, theirs, &thresholds.a3));
        let first = evidence.plan.budgets.first() == Some(&budget);
        // Tags and edges are recorded once per chat state; a side that left them out has not
        // been compared.
        if first && !(has_graph(ours) && has_graph(theirs)) {
            cells.push(place.not_run("exact", "graph", "tags or edges were not recorded"));
        }
        if corpus.repeats > 0 && first && corpus.cases.first() == Some(case) {
            let repeats: Vec<String> = (0..corpus.repeats)
                .filter_map(|number| evidence.repeat(&corpus.name, number).ok())
                .collect();
            let run = SliceRun { layers: ours, repeats: &repeats, theirs };
            cells.extend(vertical_slice(&place, &run, &thresholds.vertical_slice));
        }
    }
    cells
}

/// True if files, tags and, where there was a ranking, edges were recorded.
fn has_graph(layers: &Layers) -> bool {
    let edges = layers.ranking.as_ref().is_none_or(|ranking| ranking.edges.is_some());
    layers.tracked.is_some() && layers.tags.is_some() && edges
}

fn enhancement(evidence: &Evidence, corpus: &PlannedCorpus) -> Vec<Cell> {
    let mut cells = Vec::new();
    for case in &corpus.cases {
        for &budget in &evidence.plan.budgets {
            let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
            cells.push(match evidence.engine(&corpus.name, &case.id, budget) {
                Ok(map) => a3_enhancement(
                    &place,
                    map.safety_token_count,
                    !map.text.is_empty(),
                    &evidence.thresholds.a3,
                ),
                Err(Missing(why)) => place.not_run("A3", "safety_count_over_budget", &why),
            });
        }
    }
    cells
}

/// The title of a gate, for people.
pub fn gate_title(gate: &str) -> &'static str {
    match gate {
        "3A.0" => "vertical slice",
        "A1" => "ranking concordance",
        "A3" => "budget safety and accounting",
        "exact" => "equality with the canonical comparator",
        _ => "unknown gate",
    }
}
