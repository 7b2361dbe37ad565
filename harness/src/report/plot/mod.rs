//! Plots as inline SVG: cells in, one drawing per [`PlotSpec`] out.

mod axis;
pub mod bar;
mod canvas;
mod ranks;
mod seconds;
pub mod strip;
pub mod theme;

use std::collections::{BTreeMap, BTreeSet};

use maud::html;
use record::{Cell, Verdict};
use verdict::gate::{PlotKind, PlotSpec};

use super::{GateSummary, ReportError, escape::visible, figure, ranks::RankedCase};

/// One drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// The caption.
    pub title: String,
    /// The drawing, a whole `<svg>` element with its own size, title and description.
    pub svg: String,
}

/// The plots of a gate, and sentences in place of plots that would show less than a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plots {
    /// The drawings.
    pub drawn: Vec<Plot>,
    /// The sentences.
    pub told: Vec<String>,
}

/// Draws the plots of a gate: those it asks for, else one strip plot per metric that has values. A gate
/// without any value gets bars, which also show what was not measured. A plot in which every cell
/// passes with the same value is replaced by a sentence.
pub fn of_gate(gate: &GateSummary) -> Result<Plots, ReportError> {
    let mut plots = Plots::default();
    if gate.cells.is_empty() {
        return Ok(plots);
    }
    let specs = if gate.plots.is_empty() { default_specs(gate) } else { gate.plots.clone() };
    for spec in specs {
        match alike(gate, &spec) {
            Some(sentence) => plots.told.push(sentence),
            None => plots.drawn.push(draw(gate, spec)?),
        }
    }
    Ok(plots)
}

/// The sentence for a plot whose cells all pass with the same value; `None` for any other plot.
fn alike(gate: &GateSummary, spec: &PlotSpec) -> Option<String> {
    let of_metric = |cell: &&Cell| spec.metric.as_ref().is_none_or(|metric| *metric == cell.metric);
    let cells: Vec<&Cell> = gate.cells.iter().filter(of_metric).collect();
    if cells.is_empty() || cells.iter().any(|cell| cell.verdict != Verdict::Pass) {
        return None;
    }
    if spec.kind == PlotKind::Bar {
        let judged = cells.iter().filter(|cell| cell.threshold.is_some()).count() as u64;
        let count = figure::count(judged);
        return Some(match judged {
            0 => "Every cell is only reported.".to_owned(),
            _ => format!("{}: all {count} judged cells.", spec.title),
        });
    }
    let count = figure::count(cells.len() as u64);
    let first = cells.first().and_then(|cell| cell.value)?;
    let same = cells.iter().all(|cell| cell.value == Some(first));
    same.then(|| format!("{}: {} in all {count} cells.", spec.title, figure::number(first)))
}

/// Draws how far the judged cells are from their thresholds: one row per metric, one dot per corpus at
/// its cell with the smallest margin. Only metrics that are shares have a common scale, and they are
/// drawn only if their margins differ; the others are described in sentences. `None` without judged
/// cells.
pub fn of_margins(gates: &[GateSummary]) -> Result<Option<Plots>, ReportError> {
    let (mut rows, mut at_bound, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for gate in gates {
        let mut metrics: BTreeMap<&str, BTreeMap<&str, (f64, Verdict)>> = BTreeMap::new();
        for cell in &gate.cells {
            let Some(margin) = cell.margin.filter(|margin| margin.is_finite()) else { continue };
            let worst = metrics.entry(&cell.metric).or_default().entry(&cell.corpus);
            let worst = worst.or_insert((margin, cell.verdict));
            if margin < worst.0 {
                *worst = (margin, cell.verdict);
            }
        }
        for (metric, corpora) in metrics {
            let label = format!("{} {metric}", gate.gate);
            let margins = || corpora.values().map(|(margin, _)| *margin);
            if margins().all(|margin| margin == 0.0) {
                at_bound.push(label);
            } else if margins().all(|margin| margin.abs() <= 1.0) {
                let points = corpora.into_values().collect();
                rows.push(strip::Row { label, points, unmeasured: 0 });
            } else {
                other.push(label);
            }
        }
    }
    let mut told = Vec::new();
    if !at_bound.is_empty() {
        told.push(format!(
            "Equal to their bound on every corpus, as what must be exact is: {}.",
            at_bound.join(", ")
        ));
    }
    if !other.is_empty() {
        told.push(format!("Not shares, and so not on this scale: {}.", other.join(", ")));
    }
    if rows.is_empty() {
        return Ok((!told.is_empty()).then_some(Plots { drawn: Vec::new(), told }));
    }
    let title = "Smallest margin of each corpus: left of 0 fails".to_owned();
    let strip = strip::Strip { rows, thresholds: vec![0.0], band: None };
    let description = strip::describe(&strip);
    let drawn = strip::draw(&strip, "distance to the threshold, as a share");
    Ok(Some(Plots { drawn: vec![finished(title, drawn, &description)?], told }))
}

/// Draws bars that are no gate's, under their own title.
///
/// # Errors
/// The drawing library refuses.
pub fn of_bars(title: String, bars: &[bar::Bar], axis: &str) -> Result<Plot, ReportError> {
    finished(title, bar::draw(bars, axis), &bar::describe(bars))
}

/// Draws the ranks of the files of a case on both sides.
///
/// # Errors
/// The drawing library refuses.
pub fn of_ranks(case: &RankedCase) -> Result<Plot, ReportError> {
    let drawn = ranks::draw(&case.ranks, case.verdict);
    finished(
        format!("Ranks of the shared top files: {}", case.place),
        drawn,
        &ranks::describe(&case.ranks),
    )
}

/// Draws wall times by name, in seconds.
///
/// # Errors
/// The drawing library refuses.
pub fn of_seconds(title: &str, rows: &[(String, f64)]) -> Result<Plot, ReportError> {
    finished(title.to_owned(), seconds::draw(rows), &seconds::describe(rows))
}

/// A drawing with its title and description inside, for readers who cannot see it.
fn finished(
    title: String,
    drawn: Result<String, String>,
    description: &str,
) -> Result<Plot, ReportError> {
    match drawn {
        Ok(svg) => {
            let named = html! { title { (visible(&title)) } desc { (visible(description)) } };
            let svg = match svg.split_once('>') {
                Some((head, rest)) => {
                    let label = html! { (visible(&title)) }.into_string();
                    format!(
                        "{head} role=\"img\" aria-label=\"{label}\">{}{rest}",
                        named.into_string()
                    )
                }
                None => svg,
            };
            Ok(Plot { title, svg })
        }
        Err(cause) => Err(ReportError::Plot { plot: title, cause }),
    }
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
    let axis = spec.metric.clone().unwrap_or_else(|| "share of cells that pass".to_owned());
    let (drawn, description) = match spec.kind {
        PlotKind::Strip => {
            let strip = strip_of(&corpora, spec.band);
            (strip::draw(&strip, &axis), strip::describe(&strip))
        }
        PlotKind::Bar => {
            let bars = bars_of(&corpora);
            (bar::draw(&bars, &axis), bar::describe(&bars))
        }
    };
    finished(spec.title, drawn, &description)
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
    let bar = |(corpus, cells): (&&str, &Vec<&Cell>)| {
        let judged = || cells.iter().filter(|cell| cell.threshold.is_some());
        bar::Bar {
            label: (*corpus).to_owned(),
            passed: judged().filter(|cell| cell.verdict == Verdict::Pass).count(),
            total: judged().count(),
            verdict: Verdict::worst(judged().map(|cell| cell.verdict)),
        }
    };
    corpora.iter().map(bar).filter(|bar| bar.total > 0).collect()
}

#[cfg(test)]
mod tests {
    use record::Verdict;
    use verdict::gate::Rank;

    use super::{of_gate, of_margins, of_ranks, of_seconds};
    use crate::report::{RankedCase, example};

    #[test]
    fn ranks_and_times_are_drawn_and_described() {
        let rank = |file: &str, ours, theirs| Rank { file: file.to_owned(), ours, theirs };
        let case = RankedCase {
            place: "flask · none".to_owned(),
            verdict: Verdict::Fail,
            ranks: vec![rank("<a>", 1, 1), rank("b", 3, 2), rank("c", 2, 3)],
        };
        let plot = of_ranks(&case).expect("drawn");
        assert!(
            plot.svg.contains(
                "1 of 3 files have the same rank on both sides; b: 3, not 2; c: 2, not 3"
            )
        );
        // A small dot for each file, and a large one for each that moved.
        assert_eq!(plot.svg.matches("<circle").count(), 5);
        assert!(!plot.svg.contains("<a>"));
        let times = of_seconds("times", &[("maps".to_owned(), 1.25), ("raw".to_owned(), 80.0)]);
        assert!(times.expect("drawn").svg.contains("maps: 1.2 s; raw: 80.0 s"));
    }

    #[test]
    fn every_gate_with_cells_has_a_plot() {
        for report in [example::passing(), example::failing(), example::hostile()] {
            for gate in &report.gates {
                let plots = of_gate(gate).expect("drawn");
                assert!(!plots.drawn.is_empty() || !plots.told.is_empty());
            }
        }
    }

    #[test]
    fn a_drawing_is_one_element_and_repeats_byte_for_byte() {
        for gate in &example::hostile().gates {
            let plots = of_gate(gate).expect("drawn");
            for plot in &plots.drawn {
                assert!(plot.svg.starts_with("<svg ") && plot.svg.trim_end().ends_with("</svg>"));
                assert_eq!(plot.svg.matches("<svg").count(), 1);
                assert!(plot.svg.contains("<title>") && plot.svg.contains("<desc>"));
                assert!(plot.svg.contains("role=\"img\" aria-label="));
                assert!(!plot.svg.contains("<script") && !plot.svg.contains('\x1b'));
            }
            assert_eq!(plots, of_gate(gate).expect("drawn"));
        }
    }

    #[test]
    fn what_is_the_same_everywhere_is_told_and_not_drawn() {
        let mut report = example::passing();
        let gate = &mut report.gates[0];
        for cell in &mut gate.cells {
            (cell.value, cell.threshold, cell.margin) = (Some(1.0), Some(1.0), Some(0.0));
        }
        let plots = of_gate(gate).expect("drawn");
        assert!(plots.drawn.is_empty() && plots.told[0].contains("1 in all"), "{plots:?}");
        let margins = of_margins(&report.gates[..1]).expect("told").expect("judged cells");
        assert!(margins.drawn.is_empty() && margins.told[0].contains("Equal to their bound"));
        // A cell that does not pass is always drawn, whatever its value.
        report.gates[0].cells[0].verdict = record::Verdict::Insufficient;
        assert!(!of_gate(&report.gates[0]).expect("drawn").drawn.is_empty());
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
