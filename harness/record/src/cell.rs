//! One measured cell of a gate, and the verdict it carries.

use serde::{Deserialize, Serialize};

use crate::GateName;

/// The result of a cell, a gate or a run. Only [`Verdict::Pass`] counts as success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The measured value meets the threshold.
    Pass,
    /// The measured value misses the threshold.
    Fail,
    /// There was too little to measure (no samples, an undefined statistic).
    Insufficient,
    /// The comparator does not agree with itself closely enough to judge.
    Unstable,
    /// Nothing was measured.
    NotRun,
}

impl Verdict {
    /// Combines the verdicts of several cells: the worst one wins, and no cell at all is
    /// [`Verdict::NotRun`], never a pass.
    pub fn worst(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let severity = |verdict: &Self| match verdict {
            Self::Pass => 0,
            Self::Unstable => 1,
            Self::Insufficient => 2,
            Self::NotRun => 3,
            Self::Fail => 4,
        };
        verdicts.into_iter().max_by_key(severity).unwrap_or(Self::NotRun)
    }

    /// The verdict as it is printed and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Insufficient => "insufficient",
            Self::Unstable => "unstable",
            Self::NotRun => "not_run",
        }
    }
}

/// One measurement of one gate on one corpus, case and budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The gate.
    pub gate: GateName,
    /// Corpus name as in its lock.
    pub corpus: String,
    /// Case name: `none`, `chat`, `message`, or the empty string for a whole corpus.
    pub case: String,
    /// The `--map-tokens` of the case in tokens; absent where a budget does not apply.
    pub budget: Option<u64>,
    /// What was measured, such as `jaccard_top30`.
    pub metric: String,
    /// The measured value; absent when it could not be measured.
    pub value: Option<f64>,
    /// The bound that the value is compared with; absent for values that are only reported.
    pub threshold: Option<f64>,
    /// Distance to the threshold in the passing direction, negative when missed.
    pub margin: Option<f64>,
    /// Number of samples behind the value.
    pub n: u64,
    /// The comparator's own agreement with itself for this metric, if it was recorded.
    pub noise_floor: Option<Spread>,
    /// How far both sides are from the comparator's seeded runs; only in cells about these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<FromSeeds>,
    /// The verdict on the value.
    pub verdict: Verdict,
    /// Why, in words, where the numbers alone do not say it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// What a reader must know although it does not change the verdict.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub warning: String,
}

/// Mean and least of several agreements, each in the unit of its metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// The least of them.
    pub min: f64,
}

/// Agreement of both sides with each of the comparator's seeded runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromSeeds {
    /// Agreement of our map.
    pub ours: Spread,
    /// Agreement of the canonical recording.
    pub canonical: Spread,
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn nothing_measured_is_not_a_pass() {
        assert_eq!(Verdict::worst([]), Verdict::NotRun);
    }

    #[test]
    fn one_failure_outweighs_everything() {
        let all = [Verdict::Pass, Verdict::Fail, Verdict::Unstable, Verdict::NotRun];
        assert_eq!(Verdict::worst(all), Verdict::Fail);
        assert_eq!(Verdict::worst([Verdict::Pass, Verdict::Unstable]), Verdict::Unstable);
    }
}
