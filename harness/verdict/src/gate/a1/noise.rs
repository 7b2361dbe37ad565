//! The noise floor: where the comparator's seeded runs are due, and what they show.

use std::{collections::BTreeMap, fs};

use record::{Cell, Set, protocol::NOISE};
use serde::{Deserialize, Serialize};

use super::{A1Thresholds, RawCase, Sketch, raw};
use crate::{
    CaseView, CorpusView, Missing,
    protocol::{Protocol, ProtocolError, read_toml},
};

/// Where seeded runs are due: `noise.toml` of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseProtocol {
    /// How many seeded runs of each corpus, with the seeds from 0.
    pub seeds: u64,
    /// Sets whose cheap required corpora must have them.
    pub sets: Vec<Set>,
    /// Greatest cost of a cheap corpus, in CPU seconds of one canonical run over all cases and
    /// budgets with nothing cached.
    pub max_cpu_seconds: f64,
    /// The cost of each corpus according to the locks, by name. One that was not measured is not cheap.
    #[serde(skip)]
    costs: BTreeMap<String, Cost>,
}

/// The part of a lock that states costs.
#[derive(Debug, Deserialize)]
struct Costs {
    #[serde(default)]
    corpus: Vec<Cost>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Cost {
    name: String,
    required: bool,
    comparator_cpu_seconds: Option<f64>,
}

impl NoiseProtocol {
    /// Reads the protocol of a checkout or of evidence, and the cost of each corpus from the locks beside it
    /// (`corpora/*.lock.toml`).
    ///
    /// # Errors
    /// A file is missing or malformed.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        let mut noise: Self = protocol.toml(NOISE)?;
        let Ok(folder) = fs::read_dir(protocol.root().join("corpora")) else { return Ok(noise) };
        let mut locks: Vec<_> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
        locks.retain(|path| path.to_string_lossy().ends_with(".lock.toml"));
        locks.sort();
        for path in locks {
            let costs: Costs = read_toml(&path)?;
            noise.costs.extend(costs.corpus.into_iter().map(|row| (row.name.clone(), row)));
        }
        Ok(noise)
    }

    /// Whether a corpus was measured, and costs no more than the bound.
    pub fn is_cheap(&self, corpus: &str) -> bool {
        let measured = self.costs.get(corpus).and_then(|cost| cost.comparator_cpu_seconds);
        measured.is_some_and(|seconds| seconds <= self.max_cpu_seconds)
    }

    /// Whether a run over a set must have seeded runs of a corpus. Optional corpora have them only where they
    /// are asked for.
    pub fn is_due(&self, set: Set, corpus: &str) -> bool {
        self.sets.contains(&set)
            && self.costs.get(corpus).is_some_and(|cost| cost.required)
            && self.is_cheap(corpus)
    }
}

/// The usable seeded runs of one corpus, reduced to what is compared.
#[derive(Debug)]
pub struct SeededRuns {
    due: usize,
    /// Sketches by case, in order of their seeds.
    sketches: BTreeMap<String, Vec<Sketch>>,
    /// Why runs are missing.
    missing: String,
}

impl SeededRuns {
    /// Reads the seeded runs of a corpus. `None` if the protocol demands none and the plan has none, or if
    /// there is no canonical answer to compare with. One answer is held in memory at a time.
    pub fn due(view: &CorpusView, noise: &NoiseProtocol) -> Option<Self> {
        let (plan, corpus) = (view.plan(), view.corpus);
        if corpus.raw_seeds == 0 && !noise.is_due(plan.set, &corpus.name) {
            return None;
        }
        let canonical = view.comparator().ok()?;
        let mut sketches: BTreeMap<String, Vec<Sketch>> = BTreeMap::new();
        let mut missing = Vec::new();
        for seed in 0..noise.seeds {
            match view.evidence.raw(corpus, seed, canonical) {
                Ok(answers) => {
                    for case in &corpus.cases {
                        let layers = plan
                            .budgets
                            .iter()
                            .map(|&budget| Ok((budget, answers.layers(&case.id, budget, false)?)))
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
        let due = usize::try_from(noise.seeds).unwrap_or(usize::MAX);
        Some(Self { due, sketches, missing: missing.join("; ") })
    }

    /// Adds the raw cells of a case to its judged cells, and the noise floor to the judged ones.
    pub fn judge(&self, view: &CaseView, thresholds: &A1Thresholds, judged: &mut Vec<Cell>) {
        // Seeded runs are made at the budgets of the plan only. A missing side has been reported already, and
        // there is nothing to compare.
        if view.narrow().count() < view.corpus.plan().budgets.len() {
            return;
        }
        let ours = Sketch::of(view.narrow().map(|(budget, ours, _)| (budget, ours)));
        let canonical = Sketch::of(view.narrow().map(|(budget, _, theirs)| (budget, theirs)));
        let (corpus, case) = (view.corpus.corpus, view.case);
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
        let cells = raw(&raw_case, judged, thresholds);
        judged.extend(cells);
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::{
        Set,
        protocol::{GATES, NOISE},
    };

    use super::{NoiseProtocol, Protocol};

    /// The protocol in force, with locks of these rows: name, whether required, and cost.
    fn protocol(rows: &[(&str, bool, &str)]) -> NoiseProtocol {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for file in [NOISE, GATES] {
            write(file, &fs::read_to_string(root.join(file)).unwrap());
        }
        let row = |(name, required, cost): &(&str, bool, &str)| {
            format!("[[corpus]]\nname = \"{name}\"\nsize = 1\nrequired = {required}\n{cost}\n")
        };
        write("corpora/some.lock.toml", &rows.iter().map(row).collect::<String>());
        NoiseProtocol::open(&Protocol::open(folder.path()).unwrap()).unwrap()
    }

    #[test]
    fn the_protocol_asks_for_eight_seeds_within_fifteen_seconds() {
        let protocol = protocol(&[]);
        assert_eq!((protocol.seeds, protocol.max_cpu_seconds), (8, 15.0));
    }

    #[test]
    fn random_runs_are_due_on_cheap_measured_required_corpora_of_the_named_sets() {
        let protocol = protocol(&[
            ("at", true, "comparator_cpu_seconds = 15"),
            ("over", true, "comparator_cpu_seconds = 16"),
            ("unmeasured", true, ""),
            ("optional", false, "comparator_cpu_seconds = 3"),
        ]);
        let names = ["at", "over", "unmeasured", "optional", "unknown"];
        assert_eq!(names.map(|name| protocol.is_cheap(name)), [true, false, false, true, false]);
        assert_eq!(
            names.map(|name| protocol.is_due(Set::Full, name)),
            [true, false, false, false, false]
        );
        assert!(!protocol.is_due(Set::Smoke, "at"));
    }
}
