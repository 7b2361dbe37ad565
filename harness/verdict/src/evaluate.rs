//! From evidence to verdicts. This is what `parity run` prints and `parity verify` recomputes.

use std::{collections::BTreeMap, path::Path};

use rayon::prelude::*;
use record::{Cell, GateName, PlannedCorpus, Verdict};
use serde::{Deserialize, Serialize};

use crate::{
    CaseView, CorpusView, Evidence, EvidenceError, Explorations, Missing, PLAN, RunView,
    counts::Counts,
    gate::{Judge, Need, all, compares_maps, gate, needs, verdict},
    protocol::Protocol,
};

/// The cells of a run and what they come to.
#[derive(Debug)]
pub struct Evaluation {
    /// All cells, in order of gate, corpus, case, budget and metric.
    pub cells: Vec<Cell>,
    /// The verdict of each gate of the plan.
    pub gates: Vec<GateResult>,
    /// The verdict of the run: the worst of the gates.
    pub verdict: Verdict,
    /// What the explorations come to, language by language and file by file; absent if the plan
    /// has none.
    pub explorations: Option<Explorations>,
}

/// What one gate came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    /// The gate.
    pub gate: GateName,
    /// Its verdict.
    pub verdict: Verdict,
}

/// The gates of a plan, each with the thresholds that judge.
type Judges = Vec<(GateName, Box<dyn Judge>)>;

/// What a gate has found so far, with the numbers that it counts over the run.
type Found = BTreeMap<GateName, (Vec<Cell>, Counts)>;

/// Evaluates an evidence folder by the gates of its plan.
///
/// # Errors
/// The evidence or its protocol cannot be read.
pub fn evaluate(dir: &Path) -> Result<Evaluation, EvidenceError> {
    let evidence = Evidence::open(dir)?;
    let protocol = Protocol::open(dir)?;
    let plan = &evidence.plan;
    let judges: Judges = plan
        .gates
        .iter()
        .map(|id| {
            let unknown = || {
                let known = all().iter().map(GateName::as_str).collect::<Vec<_>>().join(", ");
                let why = format!("there is no gate {id}; there are {known}");
                EvidenceError::wrong(dir.join(PLAN), why)
            };
            Ok((*id, gate(*id).ok_or_else(unknown)?.judge(&protocol)?))
        })
        .collect::<Result<_, EvidenceError>>()?;
    // Nothing of one corpus depends on another, and they come together in the order of the plan.
    let explores = needs(&plan.gates, plan.profile).into_iter().any(Need::is_exploration);
    let (parts, explorations): (Vec<Found>, _) = rayon::join(
        || plan.corpora.par_iter().map(|corpus| read(&evidence, corpus, &judges)).collect(),
        || explores.then(|| Explorations::read(&evidence, &protocol)).transpose(),
    );
    let explorations = explorations?;
    let mut found = Found::new();
    for part in parts {
        for (id, (cells, counts)) in part {
            let of_gate = found.entry(id).or_default();
            of_gate.0.extend(cells);
            of_gate.1.merge(&counts);
        }
    }
    let mut cells = Vec::new();
    for (id, judge) in &judges {
        let (own, counts) = found.remove(id).unwrap_or_default();
        cells.extend(own);
        let explorations = explorations.as_ref();
        let run = RunView { evidence: &evidence, explorations, counts: &counts, cells: &cells };
        let of_run = judge.run(&run);
        cells.extend(of_run);
    }
    let (explored, counts) = (explorations.as_ref(), Counts::default());
    let run =
        RunView { evidence: &evidence, explorations: explored, counts: &counts, cells: &cells };
    let last: Vec<Cell> = judges.iter().flat_map(|(_, judge)| judge.end(&run)).collect();
    cells.extend(last);
    Ok(Evaluation { explorations, ..Evaluation::of(cells, &plan.gates) })
}

impl Evaluation {
    /// Judges cells: each planned gate must have at least one judged cell.
    pub fn of(mut cells: Vec<Cell>, gates: &[GateName]) -> Self {
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
        Self { cells, gates, verdict, explorations: None }
    }
}

/// What the gates find in one corpus. One case's maps are held in memory at a time.
fn read(evidence: &Evidence, corpus: &PlannedCorpus, judges: &Judges) -> Found {
    let plan = &evidence.plan;
    let view = CorpusView::new(evidence, corpus);
    let mut found = Found::new();
    let comparing = |id: &GateName| compares_maps(*id, plan.profile);
    if judges.iter().any(|(id, _)| comparing(id)) {
        for (position, case) in corpus.cases.iter().enumerate() {
            let mut sides = Vec::new();
            for budget in plan.budgets_of(position) {
                match view.sides(case, budget) {
                    Ok((ours, theirs)) => sides.push((budget, ours, theirs)),
                    Err(Missing(why)) => {
                        let place = view.place(&case.id, Some(budget));
                        for id in plan.gates.iter().filter(|id| comparing(id)) {
                            let cell = place.not_run(*id, "evidence", &why);
                            found.entry(*id).or_default().0.push(cell);
                        }
                    }
                }
            }
            let case = CaseView { corpus: &view, case, sides: &sides };
            for (id, judge) in judges {
                let (cells, counts) = found.entry(*id).or_default();
                cells.extend(judge.case(&case, counts));
            }
        }
    }
    for (id, judge) in judges {
        found.entry(*id).or_default().0.extend(judge.corpus(&view));
    }
    found
}
