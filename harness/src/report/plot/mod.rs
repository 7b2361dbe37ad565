//! Plots as inline SVG: cells in, one drawing per [`PlotSpec`] out.

mod axis;
pub mod bar;
mod canvas;
pub mod strip;
pub mod theme;

use std::collections::{BTreeMap, BTreeSet};

use record::{Cell, Verdict};
use verdict::gate::{PlotKind, PlotSpec};

use super::{GateSummary, ReportError};

/// One drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// The caption.
    pub title: String,
    /// The drawing, a whole `<svg>` element with its own size.
    pub svg: String,
}

/// Draws the plots of a gate: those it asks for, else one strip per metric that has values. A gate
/// without any value gets bars, which also show what was not measured.
pub fn of_gate(gate: &GateSummary) -> Result<Vec<Plot>, ReportError> {
    if gate.cells.is_empty() {
        return Ok(Vec::new());
    }
    let specs = if gate.plots.is_empty() { default_specs(gate) } else { gate.plots.clone() };
    specs.into_iter().map(|spec| draw(gate, spec)).collect()
}

fn default_specs(gate: &GateSummary) -> Vec<PlotSpec> {
    let measured = gate.cells.iter().filter(|cell| cell.value.is_some());
    let metrics: BTreeSet<&str> = measured.map(|cell| cell.metric.as_str()).collect();
    let strip = |metric: &str| PlotSpec {
        kind: PlotKind::Strip,
        title: metric.to_owned(),
        metric: Some(metric.to_owned()),
        band: None,
    };
    if metrics.is_empty() {
        let title = "Share of cells that pass, per corpus".to_owned();
        return vec![PlotSpec { kind: PlotKind::Bar, title, metric: None, band: None }];
    }
    metrics.into_iter().map(strip).collect()
}

fn draw(gate: &GateSummary, spec: PlotSpec) -> Result<Plot, ReportError> {
    let mut corpora: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for cell in &gate.cells {
        if spec.metric.as_ref().is_none_or(|metric| *metric == cell.metric) {
            corpora.entry(&cell.corpus).or_default().push(cell);
        }
    }
    let drawn = match spec.kind {
        PlotKind::Strip => strip::draw(&strip_of(&corpora, spec.band)),
        PlotKind::Bar => bar::draw(&bars_of(&corpora)),
    };
    match drawn {
        Ok(svg) => Ok(Plot { title: spec.title, svg }),
        Err(cause) => Err(ReportError::Plot { plot: spec.title, cause }),
    }
}

fn strip_of(corpora: &BTreeMap<&str, Vec<&Cell>>, band: Option<(f64, f64)>) -> strip::Strip {
    let mut thresholds: Vec<f64> =
        corpora.values().flatten().filter_map(|cell| cell.threshold).collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    let rows = corpora.iter().map(|(corpus, cells)| {
        let finite = |cell: &&Cell| cell.value.filter(|v| v.is_finite()).map(|v| (v, cell.verdict));
        let points: Vec<(f64, Verdict)> = cells.iter().filter_map(finite).collect();
        let unmeasured = cells.len() - points.len();
        strip::Row { label: (*corpus).to_owned(), points, unmeasured }
    });
    strip::Strip { rows: rows.collect(), thresholds, band }
}

fn bars_of(corpora: &BTreeMap<&str, Vec<&Cell>>) -> Vec<bar::Bar> {
    let bar = |(corpus, cells): (&&str, &Vec<&Cell>)| bar::Bar {
        label: (*corpus).to_owned(),
        passed: cells.iter().filter(|cell| cell.verdict == Verdict::Pass).count(),
        total: cells.len(),
        verdict: Verdict::worst(cells.iter().map(|cell| cell.verdict)),
    };
    corpora.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::of_gate;
    use crate::report::example;

    #[test]
    fn every_gate_with_cells_has_a_plot() {
        for report in [example::passing(), example::failing(), example::hostile()] {
            for gate in &report.gates {
                assert!(!of_gate(gate).expect("drawn").is_empty());
            }
        }
    }

    #[test]
    fn a_drawing_is_one_element_and_repeats_byte_for_byte() {
        for gate in &example::hostile().gates {
            let plots = of_gate(gate).expect("drawn");
            for plot in &plots {
                assert!(plot.svg.starts_with("<svg ") && plot.svg.trim_end().ends_with("</svg>"));
                assert_eq!(plot.svg.matches("<svg").count(), 1);
                assert!(!plot.svg.contains("<script") && !plot.svg.contains('\x1b'));
            }
            assert_eq!(plots, of_gate(gate).expect("drawn"));
        }
    }

    #[test]
    fn values_that_no_axis_can_hold_are_counted_and_not_drawn() {
        let mut report = example::passing();
        for cell in &mut report.gates[0].cells {
            cell.value = Some(f64::NAN);
        }
        assert!(of_gate(&report.gates[0]).is_ok());
        for cell in &mut report.gates[0].cells {
            cell.value = Some(-f64::MAX);
            cell.threshold = Some(f64::MAX);
        }
        assert!(of_gate(&report.gates[0]).is_ok());
    }
}
