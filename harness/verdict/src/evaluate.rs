//! From evidence to verdicts. This is what `parity run` prints and `parity verify` recomputes.

use std::{collections::BTreeMap, path::Path};

use rayon::prelude::*;
use record::{Cell, PlannedCorpus, Verdict};
use serde::Serialize;

use crate::{
    CaseView, CorpusView, Evidence, EvidenceError, Explorations, Missing, PLAN, RunView,
    counts::Counts,
    gate::{GateId, Judge, Need, compares_maps, gate, needs, verdict},
    protocol::Protocol,
};

/// The cells of a run and the verdicts that follow from them.
#[derive(Debug)]
pub struct Evaluation {
    /// All cells, in order of gate, corpus, case, budget and metric.
    pub cells: Vec<Cell>,
    /// The verdict of each gate of the plan.
    pub gates: Vec<GateResult>,
    /// The verdict of the run: the worst of the gates.
    pub verdict: Verdict,
    /// The results of the explorations, language by language and file by file; absent if the plan has none.
    pub explorations: Option<Explorations>,
}

/// The result of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateResult {
    /// The gate.
    pub gate: GateId,
    /// Its verdict.
    pub verdict: Verdict,
}

/// The gates of a plan, each with the thresholds that judge.
type Judges = Vec<(GateId, Box<dyn Judge>)>;

/// What a gate has found so far, with the numbers that it counts over the run.
type Found = BTreeMap<GateId, (Vec<Cell>, Counts)>;

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
        .map(|name| {
            let id = GateId::try_from(*name)
                .map_err(|unknown| EvidenceError::wrong(dir.join(PLAN), unknown.to_string()))?;
            Ok((id, gate(id).judge(&protocol)?))
        })
        .collect::<Result<_, EvidenceError>>()?;
    let gates: Vec<GateId> = judges.iter().map(|(id, _)| *id).collect();
    // Corpora do not depend on one another; their results are collected in the order of the plan.
    let explores = needs(&gates, plan.profile).into_iter().any(Need::is_exploration);
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
    Ok(Evaluation { explorations, ..Evaluation::of(cells, &gates) })
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
        Self { cells, gates, verdict, explorations: None }
    }
}

/// What the gates find in one corpus. One case's maps are held in memory at a time.
fn read(evidence: &Evidence, corpus: &PlannedCorpus, judges: &Judges) -> Found {
    let plan = &evidence.plan;
    let view = CorpusView::new(evidence, corpus);
    let mut found = Found::new();
    let comparing: Vec<GateId> =
        judges.iter().map(|(id, _)| *id).filter(|id| compares_maps(*id, plan.profile)).collect();
    if !comparing.is_empty() {
        for (position, case) in corpus.cases.iter().enumerate() {
            let mut sides = Vec::new();
            for budget in plan.budgets_of(position) {
                match view.sides(case, budget) {
                    Ok((ours, theirs)) => sides.push((budget, ours, theirs)),
                    Err(Missing(why)) => {
                        let place = view.place(&case.id, Some(budget));
                        for id in &comparing {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use record::{GateName, Plan, Profile, Set, protocol::GATES};

    use super::evaluate;
    use crate::{INDEX, PLAN};

    #[test]
    fn a_plan_with_a_gate_of_another_version_is_refused_with_the_list_of_the_gates() {
        let folder = tempfile::tempdir().unwrap();
        let gates = vec![GateName::named("A99")];
        let plan = Plan { gates, ..Plan::new(Set::Smoke, Profile::Parity) };
        let thresholds = folder.path().join(GATES);
        fs::create_dir_all(thresholds.parent().unwrap()).unwrap();
        fs::write(thresholds, "budgets = [1024]\n").unwrap();
        fs::write(folder.path().join(INDEX), "{}").unwrap();
        fs::write(folder.path().join(PLAN), serde_json::to_vec(&plan).unwrap()).unwrap();
        let error = evaluate(folder.path()).unwrap_err().to_string();
        assert!(error.contains("plan.json"), "{error}");
        assert!(error.contains("there is no gate A99; there are 3A.0, A1, "), "{error}");
    }
}
