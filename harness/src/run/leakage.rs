//! The evidence of A6: every recording of ours, with what the comparator said of the same case.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Comparator, Evidence, Missing, PlannedCorpus,
    evidence::{engine_key, repeat_key},
};
use crate::gate::{Cell, Held, Place, a6, a6_repeats, is_clean};

const GATE: &str = "A6";

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
                let key = engine_key(&corpus.name, &case.id, budget);
                Ok((evidence.artifact(&key)?, comparator.held(&case.id, budget)?))
            });
            match both {
                Ok((ours, theirs)) => cells.extend(a6(&place, &ours, &theirs, limits)),
                Err(Missing(why)) => cells.push(place.not_run(GATE, "profile_object", &why)),
            }
        }
    }
    // Repeats are of the first case at the first budget.
    let first = corpus.cases.first().zip(evidence.plan.budgets.first());
    if let (true, Some((case, budget)), Ok(comparator)) = (corpus.repeats > 0, first, comparator) {
        let place = Place { corpus: &corpus.name, case: &case.id, budget: Some(*budget) };
        let held = comparator.held(&case.id, *budget);
        let clean: Vec<bool> = (0..corpus.repeats)
            .map(|number| {
                let ours = evidence.artifact(&repeat_key(&corpus.name, number));
                matches!((&ours, &held), (Ok(ours), Ok(held)) if is_clean(ours, held, limits))
            })
            .collect();
        cells.push(a6_repeats(&place, &clean, limits));
    }
    cells
}

impl Comparator {
    /// What the recording says of the comparator and of how it understood a case.
    pub fn held(&self, case: &str, budget: u64) -> Result<Held, Missing> {
        let response = self.response();
        let case = response
            .case(&format!("{case}/{budget}"))
            .map_err(|error| Missing(error.to_string()))?;
        let measured = &response.receipt.tuple;
        let tuple = [
            ("aider_release", json!(measured.aider_release)),
            ("aider_commit_sha", json!(measured.aider_commit_sha)),
            ("grep_ast_provenance", json!(measured.grep_ast_provenance)),
            ("tokenizer_id", json!(measured.tokenizer_id)),
            ("tokenizer_version", json!(measured.tokenizer_version)),
            ("sources_sha256", json!(measured.sources_sha256)),
        ];
        let settings = case.repo_map.as_ref();
        Ok(Held {
            tuple: tuple
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<BTreeMap<_, _>>(),
            argv: case.argv.clone(),
            multiplier: settings
                .and_then(|settings| settings.get("map_mul_no_files"))
                .and_then(Value::as_f64),
        })
    }
}
