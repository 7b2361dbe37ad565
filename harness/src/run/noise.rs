//! The noise floor: where the comparator's random runs are due, and what they say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Evidence, PlannedCorpus, evaluate::Sides, evidence::Missing};
use crate::{
    corpus::Case,
    gate::{Cell, RawCase, Sketch, raw},
};

/// Path of the protocol of the noise floor.
pub const NOISE: &str = "protocols/v1/noise.toml";

/// Where random runs are due: `protocols/v1/noise.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseProtocol {
    /// How many random runs of each corpus, with the seeds from 0.
    pub seeds: u64,
    /// Sets whose cheap corpora must have them.
    pub sets: Vec<String>,
    /// Greatest cost of a cheap corpus, in CPU seconds of one canonical run over all cases and
    /// budgets with nothing cached.
    pub max_cpu_seconds: f64,
    /// The measured cost of each corpus, by name. One that is not listed is not cheap.
    pub cpu_seconds: BTreeMap<String, f64>,
}

impl NoiseProtocol {
    /// Whether a corpus was measured, and costs no more than the bound.
    pub fn is_cheap(&self, corpus: &str) -> bool {
        self.cpu_seconds.get(corpus).is_some_and(|seconds| *seconds <= self.max_cpu_seconds)
    }

    /// Whether a run over a set must have random runs of a corpus.
    pub fn is_due(&self, set: &str, corpus: &str) -> bool {
        self.sets.iter().any(|known| known == set) && self.is_cheap(corpus)
    }
}

/// The usable random runs of one corpus, reduced to what is compared.
#[derive(Debug)]
pub struct RawRuns {
    due: usize,
    /// Sketches by case, in order of their seeds.
    sketches: BTreeMap<String, Vec<Sketch>>,
    /// Why runs are missing.
    missing: String,
}

impl RawRuns {
    /// Reads the random runs of a corpus; `None` where the protocol demands none and the plan
    /// has none. One answer is held in memory at a time.
    pub fn due(evidence: &Evidence, corpus: &PlannedCorpus) -> Option<Self> {
        let plan = &evidence.plan;
        let ranked = plan.gates.iter().any(|gate| gate == "A1");
        let due = corpus.raw_seeds > 0 || evidence.noise.is_due(&plan.set, &corpus.name);
        if !(ranked && due) {
            return None;
        }
        let mut sketches: BTreeMap<String, Vec<Sketch>> = BTreeMap::new();
        let mut missing = Vec::new();
        for seed in 0..evidence.noise.seeds {
            match evidence.raw(corpus, seed) {
                Ok(answers) => {
                    for case in &corpus.cases {
                        let layers = plan
                            .budgets
                            .iter()
                            .map(|&budget| Ok((budget, answers.layers(&case.id, budget)?)))
                            .collect::<Result<Vec<_>, Missing>>();
                        match layers {
                            Ok(layers) => sketches.entry(case.id.clone()).or_default().push(
                                Sketch::of(layers.iter().map(|(budget, layers)| (*budget, layers))),
                            ),
                            Err(Missing(why)) => missing.push(why),
                        }
                    }
                }
                Err(Missing(why)) => missing.push(why),
            }
        }
        let due = usize::try_from(evidence.noise.seeds).unwrap_or(usize::MAX);
        Some(Self { due, sketches, missing: missing.join("; ") })
    }

    /// Adds the raw cells of a case to its judged cells, and their noise floor to these.
    pub fn judge(
        &self,
        evidence: &Evidence,
        corpus: &PlannedCorpus,
        case: &Case,
        sides: &[Sides],
        judged: &mut Vec<Cell>,
    ) {
        // Where a side is missing, that has been told, and there is nothing to hold against.
        if sides.len() < evidence.plan.budgets.len() {
            return;
        }
        let ours = Sketch::of(sides.iter().map(|(budget, ours, _)| (*budget, ours)));
        let canonical = Sketch::of(sides.iter().map(|(budget, _, theirs)| (*budget, theirs)));
        let seeds: Vec<&Sketch> = self.sketches.get(&case.id).into_iter().flatten().collect();
        let raw_case = RawCase {
            corpus: &corpus.name,
            case: &case.id,
            ours: &ours,
            canonical: &canonical,
            seeds: &seeds,
            due: self.due,
            missing: &self.missing,
        };
        let cells = raw(&raw_case, judged, &evidence.thresholds.a1);
        judged.extend(cells);
    }
}

#[cfg(test)]
mod tests {
    use super::NoiseProtocol;

    fn protocol() -> NoiseProtocol {
        toml::from_str(include_str!("../../../protocols/v1/noise.toml")).unwrap()
    }

    #[test]
    fn the_protocol_asks_for_eight_seeds_within_fifteen_seconds() {
        let protocol = protocol();
        assert_eq!((protocol.seeds, protocol.max_cpu_seconds), (8, 15.0));
        assert!(protocol.cpu_seconds.values().all(|seconds| *seconds > 0.0));
    }

    #[test]
    fn random_runs_are_due_on_cheap_measured_corpora_of_the_named_sets() {
        let protocol = NoiseProtocol {
            seeds: 8,
            sets: vec!["full".to_owned()],
            max_cpu_seconds: 15.0,
            cpu_seconds: [("at", 15.0), ("over", 15.1)].map(|(n, s)| (n.to_owned(), s)).into(),
        };
        assert!(protocol.is_due("full", "at"));
        assert!(!protocol.is_due("full", "over") && !protocol.is_due("full", "unmeasured"));
        assert!(!protocol.is_due("smoke", "at"));
    }
}
