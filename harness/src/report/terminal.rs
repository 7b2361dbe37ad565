//! The verdict table in a terminal.

use std::fmt::Write as _;

use frames::Summary;
use record::Verdict;

use crate::{Failure, console};

use super::{
    GateSummary, ReportError, RunReport, SKIPPED_CORPUS, escape::visible, figure, summaries,
};

/// Most cells that are listed one by one; the HTML report lists all.
const LISTED: usize = 20;

/// Whether the output may carry colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to use terminal colours.
    pub colour: bool,
}

/// The verdict table of a report, for standard output.
///
/// # Errors
/// The cells do not fit into a table.
pub fn table(report: &RunReport) -> Result<String, Failure> {
    render(report, Style::for_stdout()).map_err(|error| Failure::internal(error.to_string()))
}

impl Style {
    /// Plain text.
    pub const PLAIN: Self = Self { colour: false };

    /// Colour only where standard output is a terminal that understands it and `NO_COLOR` is unset
    /// or empty.
    pub fn for_stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { colour: console::is_terminal() && !set("NO_COLOR") && !dumb }
    }

    /// Text in the colour of a verdict.
    pub fn paint(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Pass => "32",
            Verdict::Fail => "1;31",
            Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => "33",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The whole verdict: cells that do not pass, the table of gates, the verdict, the next commands.
pub fn render(report: &RunReport, style: Style) -> Result<String, ReportError> {
    let mut out = String::new();
    write_findings(&mut out, report, style);
    write_warnings(&mut out, report, style);
    write_table(&mut out, report, &summaries(report)?, style);
    write_skipped(&mut out, report, style);
    let verdict = report.shown_verdict();
    let word = figure::words(verdict).to_uppercase();
    let _ = writeln!(
        out,
        "\n{}  {} · {}",
        style.paint(verdict, &word),
        visible(&report.title),
        report.headline()
    );
    let _ = writeln!(out, "verify  {}", visible(&report.commands.verify));
    Ok(out)
}

/// The cells that do not pass, each with the command that measures it again.
fn write_findings(out: &mut String, report: &RunReport, style: Style) {
    let cells: Vec<_> = report.gates.iter().flat_map(GateSummary::not_passing).collect();
    for cell in cells.iter().take(LISTED) {
        let mark = style.paint(cell.verdict, figure::words(cell.verdict));
        let (gate, place) = (cell.gate, figure::place(cell));
        let _ = writeln!(out, "{mark}  {gate}  {place}\n      {}", figure::finding(cell));
        let _ = writeln!(out, "      next: {}", visible(&report.rerun(cell)));
    }
    if let Some(more) = cells.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let _ = writeln!(out, "… and {more} more that do not pass: see the HTML report");
    }
    if !cells.is_empty() {
        out.push('\n');
    }
}

/// The cells that come with a warning. Their verdicts stand.
fn write_warnings(out: &mut String, report: &RunReport, style: Style) {
    let cells: Vec<_> = report.gates.iter().flat_map(GateSummary::warned).collect();
    let mark = style.paint(Verdict::Unstable, "warning");
    for cell in cells.iter().take(LISTED) {
        let (gate, place) = (cell.gate, figure::place(cell));
        let (metric, warning) = (visible(&cell.metric), visible(&cell.warning));
        let _ = writeln!(out, "{mark}  {gate}  {place}  {metric}\n      {warning}");
    }
    if let Some(more) = cells.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let _ = writeln!(out, "… and {more} more warnings: see the HTML report");
    }
    if !cells.is_empty() {
        out.push('\n');
    }
}

/// The corpora that should have been there, before the verdict: it is about the others alone.
fn write_skipped(out: &mut String, report: &RunReport, style: Style) {
    let skipped: Vec<_> =
        report.environment.iter().filter(|entry| entry.name == SKIPPED_CORPUS).collect();
    let mark = style.paint(Verdict::NotRun, "skipped");
    for (at, entry) in skipped.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{mark}  {}", visible(&entry.value));
    }
}

/// One line per gate and metric. The columns are as wide as their widest field.
fn write_table(out: &mut String, report: &RunReport, summaries: &[Summary], style: Style) {
    let header =
        ["gate", "metric", "verdict", "cells", "worst", "threshold", "margin", "noise floor", "n"];
    let mut lines: Vec<(Verdict, [String; 9])> = Vec::new();
    for gate in &report.gates {
        let name = gate.gate.to_string();
        let before = lines.len();
        for summary in summaries.iter().filter(|summary| summary.gate == gate.gate.as_str()) {
            lines.push(table_line(&name, gate, summary));
        }
        if lines.len() == before {
            let mut line = std::array::from_fn(|_| figure::ABSENT.to_owned());
            line[0].clone_from(&name);
            figure::words(gate.verdict).clone_into(&mut line[2]);
            "0/0".clone_into(&mut line[3]);
            lines.push((gate.verdict, line));
        }
    }
    let mut widths = header.map(|name| name.chars().count());
    for (_, line) in &lines {
        for (width, field) in widths.iter_mut().zip(line) {
            *width = (*width).max(field.chars().count());
        }
    }
    write_line(out, &widths, &header.map(str::to_owned), None, style);
    for (verdict, line) in &lines {
        write_line(out, &widths, line, Some(*verdict), style);
    }
}

/// The fields of one gate and metric.
fn table_line(name: &str, gate: &GateSummary, summary: &Summary) -> (Verdict, [String; 9]) {
    let of_metric = gate.cells.iter().filter(|cell| cell.metric == summary.metric);
    let warned = of_metric.clone().filter(|cell| !cell.warning.is_empty()).count();
    let verdict = Verdict::worst(of_metric.map(|cell| cell.verdict));
    let passed = summary.verdicts.get(Verdict::Pass.as_str()).copied().unwrap_or(0);
    let (worst, bound) = (summary.worst_value.or(summary.min), summary.worst_threshold);
    let relation = figure::relation(worst, bound, summary.worst_margin);
    let line = [
        name.to_owned(),
        visible(&summary.metric).into_owned(),
        // A metric without a bound decides nothing, so it does not pass either.
        verdict_words(if bound.is_none() { "reported" } else { figure::words(verdict) }, warned),
        if bound.is_none() {
            format!("{}", summary.cells)
        } else {
            format!("{passed}/{}", summary.cells)
        },
        figure::value(worst, bound),
        format!("{relation}{}", figure::optional(bound)),
        figure::margin(summary.worst_margin),
        figure::floor(summary.noise_floor, summary.noise_floor_min),
        figure::count(summary.samples),
    ];
    (verdict, line)
}

/// A verdict with the number of its warnings.
fn verdict_words(words: &str, warned: usize) -> String {
    if warned == 0 { words.to_owned() } else { format!("{words}, {warned} warned") }
}

/// Writes one aligned line: names to the left, numbers to the right.
fn write_line(
    out: &mut String,
    widths: &[usize; 9],
    fields: &[String; 9],
    verdict: Option<Verdict>,
    style: Style,
) {
    let mut line = String::new();
    for (column, (field, width)) in fields.iter().zip(widths).enumerate() {
        let padding = " ".repeat(width - field.chars().count());
        match (column, verdict) {
            (2, Some(verdict)) => line.push_str(&(style.paint(verdict, field) + &padding)),
            (0..=2, _) => line.push_str(&(field.clone() + &padding)),
            _ => line.push_str(&(padding + field)),
        }
        line.push_str("  ");
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{SKIPPED_CORPUS, Style, render};
    use crate::report::{Entry, example};

    #[test]
    fn plain_output_has_no_escape_and_names_cannot_add_one() {
        let text = render(&example::hostile(), Style::PLAIN).expect("a table");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
        assert!(!text.contains('\u{202e}'));
    }

    #[test]
    fn failing_cells_come_first_with_what_where_and_the_next_command() {
        let text = render(&example::failing(), Style::PLAIN).expect("a table");
        let first = text.lines().next().expect("a line");
        assert!(first.starts_with("fail  A1  ripgrep"), "{first}");
        assert!(text.contains("jaccard_top30 0.8182 < 0.8500"));
        assert!(text.contains("--gate A1 --corpus '^ripgrep$' --budget 1024"));
        assert!(text.contains("\nFAIL  "));
    }

    #[test]
    fn a_warning_is_shown_and_counted_and_changes_no_verdict() {
        let mut report = example::passing();
        report.gates[0].cells[0].warning = "unstable comparator: 0.8".to_owned();
        let text = render(&report, Style::PLAIN).expect("a table");
        assert!(text.starts_with("warning  A1  "), "{text}");
        assert!(text.contains("      unstable comparator: 0.8\n"));
        assert!(text.contains("pass, 1 warned") && text.contains("\nPASS  "), "{text}");
    }

    #[test]
    fn a_missing_corpus_is_named_right_before_the_verdict() {
        let mut report = example::passing();
        for value in ["a: its registry does not have it", "b: it cannot be reached"] {
            let name = SKIPPED_CORPUS.to_owned();
            report.environment.push(Entry { name, value: value.to_owned() });
        }
        let text = render(&report, Style::PLAIN).expect("a table");
        let shown = "\n\nskipped  a: its registry does not have it\nskipped  b: it cannot be reached\n\nPASS  ";
        assert!(text.contains(shown), "{text}");
    }

    #[test]
    fn columns_are_aligned() {
        let text = render(&example::passing(), Style::PLAIN).expect("a table");
        let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        let width = |line: &str| line.chars().count();
        assert!(table.len() > 3);
        assert!(table.iter().all(|line| width(line) == width(table[0])), "{text}");
    }

    #[test]
    fn a_gate_without_cells_is_shown_and_the_run_does_not_pass() {
        let mut report = example::passing();
        report.gates[0].cells.clear();
        report.gates[0].verdict = record::Verdict::NotRun;
        let text = render(&report, Style::PLAIN).expect("a table");
        assert!(text.contains("0/0") && text.contains("\nNOT RUN  "), "{text}");
    }
}
