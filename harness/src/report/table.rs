//! The verdict table as data: one line per gate and metric, for every renderer and for the record
//! that the README shows.

use frames::Summary;
use record::{GateName, Schema, Spread, Verdict};
use serde::{Deserialize, Serialize};

use super::{GateSummary, ReportError, RunReport, figure, summaries};

/// The headings of a line's columns.
pub const HEADINGS: [&str; 9] =
    ["gate", "metric", "verdict", "cells", "worst", "threshold", "margin", "noise floor", "n"];

/// The result of a run without its cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// Name of the run.
    pub title: String,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// The counts of the run in one line.
    pub headline: String,
    /// The command that verifies its bundle; empty if there is none.
    pub verify: String,
    /// Gate by gate, in the order to print.
    pub lines: Vec<Line>,
}

/// The cells of one gate and metric in one line. Numbers are in the unit of the metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The gate.
    pub gate: GateName,
    /// What was measured; absent for a gate without cells.
    pub metric: Option<String>,
    /// The worst verdict of the cells.
    pub verdict: Verdict,
    /// Number of cells with a warning.
    pub warned: usize,
    /// Number of cells.
    pub cells: usize,
    /// Number of cells that pass.
    pub passed: usize,
    /// The value closest to, or farthest beyond, its threshold; the smallest value if there is no
    /// threshold.
    pub worst: Option<f64>,
    /// The bound of that value. A metric without a bound is only reported.
    pub threshold: Option<f64>,
    /// Distance of that value to its bound, negative if missed.
    pub margin: Option<f64>,
    /// The comparator's lowest agreement with itself.
    pub noise_floor: Option<Spread>,
    /// Total number of samples of all cells.
    pub n: u64,
}

impl Table {
    /// The table of a report.
    pub fn of(report: &RunReport) -> Result<Self, ReportError> {
        let summaries = summaries(report)?;
        Ok(Self {
            schema_version: Schema,
            title: report.title.clone(),
            verdict: report.shown_verdict(),
            headline: report.headline(),
            verify: report.commands.verify.clone().unwrap_or_default(),
            lines: report.gates.iter().flat_map(|gate| of_gate(gate, &summaries)).collect(),
        })
    }
}

/// The lines of a gate: one for each metric, or a single one for a gate without cells.
fn of_gate(gate: &GateSummary, summaries: &[Summary]) -> Vec<Line> {
    let own = summaries.iter().filter(|summary| summary.gate == gate.gate.as_str());
    let lines: Vec<Line> = own.map(|summary| line(gate, summary)).collect();
    if !lines.is_empty() {
        return lines;
    }
    vec![Line {
        gate: gate.gate,
        metric: None,
        verdict: gate.verdict,
        warned: 0,
        cells: 0,
        passed: 0,
        worst: None,
        threshold: None,
        margin: None,
        noise_floor: None,
        n: 0,
    }]
}

fn line(gate: &GateSummary, summary: &Summary) -> Line {
    let of_metric = || gate.cells.iter().filter(|cell| cell.metric == summary.metric);
    let floor = summary.noise_floor.zip(summary.noise_floor_min);
    Line {
        gate: gate.gate,
        metric: Some(summary.metric.clone()),
        verdict: Verdict::worst(of_metric().map(|cell| cell.verdict)),
        warned: of_metric().filter(|cell| !cell.warning.is_empty()).count(),
        cells: summary.cells,
        passed: summary.verdicts.get(Verdict::Pass.as_str()).copied().unwrap_or(0),
        worst: summary.worst_value.or(summary.min),
        threshold: summary.worst_threshold,
        margin: summary.worst_margin,
        noise_floor: floor.map(|(mean, min)| Spread { mean, min }),
        n: summary.samples,
    }
}

impl Line {
    /// Whether the cells are compared with a bound. A metric without one decides nothing, so it does
    /// not count as passing.
    pub const fn is_judged(&self) -> bool {
        self.metric.is_none() || self.threshold.is_some()
    }

    /// The verdict in words.
    pub const fn words(&self) -> &'static str {
        if self.is_judged() { figure::words(self.verdict) } else { "reported" }
    }

    /// The text after the verdict if there are warnings.
    pub fn warnings(&self) -> String {
        if self.warned == 0 { String::new() } else { format!(", {} warned", self.warned) }
    }

    /// The columns from `cells` on, as text.
    pub fn figures(&self) -> [String; 6] {
        if self.metric.is_none() {
            let mut figures = std::array::from_fn(|_| figure::ABSENT.to_owned());
            "0/0".clone_into(&mut figures[0]);
            return figures;
        }
        let cells = match self.threshold {
            Some(_) => format!("{}/{}", self.passed, self.cells),
            None => self.cells.to_string(),
        };
        let relation = figure::relation(self.worst, self.threshold, self.margin);
        let floor = self.noise_floor;
        [
            cells,
            figure::value(self.worst, self.threshold),
            format!("{relation}{}", figure::optional(self.threshold)),
            figure::margin(self.margin),
            figure::floor(floor.map(|floor| floor.mean), floor.map(|floor| floor.min)),
            figure::count(self.n),
        ]
    }
}
