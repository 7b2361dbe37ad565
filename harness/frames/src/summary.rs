//! Statistics over the cells of one gate and metric.

use std::collections::BTreeMap;

use polars::prelude::{ChunkAgg, DataFrame};

use crate::{FrameError, Measurements};

/// The cells of one gate and metric, in numbers. Statistics cover the values that were measured;
/// `cells` counts all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Gate id.
    pub gate: String,
    /// What was measured.
    pub metric: String,
    /// Number of cells, measured or not.
    pub cells: usize,
    /// Number of cells that carry a value.
    pub measured: usize,
    /// Smallest value.
    pub min: Option<f64>,
    /// Arithmetic mean of the values.
    pub mean: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Smallest distance to the threshold, negative when some cell missed it.
    pub worst_margin: Option<f64>,
    /// The value of the first cell with that distance.
    pub worst_value: Option<f64>,
    /// The threshold of that cell.
    pub worst_threshold: Option<f64>,
    /// Lowest average agreement of the comparator with itself.
    pub noise_floor: Option<f64>,
    /// Lowest agreement of any two of its runs.
    pub noise_floor_min: Option<f64>,
    /// Number of samples behind all values together.
    pub samples: u64,
    /// Number of cells per verdict.
    pub verdicts: BTreeMap<String, usize>,
}

impl Measurements {
    /// One summary per (gate, metric), in the order of first appearance.
    pub fn summary(&self) -> Result<Vec<Summary>, FrameError> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let groups = self
            .frame
            .partition_by_stable(["gate", "metric"], true)
            .map_err(FrameError::during("grouping by gate and metric"))?;
        groups.iter().map(summarise).collect()
    }
}

/// Reduces one group, which has at least one row.
fn summarise(group: &DataFrame) -> Result<Summary, FrameError> {
    let failed = || FrameError::during("summarising a group");
    let numbers = |name: &str| group.column(name).and_then(|column| column.f64()).map_err(failed());
    let texts = |name: &str| group.column(name).and_then(|column| column.str()).map_err(failed());
    let first = |name: &str| texts(name).map(|column| column.get(0).unwrap_or("").to_owned());

    let values = numbers("value")?;
    let margins = numbers("margin")?;
    let worst_margin = margins.min();
    let worst = worst_margin.and_then(|worst| margins.iter().position(|m| m == Some(worst)));
    let thresholds = numbers("threshold")?;
    let mut verdicts = BTreeMap::new();
    for verdict in texts("verdict")?.iter().flatten() {
        *verdicts.entry(verdict.to_owned()).or_default() += 1;
    }
    Ok(Summary {
        gate: first("gate")?,
        metric: first("metric")?,
        cells: group.height(),
        measured: values.len() - values.null_count(),
        min: values.min(),
        mean: values.mean(),
        max: values.max(),
        worst_margin,
        worst_value: worst.and_then(|index| values.get(index)),
        worst_threshold: worst.and_then(|index| thresholds.get(index)),
        noise_floor: numbers("noise_floor")?.min(),
        noise_floor_min: numbers("noise_floor_min")?.min(),
        samples: group.column("n").and_then(|n| n.u64()).map_err(failed())?.sum().unwrap_or(0),
        verdicts,
    })
}
