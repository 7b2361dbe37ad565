//! From evidence to verdicts. This is what `parity run` prints and `parity verify` recomputes.

use std::path::Path;

use rayon::prelude::*;
use record::{Case, Cell, GateId, PlannedCorpus, Verdict};
use serde::{Deserialize, Serialize};

use crate::gate::{
    Coverage, Layers, Place, SequenceRun, SliceRun, TokenizerClaim, a1, a2, a3_enhancement,
    a3_parity, a3_tokenizer, a4, a5, exact, languages, leakage, no_map, random_runs::RawRuns,
    repetitions, verdict, vertical_slice,
};
use crate::{Comparator, Evidence, EvidenceError, Missing};

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
    pub gate: GateId,
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
    let is_parity = evidence.plan.profile.is_parity();
    // Nothing of one corpus depends on another, and they come together in the order of the plan.
    let parts: Vec<(Vec<Cell>, Coverage)> = evidence
        .plan
        .corpora
        .par_iter()
        .map(|corpus| {
            let mut coverage = Coverage::default();
            let mut cells = if is_parity {
                parity(&evidence, corpus, &mut coverage)
            } else {
                enhancement(&evidence, corpus)
            };
            cells.extend(refresh(&evidence, corpus));
            cells.extend(determinism(&evidence, corpus));
            (cells, coverage)
        })
        .collect();
    let mut cells = Vec::new();
    let mut coverage = Coverage::default();
    for (found, shown) in parts {
        cells.extend(found);
        coverage.merge(&shown);
    }
    if is_parity {
        cells.extend(coverage.cells(&evidence.thresholds.a2));
    }
    if evidence.plan.gates.contains(&GateId::Languages) {
        cells.extend(languages::cells(dir, &evidence));
    }
    Ok(Evaluation::of(cells, &evidence.plan.gates))
}

impl Evaluation {
    /// Judges cells: each planned gate must have at least one judged cell.
    pub fn of(mut cells: Vec<Cell>, gates: &[GateId]) -> Self {
        cells.sort_by(|a, b| {
            (a.gate, &a.corpus, &a.case, a.budget, &a.metric)
                .cmp(&(b.gate, &b.corpus, &b.case, b.budget, &b.metric))
        });
        let gates: Vec<GateResult> = gates
            .iter()
            .map(|&gate| GateResult {
                gate,
                verdict: verdict(cells.iter().filter(|cell| cell.gate == gate)),
            })
            .collect();
        let verdict = Verdict::worst(gates.iter().map(|gate| gate.verdict));
        Self { cells, gates, verdict }
    }
}

/// Both sides of one case at one budget.
pub(crate) type Sides = (u64, Layers, Layers);

fn parity(evidence: &Evidence, corpus: &PlannedCorpus, coverage: &mut Coverage) -> Vec<Cell> {
    let comparator = evidence.comparator(corpus);
    let raw = RawRuns::due(evidence, corpus, comparator.as_ref().ok());
    let mut cells = leakage::cells(evidence, corpus, comparator.as_ref());
    if let Ok(comparator) = &comparator {
        cells.push(tokenizer(evidence, corpus, comparator));
    }
    for (position, case) in corpus.cases.iter().enumerate() {
        let mut sides = Vec::new();
        for budget in evidence.plan.budgets_of(position) {
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
                            .map(|&gate| place.not_run(gate, "evidence", &why)),
                    );
                }
            }
        }
        for (_, ours, _) in &sides {
            coverage.add(ours);
        }
        let mut judged = case_cells(evidence, corpus, case, &sides);
        if let Some(raw) = &raw {
            raw.judge(evidence, corpus, case, &sides, &mut judged);
        }
        cells.extend(judged);
    }
    cells
}

/// Whether the comparator counted with a tokenizer that is had here.
fn tokenizer(evidence: &Evidence, corpus: &PlannedCorpus, comparator: &Comparator) -> Cell {
    let response = comparator.response();
    let claim = TokenizerClaim {
        model: &response.model,
        id: &response.receipt.tuple.tokenizer_id,
        version: &response.receipt.tuple.tokenizer_version,
    };
    let place = Place { corpus: &corpus.name, case: "", budget: None };
    a3_tokenizer(&place, &claim, &evidence.tokenizers)
}

fn both(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    case: &Case,
    budget: u64,
    comparator: Result<&Comparator, &Missing>,
) -> Result<(Layers, Layers), Missing> {
    let theirs = comparator.map_err(Clone::clone)?.layers(&case.id, budget)?;
    let ours = evidence.engine(corpus, &case.id, budget)?;
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
    // The wide budget is for the stages and for exactness alone.
    let (narrow, wide): (Vec<_>, Vec<_>) =
        by_budget.iter().partition(|(budget, ..)| evidence.plan.budgets.contains(budget));
    let mut cells = Vec::new();
    if !case.no_map {
        cells.extend(a1(&corpus.name, &case.id, &narrow, &thresholds.a1));
    }
    for (budget, ours, theirs) in narrow.iter().chain(&wide).copied() {
        let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
        cells.extend(exact(&place, ours, theirs, &thresholds.exact));
        if case.no_map {
            cells.push(no_map(&place, ours, theirs));
        } else {
            cells.extend(a2(&place, ours, theirs, &thresholds.a2));
        }
    }
    for (budget, ours, theirs) in narrow {
        let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
        if !case.no_map {
            cells.extend(a3_parity(&place, ours, theirs, &thresholds.a3));
        }
        let first = evidence.plan.budgets.first() == Some(&budget);
        // Tags and edges are recorded once per chat state; a side that left them out has not
        // been compared.
        if first && !(has_graph(ours) && has_graph(theirs)) {
            cells.push(place.not_run(GateId::Exact, "graph", "tags or edges were not recorded"));
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
            cells.push(match evidence.engine(corpus, &case.id, budget) {
                Ok(map) => a3_enhancement(
                    &place,
                    map.safety_token_count,
                    !map.text.is_empty(),
                    &evidence.thresholds.a3,
                ),
                Err(Missing(why)) => place.not_run(GateId::A3, "safety_count_over_budget", &why),
            });
        }
    }
    cells
}

/// A4: the sequences of a corpus.
fn refresh(evidence: &Evidence, corpus: &PlannedCorpus) -> Vec<Cell> {
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
            refresh: &sequence.refresh,
            calls: sequence.calls.iter().map(|call| call.id.as_str()).collect(),
            sides: sides(&sequence.id).map_err(|Missing(why)| why),
        })
        .collect();
    a4(&corpus.name, &runs, &evidence.thresholds.a4)
}

/// A5: the trials of a corpus's first case at the first budget.
fn determinism(evidence: &Evidence, corpus: &PlannedCorpus) -> Vec<Cell> {
    let (Some(case), Some(&budget)) = (corpus.cases.first(), evidence.plan.budgets.first()) else {
        return Vec::new();
    };
    if corpus.trials.is_empty() {
        return Vec::new();
    }
    let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
    let reference = evidence
        .engine(corpus, &case.id, budget)
        .and_then(|map| map.layers().map_err(|error| Missing(error.to_string())));
    let reference = match reference {
        Ok(reference) => reference,
        Err(Missing(why)) => return vec![place.not_run(GateId::A5, "reference", &why)],
    };
    let thresholds = &evidence.thresholds.a5;
    let repetitions = repetitions(thresholds, &corpus.trials, |trial| {
        evidence.trial(&corpus.name, trial).map_err(|Missing(why)| why)
    });
    let parity = evidence.plan.profile.is_parity();
    a5(&place, parity, &reference, &repetitions, thresholds)
}

/// The title of a gate, for people.
pub fn gate_title(gate: GateId) -> &'static str {
    match gate {
        GateId::VerticalSlice => "vertical slice",
        GateId::A1 => "ranking concordance",
        GateId::A2 => "stages and rendering",
        GateId::A3 => "budget safety and accounting",
        GateId::A4 => "refresh semantics",
        GateId::A5 => "determinism",
        GateId::A6 => "profile leakage guard",
        GateId::Exact => "equality with the canonical comparator",
        GateId::Languages => "real files behind each language",
        GateId::B1 | GateId::B2 | GateId::B4 => "explorations",
    }
}
