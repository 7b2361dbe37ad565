//! Raw: both sides compared with the comparator as shipped, and the comparator with itself.
//!
//! Verdicts on parity are taken against the canonical recording. Each measure also has its noise floor,
//! which is how well the comparator's own seeded runs agree, and a raw cell, which fails only if our map is
//! farther from these runs than the canonical recording is.

use std::collections::{BTreeMap, BTreeSet};

use record::{Cell, FromSeeds, Spread};
use statrs::statistics::Statistics;

use super::{A1Thresholds, GATE, postfit_files, top_files};
use crate::{
    gate::{Bound, Place},
    metrics::{jaccard::jaccard, top_k},
    sides::Layers,
};

/// Means that differ by less than this are equal: the order of a sum may change its last bits.
const TIE: f64 = 1e-12;

/// What A1 compares of one side of a case, without the rest of its layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    /// Files in order of their rank, chat files left out.
    top: Vec<String>,
    /// Files that the map shows, by budget in tokens.
    shown: BTreeMap<u64, BTreeSet<String>>,
}

impl Sketch {
    /// The sketch of a case from its layers at every budget. The ranking does not depend on the
    /// budget, so that of the first one is kept.
    pub fn of<'a>(by_budget: impl IntoIterator<Item = (u64, &'a Layers)>) -> Self {
        let mut sketch = Self { top: Vec::new(), shown: BTreeMap::new() };
        for (budget, layers) in by_budget {
            if sketch.shown.is_empty() {
                sketch.top = top_files(layers).into_iter().map(str::to_owned).collect();
            }
            let shown = postfit_files(layers).into_iter().map(str::to_owned).collect();
            sketch.shown.insert(budget, shown);
        }
        sketch
    }
}

/// One case on both sides and in several seeded runs of the comparator.
#[derive(Debug, Clone, Copy)]
pub struct RawCase<'a> {
    /// Corpus.
    pub corpus: &'a str,
    /// Case.
    pub case: &'a str,
    /// Our side.
    pub ours: &'a Sketch,
    /// The canonical recording.
    pub canonical: &'a Sketch,
    /// The usable seeded runs.
    pub seeds: &'a [&'a Sketch],
    /// How many seeded runs are due; fewer are insufficient.
    pub due: usize,
    /// Why runs are missing; empty if none is.
    pub missing: &'a str,
}

/// One of A1's measures, at the budget that it belongs to.
#[derive(Debug, Clone, Copy)]
enum Measure {
    Jaccard,
    Spearman,
    Shown(u64),
}

impl Measure {
    /// The metric of the cell that judges it against canonical.
    const fn metric(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard_top",
            Self::Spearman => "spearman_top",
            Self::Shown(_) => "postfit_file_jaccard",
        }
    }

    const fn budget(self) -> Option<u64> {
        match self {
            Self::Shown(budget) => Some(budget),
            Self::Jaccard | Self::Spearman => None,
        }
    }

    /// What A1 demands of it.
    const fn threshold(self, thresholds: &A1Thresholds) -> Option<f64> {
        match self {
            Self::Jaccard => Some(thresholds.min_jaccard),
            Self::Spearman => Some(thresholds.min_spearman),
            Self::Shown(_) => None,
        }
    }

    /// Agreement of one side with a reference; `None` where nothing could be compared.
    fn agreement(self, side: &Sketch, of: &Sketch, thresholds: &A1Thresholds) -> Option<f64> {
        let tops = || top_k::compare(&side.top, &of.top, of.top.len().min(thresholds.top));
        match self {
            Self::Jaccard => tops().jaccard,
            Self::Spearman => {
                Some(tops()).filter(|top| top.shared >= thresholds.min_shared)?.spearman
            }
            Self::Shown(budget) => jaccard(side.shown.get(&budget)?, of.shown.get(&budget)?),
        }
    }
}

/// Mean and least of some values; `None` if there are none.
fn spread(values: &[f64]) -> Option<Spread> {
    (!values.is_empty()).then(|| Spread { mean: values.mean(), min: values.min() })
}

/// The raw cells of one case. The case's own A1 cells get their noise floor and, where the
/// comparator does not meet the threshold by itself, a warning.
pub fn raw(case: &RawCase, a1: &mut [Cell], thresholds: &A1Thresholds) -> Vec<Cell> {
    let budgets = case.canonical.shown.keys().map(|budget| Measure::Shown(*budget));
    let measures = [Measure::Jaccard, Measure::Spearman].into_iter().chain(budgets);
    measures
        .map(|measure| {
            let (cell, warning) = raw_cell(case, measure, thresholds);
            let judged = a1.iter_mut().find(|judged| {
                judged.metric == measure.metric()
                    && judged.budget == measure.budget()
                    && (&*judged.corpus, &*judged.case) == (case.corpus, case.case)
            });
            if let Some(judged) = judged {
                judged.noise_floor = cell.noise_floor;
                judged.warning = warning;
            }
            cell
        })
        .collect()
}

/// The raw cell of one measure, and the warning that the case's A1 cell deserves.
fn raw_cell(case: &RawCase, measure: Measure, thresholds: &A1Thresholds) -> (Cell, String) {
    let place = Place { corpus: case.corpus, case: case.case, budget: measure.budget() };
    let metric = format!("raw_{}", measure.metric());
    let of_seeds = |side: &Sketch| -> Vec<Option<f64>> {
        case.seeds.iter().map(|seed| measure.agreement(side, seed, thresholds)).collect()
    };
    let (ours, canonical) = (of_seeds(case.ours), of_seeds(case.canonical));
    let itself = spread(&with_itself(case.seeds, measure, thresholds));
    let n = case.seeds.len();
    let insufficient = |note: String| {
        let mut cell = place.judged(GATE, &metric, None, (Bound::AtLeast, 1.0), n);
        // The canonical recording's own agreement is the threshold, even when ours is undefined.
        cell.threshold = canonical_threshold(&canonical).or(cell.threshold);
        cell.note = note;
        cell
    };
    let mut cell = if n < case.due {
        insufficient(format!("{n} usable seeded runs, {} are due: {}", case.due, case.missing))
    } else if ours.iter().zip(&canonical).any(|(ours, theirs)| ours.is_some() != theirs.is_some()) {
        insufficient("undefined against a seeded run for one side only".to_owned())
    } else if canonical.iter().all(Option::is_none) {
        let mut cell = place.reported(GATE, &metric, None, n);
        "not applicable: canonical has nothing in common to compare".clone_into(&mut cell.note);
        cell
    } else {
        // A seeded run that has nothing in common with either side says nothing about them.
        let defined = |side: &[Option<f64>]| side.iter().flatten().copied().collect::<Vec<f64>>();
        match (spread(&defined(&ours)), spread(&defined(&canonical))) {
            (Some(of_ours), Some(of_canonical)) => {
                // A tie passes, also where the two sums were rounded apart.
                let tie = (of_ours.mean - of_canonical.mean).abs() <= TIE;
                let bound = if tie { of_ours.mean } else { of_canonical.mean };
                let n = defined(&ours).len();
                let bound = (Bound::AtLeast, bound);
                let mut cell = place.judged(GATE, &metric, Some(of_ours.mean), bound, n);
                cell.seeds = Some(FromSeeds { ours: of_ours, canonical: of_canonical });
                cell
            }
            _ => insufficient("nothing was compared".to_owned()),
        }
    };
    cell.noise_floor = itself;
    let warning = match (itself, measure.threshold(thresholds)) {
        (Some(itself), Some(threshold)) if itself.mean < threshold => format!(
            "unstable comparator: two of its own runs agree to {:.4} on average (least {:.4}), \
             below the threshold {threshold:.4}",
            itself.mean, itself.min
        ),
        _ => String::new(),
    };
    (cell, warning)
}

/// Agreement of every pair of seeded runs, where it is defined.
fn with_itself(seeds: &[&Sketch], measure: Measure, thresholds: &A1Thresholds) -> Vec<f64> {
    let pairs = seeds.iter().enumerate().flat_map(|(position, one)| {
        seeds.iter().skip(position + 1).map(move |other| (*one, *other))
    });
    pairs.filter_map(|(one, other)| measure.agreement(other, one, thresholds)).collect()
}

/// The canonical recording's mean agreement with the usable seeded runs.
fn canonical_threshold(canonical: &[Option<f64>]) -> Option<f64> {
    let defined: Vec<f64> = canonical.iter().flatten().copied().collect();
    spread(&defined).map(|spread| spread.mean)
}

#[cfg(test)]
mod tests {
    use record::Verdict;

    use super::*;

    const LIMITS: A1Thresholds =
        A1Thresholds { top: 30, min_jaccard: 0.85, min_spearman: 0.80, min_shared: 3 };

    /// A side that ranks the files of `top`, and shows those of `shown` at a budget of 1024.
    fn sketch(top: &[&str], shown: &[&str]) -> Sketch {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let shown: Vec<String> = owned(shown);
        Sketch { top: owned(top), shown: [(1024, shown.into_iter().collect())].into() }
    }

    /// Verdict, samples and whether it was judged, of the cells jaccard, spearman and shown.
    fn judge(ours: &Sketch, canonical: &Sketch, seeds: &[&Sketch]) -> Vec<(Verdict, u64, bool)> {
        let (corpus, case, due, missing) = ("c", "none", seeds.len(), "");
        let case = RawCase { corpus, case, ours, canonical, seeds, due, missing };
        let cells = raw(&case, &mut [], &LIMITS);
        cells.iter().map(|cell| (cell.verdict, cell.n, cell.threshold.is_some())).collect()
    }

    #[test]
    fn what_no_side_can_be_compared_on_is_reported_and_not_judged() {
        let small = sketch(&["a", "b"], &[]);
        let cells = judge(&small, &small, &[&small, &small]);
        // Two files have no order to correlate, and empty maps nothing in common.
        let reported = (Verdict::Pass, 2, false);
        assert_eq!(cells, [(Verdict::Pass, 2, true), reported, reported]);
    }

    #[test]
    fn a_run_that_is_empty_for_both_sides_tells_nothing_about_either() {
        let (empty, full) = (sketch(&["a"], &[]), sketch(&["a"], &["a"]));
        let cells = judge(&empty, &empty, &[&empty, &full]);
        assert_eq!(cells[2], (Verdict::Pass, 1, true), "agreement 0 with the other, both");
        let cells = judge(&full, &empty, &[&empty, &full]);
        assert_eq!(cells[2].0, Verdict::Insufficient, "only one side can be compared");
        assert_eq!(judge(&full, &empty, &[&empty, &empty])[2].0, Verdict::Insufficient);
    }

    #[test]
    fn the_direction_of_a_difference_decides() {
        let (near, far) =
            (sketch(&["a", "b", "c", "d"], &["a"]), sketch(&["d", "c", "b", "a"], &["b"]));
        let verdicts = |ours, canonical| {
            judge(ours, canonical, &[&near, &near]).iter().map(|cell| cell.0).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&far, &near), [Verdict::Pass, Verdict::Fail, Verdict::Fail]);
        assert_eq!(verdicts(&near, &far), [Verdict::Pass; 3], "nearer than canonical is no fault");
    }
}
