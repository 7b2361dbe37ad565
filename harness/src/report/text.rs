//! The committed snapshot: the results as text, so that a review shows the effect of a change.
//!
//! The first line is the comparator's commit. Then there is one line per gate and corpus, each followed
//! by the cells that do not pass and those with a warning. Only verdicts and values are listed. Nothing
//! differs from machine to machine except the noise floor, which is a sample of seeded runs, and the
//! last line, the profile object of the run, which includes the comparator's environment.

use std::{collections::BTreeMap, fmt::Write as _};

use record::{Cell, Verdict};

use super::{GateSummary, RunReport, escape::visible, figure};

/// The snapshot of a run, with gates in the order of the report and corpora by name.
pub fn render(report: &RunReport) -> String {
    let mut out = format!("commit: {}\n", visible(&report.comparator_commit));
    for gate in &report.gates {
        write_gate(&mut out, gate);
    }
    if let Some(profile) = report.profile_line() {
        let _ = writeln!(out, "\nrun profile: {profile}");
    }
    out
}

fn write_gate(out: &mut String, gate: &GateSummary) {
    let name = gate.gate;
    let _ = writeln!(out, "\n{name} {}: {}", visible(&gate.title), figure::words(gate.verdict));
    let mut corpora: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for cell in &gate.cells {
        corpora.entry(&cell.corpus).or_default().push(cell);
    }
    for (corpus, cells) in corpora {
        let judged = || cells.iter().filter(|cell| cell.threshold.is_some());
        let (passed, total) =
            (judged().filter(|cell| cell.verdict == Verdict::Pass).count(), judged().count());
        let corpus = visible(corpus);
        let _ = write!(out, "{name} {corpus}: ");
        if total > 0 {
            let share = 100.0 * passed as f64 / total as f64;
            let _ = write!(out, "{passed}/{total} ({share:.2}%)");
        }
        if total < cells.len() {
            let comma = if total > 0 { ", " } else { "" };
            let _ = write!(out, "{comma}{} reported", cells.len() - total);
        }
        for (metric, value) in worst_values(&cells) {
            let _ = write!(out, " {} {value}", visible(metric));
            if let Some(floor) = lowest_floor(&cells, metric) {
                let _ = write!(out, " (noise floor {floor})");
            }
        }
        out.push('\n');
        for cell in cells.iter().filter(|cell| cell.verdict != Verdict::Pass) {
            let verdict = figure::words(cell.verdict);
            let place = figure::place(cell);
            let _ = writeln!(out, "  {verdict}: {place}: {}", figure::finding(cell));
        }
        for cell in cells.iter().filter(|cell| !cell.warning.is_empty()) {
            let (place, metric) = (figure::place(cell), visible(&cell.metric));
            let _ = writeln!(out, "  warning: {place}: {metric}: {}", visible(&cell.warning));
        }
    }
}

/// The comparator's lowest agreement with itself on a metric: mean and minimum, if recorded.
fn lowest_floor(cells: &[&Cell], metric: &str) -> Option<String> {
    let floors = || cells.iter().filter(|cell| cell.metric == metric).filter_map(|c| c.noise_floor);
    let mean = floors().map(|floor| floor.mean).min_by(f64::total_cmp)?;
    let min = floors().map(|floor| floor.min).min_by(f64::total_cmp)?;
    Some(figure::floor(Some(mean), Some(min)))
}

/// The value with the smallest margin per metric; the smallest value if the metric has no threshold.
fn worst_values<'a>(cells: &[&'a Cell]) -> BTreeMap<&'a str, String> {
    let mut worst: BTreeMap<&str, (f64, &Cell)> = BTreeMap::new();
    for cell in cells {
        let Some(distance) = cell.margin.or(cell.value) else { continue };
        let known = worst.get(cell.metric.as_str());
        if known.is_none_or(|(least, _)| distance.total_cmp(least).is_lt()) {
            worst.insert(&cell.metric, (distance, cell));
        }
    }
    let shown = |cell: &Cell| figure::value(cell.value, cell.threshold);
    worst.into_iter().map(|(metric, (_, cell))| (metric, shown(cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::report::example;

    #[test]
    fn the_first_line_is_the_commit_and_each_corpus_has_one_line() {
        let text = render(&example::failing());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "commit: 7afaa26f8b8b7b56146f0674d2a67e795b616b7c");
        let flask: Vec<&&str> = lines.iter().filter(|line| line.starts_with("A1 flask:")).collect();
        assert_eq!(flask.len(), 1);
        let expected = "  fail: ripgrep · none · 1,024 tokens: jaccard_top30 0.8182 < 0.8500";
        assert!(lines.contains(&expected), "{text}");
    }

    #[test]
    fn a_hostile_name_stays_on_its_line() {
        let (plain, hostile) = (render(&example::failing()), render(&example::hostile()));
        assert_eq!(plain.lines().count(), hostile.lines().count());
        assert!(!hostile.contains('\x1b'));
    }
}
