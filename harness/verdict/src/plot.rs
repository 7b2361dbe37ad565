//! How a gate's cells are drawn in the report.

use serde::{Deserialize, Serialize};

/// Which cells a plot shows, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotSpec {
    /// The form.
    pub kind: PlotKind,
    /// The caption.
    pub title: String,
    /// The metric shown; absent for all metrics of the gate.
    pub metric: Option<String>,
    /// A shaded range of values, such as the comparator's own tolerance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<(f64, f64)>,
}

/// The forms a plot can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlotKind {
    /// One dot per measured cell, one row per corpus, against the threshold.
    Strip,
    /// One bar per corpus: the share of its cells that pass.
    Bar,
}

impl PlotSpec {
    /// A bar for the share of all cells of the gate that pass.
    pub fn bar(title: &str) -> Self {
        Self { kind: PlotKind::Bar, title: title.to_owned(), metric: None, band: None }
    }

    /// A strip of one metric.
    pub fn strip(title: &str, metric: &str) -> Self {
        let (title, metric) = (title.to_owned(), Some(metric.to_owned()));
        Self { kind: PlotKind::Strip, title, metric, band: None }
    }
}
