//! The report as one HTML file: no script, no external resource, light and dark, printable.
//!
//! Order: verdict, gates, cells that do not pass, each gate with its plots, declared differences,
//! environment and digests, the commands that repeat and verify it all.

mod sections;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use record::Verdict;

use super::{ReportError, RunReport, escape::visible, figure, plot, table::Table};

/// A policy that lets a browser load and run nothing, whatever a name smuggled in.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// The whole page, UTF-8.
pub fn render(report: &RunReport) -> Result<String, ReportError> {
    let table = Table::of(report)?;
    let numbered = (1..).zip(&report.gates);
    let gates = numbered
        .map(|(number, gate)| sections::gate(report, number, gate))
        .collect::<Result<Vec<_>, _>>()?;
    let words = figure::words(report.shown_verdict());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (words) " · " (visible(&report.title)) }
                style { (PreEscaped(include_str!("style.css"))) (PreEscaped(plot::theme::stylesheet())) }
            }
            body { main {
                (sections::banner(report))
                (sections::gate_table(report, &table))
                (sections::not_passing(report))
                (sections::warnings(report))
                @for gate in gates { (gate) }
                (sections::deviations(report))
                (sections::environment(report))
                (sections::commands(report))
            } }
        }
    };
    Ok(page.into_string())
}

/// A verdict with a sign, so that it does not hang on colour alone.
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
    use super::render;
    use crate::report::example;

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
        // The only address is the name of the SVG vocabulary, which nothing fetches.
        assert!(page.match_indices("http").all(|(at, _)| {
            page[at..].starts_with("http-equiv")
                || page[at..].starts_with("http://www.w3.org/2000/svg")
        }));
    }

    #[test]
    fn every_element_is_closed() {
        let page = render(&example::failing()).expect("a page");
        let count = |name: &str| tags(&page).iter().filter(|tag| **tag == name).count();
        for name in
            ["main", "section", "table", "tr", "td", "th", "figure", "svg", "details", "pre"]
        {
            assert_eq!(count(name), count(&format!("/{name}")), "{name}");
        }
    }

    #[test]
    fn the_parts_come_in_the_order_readers_need() {
        let page = render(&example::failing()).expect("a page");
        let ids =
            ["verdict", "gates", "findings", "gate-1", "deviations", "environment", "commands"];
        let places: Vec<_> = ids.iter().map(|id| page.find(&format!("id=\"{id}\""))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    }

    #[test]
    fn the_same_run_gives_the_same_bytes() {
        assert_eq!(render(&example::failing()).ok(), render(&example::failing()).ok());
    }
}
