//! JUnit XML, for dashboards that read test results.
//!
//! One suite per gate, one case per gate × corpus × case × budget holding all its metrics. A missed
//! threshold is a `<failure>`; anything else that is not a pass (not run, insufficient, unstable) is
//! an `<error>`, never `<skipped>`, because a skipped test reads as harmless.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use record::{Cell, Verdict};

use super::{GateSummary, RunReport, escape::markup, figure};

/// What one case came to: its name and the element inside it, if any.
struct Case {
    class: String,
    name: String,
    verdict: Verdict,
    message: String,
}

/// The whole document, UTF-8. It carries no time, so the same run gives the same bytes.
pub fn render(report: &RunReport) -> String {
    let suites: Vec<(&GateSummary, Vec<Case>)> =
        report.gates.iter().map(|gate| (gate, cases(gate))).collect();
    let all = suites.iter().flat_map(|(_, cases)| cases);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"{}\" {}>", markup(&report.title), totals(all));
    for (gate, cases) in &suites {
        let name = markup(&format!("{} {}", gate.gate, gate.title));
        let _ = writeln!(out, "  <testsuite name=\"{name}\" {}>", totals(cases));
        write_properties(&mut out, report);
        for case in cases {
            write_case(&mut out, case);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// The counts that every suite states.
fn totals<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for case in cases {
        tests += 1;
        failures += usize::from(case.verdict == Verdict::Fail);
        errors += usize::from(!matches!(case.verdict, Verdict::Fail | Verdict::Pass));
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\"")
}

/// Groups the cells of a gate by where they were measured, in the order of those names. A gate that does not pass although no
/// case says so (it has none, or a rule of its own failed) gets a case for itself.
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

/// What the run rests on.
fn write_properties(out: &mut String, report: &RunReport) {
    let profile = report.profile.iter();
    let digests = report.digests.iter().map(|entry| (&entry.name, &entry.value));
    out.push_str("    <properties>\n");
    for (name, value) in profile.chain(digests) {
        let (name, value) = (markup(name), markup(value));
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{value}\"/>");
    }
    out.push_str("    </properties>\n");
}

fn write_case(out: &mut String, case: &Case) {
    let (class, name) = (markup(&case.class), markup(&case.name));
    let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\"");
    let element = match case.verdict {
        Verdict::Pass => return out.push_str("/>\n"),
        Verdict::Fail => "failure",
        Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => "error",
    };
    let (kind, message) = (case.verdict.as_str(), markup(&case.message));
    let _ = writeln!(out, ">\n      <{element} type=\"{kind}\" message=\"{message}\"/>");
    out.push_str("    </testcase>\n");
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::report::example;
    use record::Verdict;

    #[test]
    fn a_missed_threshold_is_a_failure_with_the_numbers() {
        let xml = render(&example::failing());
        assert!(xml.contains("message=\"jaccard_top30 0.8182 &lt; 0.8500\""), "{xml}");
        assert!(xml.contains("failures=\"1\""));
    }

    #[test]
    fn a_gate_that_did_not_run_is_an_error_and_nothing_is_skipped() {
        let mut report = example::passing();
        report.gates[0].cells.clear();
        report.gates[0].verdict = Verdict::NotRun;
        let xml = render(&report);
        assert!(xml.contains("<error type=\"not_run\" message=\"gate not run\"/>"), "{xml}");
        assert!(!xml.contains("<skipped"));
    }

    #[test]
    fn a_hostile_name_leaves_the_same_elements() {
        let count = |xml: &str| xml.matches('<').count();
        let hostile = render(&example::hostile());
        assert_eq!(count(&hostile), count(&render(&example::failing())));
        assert!(!hostile.chars().any(|c| c.is_control() && c != '\n'));
    }
}
