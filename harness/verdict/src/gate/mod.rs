//! The gates. Each turns evidence into cells; none knows how the evidence was obtained.

mod a1;
mod a2;
mod a3;
mod a4;
mod a5;
mod a6;
mod b1;
mod b2;
mod b4;
mod coverage;
mod digests;
mod edges;
pub mod entities;
mod exact;
pub mod explored;
mod families;
mod file_score;
mod formats;
pub mod languages;
mod layers;
pub(crate) mod leakage;
mod list;
mod markers;
mod noise;
pub(crate) mod random_runs;
mod scoring;
mod tokenizer;
mod trials;
mod vertical_slice;

use record::{Cell, GateId, Verdict};
use serde::{Deserialize, Serialize};

pub use a1::a1;
pub use a2::a2;
pub use a3::{Counters, TokenizerClaim, a3_enhancement, a3_parity, a3_tokenizer};
pub use a4::{CallSide, SequenceRun, SequenceSide, Step, a4};
pub use a5::{Repetition, a5};
pub use a6::{Artifact, Held, a6, a6_clean, a6_finding};
pub use b1::{B1Evidence, b1};
pub use b2::{B2Evidence, b2};
pub use b4::{B4Evidence, FormatTally, b4};
pub use coverage::Coverage;
pub use digests::LayerDigests;
pub use edges::{Edge, Edges, digest as edges_digest};
pub use exact::{exact, no_map};
pub use explored::Explored;
pub use families::{Families, Family, families};
pub use file_score::{FileScore, Tally, score_file};
pub use formats::{FormatRules, Formats};
pub use layers::{AttemptLayers, Layers, PrefitEntry, Probe, RankingLayers};
pub use noise::{RawCase, Sketch, raw};
pub use random_runs::NoiseProtocol;
pub use scoring::{GoldRules, Scoring};
pub use tokenizer::{TokenizerFamily, TokenizerSupport};
pub use trials::{repetitions, trials};
pub use vertical_slice::{SliceRun, vertical_slice};

/// Thresholds of all gates: `protocols/v1/gates.toml`. The numbers are the reference's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Version of the protocol these belong to.
    pub protocol_version: u32,
    /// Budgets in tokens that every case is scored at.
    pub budgets: Vec<u64>,
    /// Ranking concordance.
    pub a1: A1Thresholds,
    /// Stages and rendering.
    pub a2: A2Thresholds,
    /// Budget accounting.
    pub a3: A3Thresholds,
    /// Refresh semantics.
    pub a4: A4Thresholds,
    /// Determinism.
    pub a5: A5Thresholds,
    /// Profile leakage.
    pub a6: A6Limits,
    /// Equality with the canonical comparator.
    pub exact: ExactThresholds,
    /// The vertical slice.
    pub vertical_slice: SliceThresholds,
}

/// Thresholds of A1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A1Thresholds {
    /// How many top files are compared.
    pub top: usize,
    /// Least Jaccard index of the top files.
    pub min_jaccard: f64,
    /// Least Spearman correlation of the shared top files.
    pub min_spearman: f64,
    /// Fewest shared files that Spearman is computed on.
    pub min_shared: usize,
}

/// Thresholds of A2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A2Thresholds {
    /// A further budget in tokens, so wide that most maps show every stage; run on the first case
    /// of each corpus.
    pub wide_budget: u64,
    /// Least share of entries, names and lines that are as they should be.
    pub min_share: f64,
    /// Fewest maps of a run that must show each stage, and be cut in each and between any two.
    pub min_maps: u64,
}

/// Thresholds of A3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A3Thresholds {
    /// Least share of probes that equal the comparator's.
    pub min_equal_probes: f64,
    /// Relative error of the target within which the comparator accepts any probe.
    pub accepted_error: f64,
    /// Least safety count as a multiple of the parity count.
    pub min_safety_over_parity: f64,
    /// Greatest safety count as a share of the budget, in the enhancement profile.
    pub max_safety_share: f64,
}

/// Thresholds of A4.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A4Thresholds {
    /// Least share of calls that equal the comparator's.
    pub min_equal_calls: f64,
    /// The modes that must have been judged.
    pub modes: Vec<String>,
}

/// Thresholds of A5.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A5Thresholds {
    /// Fewest runs in `files` mode, in `manual` mode and in one process.
    pub min_runs: u64,
    /// Least share of runs with the same map.
    pub min_identical_share: f64,
    /// Numbers of threads that must not matter.
    pub threads: Vec<usize>,
    /// Locales that must not matter.
    pub locales: Vec<String>,
}

/// What a recording of a parity run may contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A6Limits {
    /// Least share of findings that must hold.
    pub min_share: f64,
    /// Flags of `parity map` that have a value and a counterpart in the comparator, or that only
    /// say what is printed.
    pub valued_flags: Vec<String>,
    /// The same without a value.
    pub switches: Vec<String>,
    /// Where the files may come from.
    pub file_sources: Vec<String>,
    /// Where the multiplier may come from.
    pub multiplier_sources: Vec<String>,
    /// Languages that give tags in the enhancement profile only.
    pub enhancement_languages: Vec<String>,
    /// Ends of the names of their files, where no parity language shares them.
    pub enhancement_extensions: Vec<String>,
}

/// Thresholds of the exactness check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactThresholds {
    /// Least share of a layer's items that equal the comparator's.
    pub min_equal_share: f64,
    /// Greatest relative difference of a rank.
    pub max_rank_error: f64,
}

/// Thresholds of the vertical slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceThresholds {
    /// Fewest repeated runs.
    pub min_runs: u64,
}

/// Where a cell belongs: the columns that all cells of one case share.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Corpus.
    pub corpus: &'a str,
    /// Case.
    pub case: &'a str,
    /// Budget in tokens.
    pub budget: Option<u64>,
}

/// Which way a value passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

impl Place<'_> {
    /// A cell that is judged by a threshold. No sample, or no value, is insufficient.
    fn judged(
        &self,
        gate: GateId,
        metric: &str,
        value: Option<f64>,
        bound: (Bound, f64),
        n: usize,
    ) -> Cell {
        let (direction, threshold) = bound;
        let value = value.filter(|value| value.is_finite());
        let margin = value.map(|value| match direction {
            Bound::AtLeast => value - threshold,
            Bound::AtMost => threshold - value,
        });
        let verdict = match margin {
            Some(_) | None if n == 0 => Verdict::Insufficient,
            Some(margin) if margin >= 0.0 => Verdict::Pass,
            Some(_) => Verdict::Fail,
            None => Verdict::Insufficient,
        };
        Cell {
            gate,
            corpus: self.corpus.to_owned(),
            case: self.case.to_owned(),
            budget: self.budget,
            metric: metric.to_owned(),
            value,
            threshold: Some(threshold),
            margin,
            n: n as u64,
            noise_floor: None,
            seeds: None,
            verdict,
            note: String::new(),
            warning: String::new(),
        }
    }

    /// A cell of a count that must not fall below a floor; one without a floor is only reported.
    pub fn at_least(&self, gate: GateId, metric: &str, count: u64, floor: Option<u64>) -> Cell {
        let (value, n) = (Some(count as f64), usize::try_from(count).unwrap_or(usize::MAX));
        match floor {
            Some(floor) => {
                self.judged(gate, metric, value, (Bound::AtLeast, floor as f64), n.max(1))
            }
            None => self.reported(gate, metric, value, n),
        }
    }

    /// A cell that is only reported: it has no threshold and decides nothing.
    fn reported(&self, gate: GateId, metric: &str, value: Option<f64>, n: usize) -> Cell {
        let mut cell = self.judged(gate, metric, value, (Bound::AtLeast, 0.0), n);
        cell.threshold = None;
        cell.margin = None;
        // It decides nothing, so neither can its absence.
        cell.verdict = Verdict::Pass;
        cell
    }

    /// A cell of something that was not measured at all.
    pub fn not_run(&self, gate: GateId, metric: &str, why: &str) -> Cell {
        let mut cell = self.judged(gate, metric, None, (Bound::AtLeast, 1.0), 0);
        cell.verdict = Verdict::NotRun;
        why.clone_into(&mut cell.note);
        cell
    }
}

/// The verdict of a set of cells: the worst of those that are judged.
pub fn verdict<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Verdict {
    Verdict::worst(
        cells.into_iter().filter(|cell| cell.threshold.is_some()).map(|cell| cell.verdict),
    )
}
