//! The report as GitHub-flavoured Markdown, for the summary of a step in GitHub Actions.

use std::fmt::Write as _;

use record::Verdict;

use super::{GateSummary, ReportError, RunReport, escape::visible, figure, table::Table};

/// The most cells that are listed; GitHub limits the size of a step's summary.
const MOST: usize = 30;

/// The whole text: the verdict, the gates, and every cell that does not pass with its command.
///
/// # Errors
/// The cells cannot be summed up.
pub fn render(report: &RunReport) -> Result<String, ReportError> {
    let table = Table::of(report)?;
    let verdict = report.shown_verdict();
    let mut text = format!(
        "## {} {}: {}\n\n{}\n\n",
        sign(verdict),
        markdown(&report.words().to_uppercase()),
        markdown(&report.title),
        markdown(&report.headline())
    );
    if let Some(part) = &report.part {
        let part = markdown(part);
        let _ = writeln!(
            text,
            "Only a part of the set was run: {part}. This is not a verdict on the set.\n"
        );
    }
    text.push_str(
        "| gate | verdict | judged cells passed | closest to its threshold |\n|---|---|---|---|\n",
    );
    for gate in &report.gates {
        let lines = table.lines.iter().filter(|line| line.gate == gate.gate);
        let margins = lines.filter_map(|line| Some((line.margin?, line.metric.as_deref()?)));
        let worst = margins.min_by(|(one, _), (other, _)| one.total_cmp(other));
        let worst = worst.map_or_else(String::new, |(margin, metric)| {
            format!("{} {}", markdown(metric), figure::margin(Some(margin)))
        });
        let (passed, judged) = (gate.passed() as u64, gate.judged() as u64);
        let _ = writeln!(
            text,
            "| {} {} | {} {} | {} of {} | {worst} |",
            markdown(gate.gate.as_str()),
            markdown(&gate.title),
            sign(gate.verdict),
            figure::words(gate.verdict),
            figure::count(passed),
            figure::count(judged),
        );
    }
    let failing = report.failing();
    if !failing.is_empty() {
        text.push_str("\n### What does not pass\n");
        for gate in failing {
            findings(&mut text, report, gate);
        }
    }
    if let Some(profile) = report.profile_line() {
        let _ = write!(
            text,
            "\n<details><summary>Profile of the run</summary>\n\n```json\n{profile}\n```\n\n</details>\n"
        );
    }
    Ok(text)
}

/// The cells of a gate that do not pass, each with the command that measures it again.
fn findings(text: &mut String, report: &RunReport, gate: &GateSummary) {
    let cells = gate.not_passing();
    for cell in cells.iter().take(MOST) {
        let (place, finding) = (figure::place(cell), figure::finding(cell));
        let name = markdown(gate.gate.as_str());
        let _ = writeln!(text, "\n**{name}** {}: {}\n", markdown(&place), markdown(&finding));
        text.push_str(&fenced(&report.rerun(cell)));
    }
    if cells.len() > MOST {
        let _ = writeln!(text, "\n… and {} more.", cells.len() - MOST);
    }
    if cells.is_empty() {
        let (name, words) = (markdown(gate.gate.as_str()), figure::words(gate.verdict));
        let _ = writeln!(text, "\n**{name}** {words}");
    }
}

const fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => "!",
    }
}

/// Text that Markdown, tables and HTML show as it is: each character that could have a meaning is an
/// entity.
fn markdown(text: &str) -> String {
    let harmless =
        |c: char| !c.is_ascii_punctuation() || matches!(c, '.' | ',' | '/' | '%' | '=' | '-');
    let shown = visible(text);
    let mut safe = String::with_capacity(shown.len());
    for character in shown.chars() {
        if harmless(character) {
            safe.push(character);
        } else {
            let _ = write!(safe, "&#{};", u32::from(character));
        }
    }
    safe
}

/// A block of code, whose fence is longer than every run of backticks in it.
fn fenced(code: &str) -> String {
    let code = visible(code);
    let (mut run, mut longest) = (0, 0);
    for character in code.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}sh\n{code}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::{fenced, markdown, render};
    use crate::report::example;

    #[test]
    fn what_fails_stands_there_with_its_numbers_and_its_command() {
        let text = render(&example::failing()).expect("a summary");
        assert!(text.starts_with("## ✗ FAIL"), "{text}");
        assert!(text.contains("0.8182 &#60; 0.8500"), "{text}");
        assert!(text.contains("--gate A1 --corpus '^ripgrep$' --budget 1024"), "{text}");
        let passing = render(&example::passing()).expect("a summary");
        assert!(passing.starts_with("## ✓ PASS") && !passing.contains("does not pass"));
    }

    #[test]
    fn a_hostile_name_adds_no_markup_and_no_row() {
        let hostile = render(&example::hostile()).expect("a summary");
        let failing = render(&example::failing()).expect("a summary");
        let rows = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(rows(&hostile), rows(&failing));
        let prose = hostile.lines().filter(|line| !line.starts_with("cargo "));
        assert!(prose.clone().all(|line| !line.contains('<')), "{hostile}");
        assert!(!hostile.chars().any(|c| c.is_control() && c != '\n'));
        assert_eq!(
            markdown("a|b`c`<d>[e](f)*_\n"),
            "a&#124;b&#96;c&#96;&#60;d&#62;&#91;e&#93;&#40;f&#41;&#42;&#95;&#92;u&#123;a&#125;"
        );
    }

    #[test]
    fn code_cannot_end_its_block() {
        let text = fenced("echo ```` ` ");
        assert!(text.starts_with("`````sh\n") && text.ends_with("\n`````\n"), "{text}");
    }
}
