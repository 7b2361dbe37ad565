//! The noise floor: where the comparator's random runs are due, and what they say.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    Evidence, EvidenceError, PlannedCorpus,
    evaluate::Sides,
    evidence::{Comparator, Missing, read_toml},
};
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

/// What a lock says of costs; the rest of it does not matter here.
#[derive(Debug, Deserialize)]
struct Costs {
    #[serde(default)]
    corpus: Vec<Cost>,
}

#[derive(Debug, Deserialize)]
struct Cost {
    name: String,
    comparator_cpu_seconds: Option<f64>,
}

impl NoiseProtocol {
    /// Reads the protocol of a checkout or of evidence. Where a lock beside it
    /// (`corpora/*.lock.toml`) says what a corpus costs, that counts.
    pub fn open(root: &Path) -> Result<Self, EvidenceError> {
        let mut protocol: Self = read_toml(&root.join(NOISE))?;
        let Ok(folder) = fs::read_dir(root.join("corpora")) else { return Ok(protocol) };
        let mut locks: Vec<_> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
        locks.retain(|path| path.to_string_lossy().ends_with(".lock.toml"));
        locks.sort();
        for path in locks {
            let costs: Costs = read_toml(&path)?;
            protocol.cpu_seconds.extend(
                costs
                    .corpus
                    .into_iter()
                    .filter_map(|row| Some((row.name, row.comparator_cpu_seconds?))),
            );
        }
        Ok(protocol)
    }

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
    /// has none, and where there is no canonical answer that anything could stand beside. One
    /// answer is held in memory at a time.
    pub fn due(
        evidence: &Evidence,
        corpus: &PlannedCorpus,
        canonical: Option<&Comparator>,
    ) -> Option<Self> {
        let plan = &evidence.plan;
        let ranked = plan.gates.iter().any(|gate| gate == "A1");
        let due = corpus.raw_seeds > 0 || evidence.noise.is_due(&plan.set, &corpus.name);
        if !(ranked && due) {
            return None;
        }
        let canonical = canonical?;
        let mut sketches: BTreeMap<String, Vec<Sketch>> = BTreeMap::new();
        let mut missing = Vec::new();
        for seed in 0..evidence.noise.seeds {
            match evidence.raw(corpus, seed, canonical) {
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
        // The random runs are made at the budgets of the plan and no others.
        let budgets = &evidence.plan.budgets;
        let asked = || sides.iter().filter(|(budget, ..)| budgets.contains(budget));
        // Where a side is missing, that has been told, and there is nothing to hold against.
        if asked().count() < budgets.len() {
            return;
        }
        let ours = Sketch::of(asked().map(|(budget, ours, _)| (*budget, ours)));
        let canonical = Sketch::of(asked().map(|(budget, _, theirs)| (*budget, theirs)));
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
    fn what_a_lock_says_of_a_cost_counts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let text = "seeds = 8\nsets = [\"full\"]\nmax_cpu_seconds = 15.0\n[cpu_seconds]\na = 14.0\nb = 14.0\n";
        write(super::NOISE, text);
        assert!(NoiseProtocol::open(folder.path()).unwrap().is_cheap("a"), "no lock is needed");
        let row = |name, cost| format!("[[corpus]]\nname = \"{name}\"\nsize = 1\n{cost}\n");
        let rows = [
            row("a", "comparator_cpu_seconds = 16"),
            row("b", ""),
            row("c", "comparator_cpu_seconds = 15"),
        ];
        write("corpora/some.lock.toml", &rows.concat());
        let protocol = NoiseProtocol::open(folder.path()).unwrap();
        let cheap = ["a", "b", "c", "d"].map(|name| protocol.is_cheap(name));
        assert_eq!(cheap, [false, true, true, false]);
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
