//! JUnit XML, for dashboards that read test results.
//!
//! One suite per gate, and one case per gate × corpus × case × budget with all metrics of it. A missed
//! threshold is a `<failure>`; any other verdict that is not a pass (not run, insufficient, unstable)
//! is an `<error>`, never `<skipped>`, because a skipped test looks harmless.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use record::{Cell, Verdict};
use verdict::bundle::Environment;

use super::{GateSummary, ReportError, RunReport, escape::visible, figure};

/// One test case: its name and the element inside it, if any.
struct Case {
    class: String,
    name: String,
    verdict: Verdict,
    message: String,
}

/// The whole document, UTF-8. Without `made` it holds no times, so equal evidence gives equal bytes;
/// this is the document inside a bundle. With `made` it says when the run began and how long it took,
/// and each suite has the wall time of all recordings about the corpora that it judges. A recording
/// serves several gates, so these times do not add up.
///
/// # Errors
/// A text cannot be written as XML. Names do not cause this: [`visible`] escapes what XML forbids.
pub fn render(report: &RunReport, made: Option<&Environment>) -> Result<String, ReportError> {
    let mut document = Report::new(visible(&report.title));
    let began = made.and_then(|made| made.started_at.parse::<DateTime<Utc>>().ok());
    if let (Some(made), Some(began)) = (made, began) {
        document.set_timestamp(began).set_time(Duration::from_millis(made.wall_ms));
    }
    let times = made.map(by_corpus).unwrap_or_default();
    for gate in &report.gates {
        let mut suite = suite(report, gate);
        if let Some(began) = began {
            let corpora: BTreeSet<&str> = gate.cells.iter().map(|cell| &*cell.corpus).collect();
            let time = corpora.iter().filter_map(|corpus| times.get(corpus)).sum();
            suite.set_timestamp(began).set_time(Duration::from_millis(time));
        }
        document.add_test_suite(suite);
    }
    Ok(document.to_string()?)
}

/// Wall time of all units of each corpus, in milliseconds. The key of a unit begins with its corpus.
fn by_corpus(made: &Environment) -> BTreeMap<&str, u64> {
    let mut times = BTreeMap::new();
    for (unit, took) in &made.units {
        // The name of a corpus may hold a slash, as `@scope/package` does.
        let slashes = unit.match_indices('/').map(|(at, _)| at);
        for end in slashes {
            *times.entry(&unit[..end]).or_insert(0) += took;
        }
    }
    times
}

fn suite(report: &RunReport, gate: &GateSummary) -> TestSuite {
    let mut suite = TestSuite::new(visible(&format!("{} {}", gate.gate, gate.title)));
    // The profile and the digests that the run rests on.
    let profile = report.profile.iter();
    let digests = report.digests.iter().map(|entry| (&entry.name, &entry.value));
    for (name, value) in profile.chain(digests) {
        suite.add_property((visible(name), visible(value)));
    }
    if let Some(profile) = report.profile_line() {
        suite.add_property(("run_profile", &*profile));
    }
    suite.add_test_cases(cases(gate).iter().map(test_case));
    suite
}

fn test_case(case: &Case) -> TestCase {
    let kind = match case.verdict {
        Verdict::Pass => None,
        Verdict::Fail => Some(NonSuccessKind::Failure),
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => Some(NonSuccessKind::Error),
    };
    let status = kind.map_or_else(TestCaseStatus::success, |kind| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(case.verdict.as_str()).set_message(visible(&case.message));
        status
    });
    let mut test = TestCase::new(visible(&case.name), status);
    test.set_classname(visible(&case.class));
    test
}

/// Groups the cells of a gate by corpus, case and budget, in the order of these names. If a gate does
/// not pass although all of its cases do (it has none, or a rule of the gate itself failed), it gets a
/// case of its own.
fn cases(gate: &GateSummary) -> Vec<Case> {
    let mut places: BTreeMap<(&str, &str, Option<u64>), Vec<&Cell>> = BTreeMap::new();
    for cell in &gate.cells {
        places.entry((&cell.corpus, &cell.case, cell.budget)).or_default().push(cell);
    }
    let mut cases: Vec<Case> = places
        .into_iter()
        .map(|((corpus, ..), cells)| {
            let bad = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
            let message: Vec<String> = bad.map(|cell| figure::finding(cell)).collect();
            let place = cells.first().map(|cell| figure::place(cell)).unwrap_or_default();
            Case {
                class: format!("{}.{corpus}", gate.gate),
                name: format!("{} · {place}", gate.gate),
                verdict: Verdict::worst(cells.iter().map(|cell| cell.verdict)),
                message: message.join("; "),
            }
        })
        .collect();
    if gate.verdict != Verdict::Pass && cases.iter().all(|case| case.verdict == Verdict::Pass) {
        cases.push(Case {
            class: gate.gate.to_string(),
            name: format!("{} · verdict", gate.gate),
            verdict: gate.verdict,
            message: format!("gate {}", figure::words(gate.verdict)),
        });
    }
    cases
}

#[cfg(test)]
mod tests {
    use record::Verdict;

    use crate::report::{ReportError, RunReport, example};

    /// The document of a bundle.
    fn render(report: &RunReport) -> Result<String, ReportError> {
        super::render(report, None)
    }

    #[test]
    fn a_run_has_its_times_and_a_bundle_has_none() {
        let made =
            example::environment(&[("@shopify/cli-kit/maps", 1500), ("flask/comparator", 250)]);
        let report = example::passing();
        let xml = super::render(&report, Some(&made)).expect("a document");
        assert!(
            xml.contains("timestamp=\"2026-11-23T01:30:00.000+00:00\" time=\"600.000\""),
            "{xml}"
        );
        assert!(xml.contains("time=\"1.750\""), "{xml}");
        let without = render(&report).expect("a document");
        assert!(!without.contains("timestamp=") && !without.contains("time=\"1"), "{without}");
    }

    #[test]
    fn a_missed_threshold_is_a_failure_with_the_numbers() {
        let xml = render(&example::failing()).expect("a document");
        assert!(xml.contains("message=\"jaccard_top30 0.8182 &lt; 0.8500\""), "{xml}");
        assert!(xml.contains("failures=\"1\""));
    }

    #[test]
    fn a_gate_that_did_not_run_is_an_error_and_nothing_is_skipped() {
        let mut report = example::passing();
        report.gates[0].cells.clear();
        report.gates[0].verdict = Verdict::NotRun;
        let xml = render(&report).expect("a document");
        assert!(xml.contains("<error message=\"gate not run\" type=\"not_run\"/>"), "{xml}");
        assert!(!xml.contains("<skipped"));
    }

    #[test]
    fn a_hostile_name_leaves_the_same_elements() {
        let count = |xml: &str| xml.matches('<').count();
        let hostile = render(&example::hostile()).expect("a document");
        assert_eq!(count(&hostile), count(&render(&example::failing()).expect("a document")));
        assert!(!hostile.chars().any(|c| c.is_control() && c != '\n'));
    }
}
