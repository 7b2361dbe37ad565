//! The verdict table in a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color};
use record::Verdict;
use unicode_width::UnicodeWidthStr as _;

use crate::{Failure, console::takes_colours};

use super::{
    GateSummary, ReportError, RunReport, SKIPPED_CORPUS,
    escape::visible,
    figure,
    table::{HEADINGS, Line, Table},
};

/// The most cells that are listed one by one; the HTML report lists all of them.
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
/// The cells cannot be put into a table.
pub fn table(report: &RunReport) -> Result<String, Failure> {
    render(report, Style::for_stdout()).map_err(|error| Failure::internal(error.to_string()))
}

impl Style {
    /// Plain text.
    pub const PLAIN: Self = Self { colour: false };

    /// Colour if standard output is a terminal that supports it. `NO_COLOR`, `CLICOLOR`,
    /// `CLICOLOR_FORCE` and `TERM=dumb` are respected.
    pub fn for_stdout() -> Self {
        Self { colour: takes_colours() }
    }

    /// Text in the colour of a verdict.
    pub fn paint(self, verdict: Verdict, text: &str) -> String {
        let (colour, bold) = match verdict {
            Verdict::Pass => (AnsiColor::Green, false),
            Verdict::Fail => (AnsiColor::Red, true),
            Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => {
                (AnsiColor::Yellow, false)
            }
        };
        let mut style = anstyle::Style::new().fg_color(Some(Color::Ansi(colour)));
        if bold {
            style = style.bold();
        }
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// The whole text: cells that do not pass, the table of gates, the verdict, and the next commands.
pub fn render(report: &RunReport, style: Style) -> Result<String, ReportError> {
    let table = Table::of(report)?;
    let mut out = String::new();
    write_findings(&mut out, report, style);
    write_warnings(&mut out, report, style);
    write_table(&mut out, &table.lines, style);
    write_skipped(&mut out, report, style);
    match &report.part {
        Some(part) => write_part(&mut out, report, part, style),
        None => write_verdict(&mut out, &table, style),
    }
    Ok(out)
}

/// The table and the verdict alone, in plain text.
pub fn brief(table: &Table) -> String {
    let mut out = String::new();
    write_table(&mut out, &table.lines, Style::PLAIN);
    write_verdict(&mut out, table, Style::PLAIN);
    out
}

fn write_verdict(out: &mut String, table: &Table, style: Style) {
    let verdict = style.paint(table.verdict, &figure::words(table.verdict).to_uppercase());
    let (title, verify) = (visible(&table.title), visible(&table.verify));
    let _ = writeln!(out, "\n{verdict}  {title} · {}", table.headline);
    if !verify.is_empty() {
        let _ = writeln!(out, "verify  {verify}");
    }
}

/// The verdict on a part of a set, which is never a pass of the set.
fn write_part(out: &mut String, report: &RunReport, part: &str, style: Style) {
    let verdict = match report.shown_verdict() {
        Verdict::Pass => Verdict::NotRun,
        other => other,
    };
    let words = style.paint(verdict, &report.words().to_uppercase());
    let (title, part, headline) = (visible(&report.title), visible(part), report.headline());
    let _ = writeln!(out, "\n{words}  {title} · {headline}");
    let _ = writeln!(
        out,
        "only {part}: this says nothing about the rest of the set, and nothing is sealed"
    );
    let _ = writeln!(out, "repeat  {}", visible(&report.commands.run));
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

/// The cells with a warning. The warnings do not change their verdicts.
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

/// The corpora that are missing, shown before the verdict, which is about the others alone.
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
fn write_table(out: &mut String, lines: &[Line], style: Style) {
    let lines: Vec<(Verdict, [String; 9])> =
        lines.iter().map(|line| (line.verdict, fields(line))).collect();
    let mut widths = HEADINGS.map(str::width);
    for (_, line) in &lines {
        for (width, field) in widths.iter_mut().zip(line) {
            *width = (*width).max(field.width());
        }
    }
    write_line(out, &widths, &HEADINGS.map(str::to_owned), None, style);
    for (verdict, line) in &lines {
        write_line(out, &widths, line, Some(*verdict), style);
    }
}

/// The columns of a line, as text.
fn fields(line: &Line) -> [String; 9] {
    let metric = line.metric.as_deref().unwrap_or(figure::ABSENT);
    let [cells, worst, threshold, margin, floor, n] = line.figures();
    [
        line.gate.to_string(),
        visible(metric).into_owned(),
        format!("{}{}", line.words(), line.warnings()),
        cells,
        worst,
        threshold,
        margin,
        floor,
        n,
    ]
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
        let padding = " ".repeat(width - field.width());
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
    use unicode_width::UnicodeWidthStr as _;

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
    fn a_partial_run_never_reads_as_a_pass_of_the_set() {
        let mut report = example::passing();
        report.part = Some("gates A1; corpora flask".to_owned());
        report.commands.verify = None;
        let text = render(&report, Style::PLAIN).expect("a table");
        assert!(!text.contains("PASS"), "{text}");
        assert!(text.contains("\nPARTIAL  ") && text.contains("only gates A1; corpora flask"));
        assert!(!text.contains("verify") && text.contains("repeat  cargo parity run"), "{text}");
        let mut failing = example::failing();
        failing.part = report.part;
        assert!(render(&failing, Style::PLAIN).expect("a table").contains("\nFAIL  "));
    }

    #[test]
    fn columns_are_aligned() {
        let text = render(&example::passing(), Style::PLAIN).expect("a table");
        let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        assert!(table.len() > 3);
        assert!(table.iter().all(|line| line.width() == table[0].width()), "{text}");
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
