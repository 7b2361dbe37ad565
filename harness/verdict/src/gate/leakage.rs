//! The evidence of A6: every recording of ours, with what the comparator said of the same case or
//! sequence.

use std::collections::BTreeMap;

use record::{Cell, GateId, PlannedCorpus, repeat_key, sequence_key, trial_key};
use serde_json::{Value, json};

use super::{Held, Place, a6, a6_clean, a6_finding};
use crate::{Comparator, Evidence, Missing};

const GATE: GateId = GateId::A6;

/// The cells of one corpus.
pub fn cells(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    comparator: Result<&Comparator, &Missing>,
) -> Vec<Cell> {
    let limits = &evidence.thresholds.a6;
    let mut cells = Vec::new();
    for (position, case) in corpus.cases.iter().enumerate() {
        for budget in evidence.plan.budgets_of(position) {
            let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
            let both = comparator.map_err(Clone::clone).and_then(|comparator| {
                let ours = evidence.artifact(corpus, &case.id, budget)?;
                Ok((ours, comparator.held(&case.id, budget)?))
            });
            match both {
                Ok((ours, theirs)) => cells.extend(a6(&place, &ours, &theirs, limits)),
                Err(Missing(why)) => cells.push(place.not_run(GATE, "profile_object", &why)),
            }
        }
    }
    cells.extend(again(evidence, corpus, comparator));
    cells.extend(sequences(evidence, corpus));
    cells
}

/// The cells of repeats and trials, which are of the first case at the first budget.
fn again(
    evidence: &Evidence,
    corpus: &PlannedCorpus,
    comparator: Result<&Comparator, &Missing>,
) -> Vec<Cell> {
    let first = corpus.cases.first().zip(evidence.plan.budgets.first());
    let (Some((case, &budget)), Ok(comparator)) = (first, comparator) else { return Vec::new() };
    let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(budget) };
    let held = comparator.held(&case.id, budget);
    let limits = &evidence.thresholds.a6;
    let repeats = (0..corpus.repeats).map(|number| repeat_key(&corpus.name, number)).collect();
    let trials = corpus.trials.iter().map(|trial| trial_key(&corpus.name, trial)).collect();
    let kinds: [(_, Vec<String>); 2] = [("repeats_clean", repeats), ("trials_clean", trials)];
    let kinds = kinds.into_iter().filter(|(_, keys)| !keys.is_empty());
    kinds
        .map(|(metric, keys)| {
            let findings: Vec<_> =
                keys.iter().flat_map(|key| findings(evidence, key, &held)).collect();
            a6_clean(&place, metric, &findings, limits)
        })
        .collect()
}

/// The cells of the call sequences, one each.
fn sequences(evidence: &Evidence, corpus: &PlannedCorpus) -> Vec<Cell> {
    if corpus.sequences.is_empty() {
        return Vec::new();
    }
    let comparator = evidence.sequences(&corpus.name);
    let held = |id: &str| comparator.as_ref().map_err(Clone::clone)?.held_in_sequence(id);
    let cell = |id: &str| {
        let place = Place { corpus: &corpus.name, case: id, budget: None };
        let findings = findings(evidence, &sequence_key(&corpus.name, id), &held(id));
        a6_clean(&place, "sequence_clean", &findings, &evidence.thresholds.a6)
    };
    corpus.sequences.iter().map(|sequence| cell(&sequence.id)).collect()
}

/// What is wrong with each map of a recording. One that cannot be judged is not clean.
fn findings(evidence: &Evidence, key: &str, held: &Result<Held, Missing>) -> Vec<Option<String>> {
    let both =
        evidence.artifacts(key).and_then(|ours| Ok((ours, held.as_ref().map_err(Clone::clone)?)));
    match both {
        Ok((ours, theirs)) => {
            let limits = &evidence.thresholds.a6;
            ours.iter().map(|ours| a6_finding(ours, theirs, limits)).collect()
        }
        Err(Missing(why)) => vec![Some(why)],
    }
}

impl Comparator {
    /// What the recording says of the comparator and of how it understood a case.
    pub fn held(&self, case: &str, budget: u64) -> Result<Held, Missing> {
        let case = self
            .response()
            .case(&format!("{case}/{budget}"))
            .map_err(|error| Missing(error.to_string()))?;
        Ok(self.held_with(case.argv.as_ref(), case.repo_map.as_ref()))
    }

    /// The same of a sequence of calls.
    fn held_in_sequence(&self, id: &str) -> Result<Held, Missing> {
        let sequence = self.response().sequence(id).map_err(|error| Missing(error.to_string()))?;
        Ok(self.held_with(sequence.argv.as_ref(), sequence.repo_map.as_ref()))
    }

    fn held_with(
        &self,
        argv: Option<&Vec<String>>,
        settings: Option<&BTreeMap<String, Value>>,
    ) -> Held {
        let response = self.response();
        let measured = &response.receipt.tuple;
        let tuple = [
            ("aider_release", json!(measured.aider_release)),
            ("aider_commit_sha", json!(measured.aider_commit_sha)),
            ("grep_ast_provenance", json!(measured.grep_ast_provenance)),
            ("tokenizer_id", json!(measured.tokenizer_id)),
            ("tokenizer_version", json!(measured.tokenizer_version)),
            ("sources_sha256", json!(measured.sources_sha256)),
        ];
        Held {
            tuple: tuple
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<BTreeMap<_, _>>(),
            argv: argv.cloned(),
            multiplier: settings
                .and_then(|settings| settings.get("map_mul_no_files"))
                .and_then(Value::as_f64),
        }
    }
}
