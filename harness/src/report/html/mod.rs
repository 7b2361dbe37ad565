//! The report as one HTML file: no script, no external resource, light and dark, printable.
//!
//! Order: the verdict with the gates that do not pass, what to do next, what moved, the gates (failing
//! ones first, passing ones folded), warnings, margins, deviations, environment and digests, and the
//! commands that repeat and verify the run.

mod sections;

pub use sections::moved;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use record::Verdict;
use verdict::bundle::Environment;

use super::{RankedCase, ReportError, RunReport, escape::visible, figure, plot, table::Table};
use crate::history::Diff;

/// A policy that keeps a browser from loading or running anything, even if a name contained mark-up.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// The style of every page.
const STYLE: &str = include_str!("style.css");

/// What a page shows beyond the evidence. The page inside a bundle has none of it, because it is made
/// again when the bundle is verified.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// When and where the run was made.
    pub made: Option<&'a Environment>,
    /// What changed since an earlier run.
    pub moved: Option<&'a Diff>,
    /// The cases whose files both sides rank in another order.
    pub ranks: &'a [RankedCase],
}

/// The whole page, UTF-8.
pub fn render(report: &RunReport, around: Around<'_>) -> Result<String, ReportError> {
    let table = Table::of(report)?;
    let title = html! { (report.words()) " · " (visible(&report.title)) };
    let body = html! {
        (sections::banner(report))
        (sections::next(report))
        (sections::moved(around.moved))
        (sections::gates(report, &table)?)
        (sections::warnings(report))
        (sections::margins(report)?)
        (sections::ranks(around.ranks)?)
        (sections::deviations(report))
        (sections::environment(report, around.made)?)
        (sections::commands(report))
    };
    Ok(page(&title, &plot::theme::stylesheet(), &body).into_string())
}

/// A page of this project: its title, its own style beside the common one, and its sections.
pub fn page(title: &Markup, style: &str, sections: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { main { (sections) } }
        }
    }
}

/// A verdict with a sign, so that it can be told without seeing its colour.
fn badge(verdict: Verdict) -> Markup {
    let sign = match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => "!",
    };
    html! { span .verdict .(tone(verdict)) { (sign) " " (figure::words(verdict)) } }
}

/// The style class of a verdict.
const fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => "doubt",
    }
}

#[cfg(test)]
mod tests {
    use record::Verdict;

    use super::Around;
    use crate::report::{ReportError, RunReport, example};

    /// The page of a bundle.
    fn render(report: &RunReport) -> Result<String, ReportError> {
        super::render(report, Around::default())
    }

    /// The tags of a page, by name.
    fn tags(page: &str) -> Vec<&str> {
        let name =
            |rest: &str| rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '/' || c == '!'));
        page.match_indices('<')
            .map(|(at, _)| &page[at + 1..])
            .map(|rest| &rest[..name(rest).unwrap_or(rest.len())])
            .collect()
    }

    #[test]
    fn hostile_names_add_no_element_and_no_control_character() {
        let hostile = render(&example::hostile()).expect("a page");
        assert!(!hostile.chars().any(|c| c.is_control() && c != '\n'));
        assert!(!hostile.contains("onload=alert(1)>"));
        let mut tags = tags(&hostile);
        tags.sort_unstable();
        tags.dedup();
        assert!(!tags.contains(&"script") && !tags.contains(&"img"), "{tags:?}");
    }

    #[test]
    fn the_page_loads_nothing_and_runs_nothing() {
        let page = render(&example::failing()).expect("a page");
        let loads = ["src=", "href=\"http", "url(", "@import", "<script", "<link", "<iframe"];
        assert!(loads.iter().all(|load| !page.contains(load)));
        // The only address is the name of the SVG vocabulary, which browsers do not fetch.
        assert!(page.match_indices("http").all(|(at, _)| {
            page[at..].starts_with("http-equiv")
                || page[at..].starts_with("http://www.w3.org/2000/svg")
        }));
    }

    #[test]
    fn every_element_is_closed() {
        let page = render(&example::failing()).expect("a page");
        let count = |name: &str| tags(&page).iter().filter(|tag| **tag == name).count();
        for name in [
            "main", "section", "table", "tr", "td", "th", "figure", "svg", "details", "pre", "ul",
            "li",
        ] {
            assert_eq!(count(name), count(&format!("/{name}")), "{name}");
        }
    }

    #[test]
    fn the_parts_come_in_the_order_readers_need() {
        let page = render(&example::failing()).expect("a page");
        let ids = [
            "verdict",
            "next",
            "gates",
            "gate-1",
            "margins",
            "deviations",
            "environment",
            "commands",
        ];
        let places: Vec<_> = ids.iter().map(|id| page.find(&format!("id=\"{id}\""))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    }

    #[test]
    fn the_first_lines_name_what_fails_and_what_to_do() {
        let page = render(&example::failing()).expect("a page");
        let banner = page.find("class=\"failing\"").expect("a list of failing gates");
        assert!(page[banner..].starts_with("class=\"failing\"><li><a href=\"#gate-1\"><b>A1</b>"));
        let next = page.find("id=\"next\"").expect("what to do");
        let words = "<span>--gate</span> <span>A1</span> <span>--corpus</span>";
        assert!(page[next..].find(words).is_some_and(|at| at < 900));
        // Failing gates are open and come first, wherever they are in the report.
        let mut report = example::failing();
        report.gates.rotate_left(1);
        let page = render(&report).expect("a page");
        let (failing, passing) = (page.find("id=\"gate-3\" open"), page.find("id=\"gate-1\">"));
        assert!(failing.is_some() && failing < passing, "{failing:?} {passing:?}");
    }

    #[test]
    fn a_partial_run_is_no_pass_on_its_page() {
        let mut report = example::passing();
        report.part = Some("gates A1".to_owned());
        report.commands.verify = None;
        let page = render(&report).expect("a page");
        assert!(page.contains("<h1>partial</h1>") && page.contains("not a verdict on the set"));
        assert!(!page.contains("<span>verify</span>"));
    }

    #[test]
    fn every_number_of_cells_is_one_of_three() {
        let report = example::failing();
        let cells: usize = report.gates.iter().map(|gate| gate.cells.len()).sum();
        let judged: usize = report.gates.iter().map(crate::report::GateSummary::judged).sum();
        let reported: usize = report.gates.iter().map(crate::report::GateSummary::reported).sum();
        assert_eq!(cells, judged + reported);
        let page = render(&report).expect("a page");
        // Each cell is a row of a table; a cell that is only reported has no verdict there.
        let passes = report.gates.iter().flat_map(|gate| &gate.cells);
        let passes =
            passes.filter(|cell| cell.verdict == Verdict::Pass && cell.threshold.is_none());
        assert_eq!(page.matches("<td>reported ").count(), passes.count());
    }

    #[test]
    fn a_command_is_words_that_are_not_broken_and_reads_as_it_is_typed() {
        let report = example::passing();
        let verify = report.commands.verify.clone().expect("a command");
        let page = render(&report).expect("a page");
        let words: Vec<String> =
            verify.split(' ').map(|word| format!("<span>{word}</span>")).collect();
        let command = format!("<pre class=\"command\">{}</pre>", words.join(" "));
        assert!(words.len() > 2 && page.contains(&command), "{command}");
        assert!(page.contains(".command span { display: inline-block; max-width: 100% }"));
    }

    #[test]
    fn the_same_run_gives_the_same_bytes() {
        assert_eq!(render(&example::failing()).ok(), render(&example::failing()).ok());
    }
}
