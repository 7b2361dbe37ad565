//! All that a matrix found, as one object and as a drawing.

use record::Verdict;
use serde::Serialize;

use super::{Answers, Outcome, Row};
use crate::report::{
    ReportError,
    plot::{Plot, bar::Bar, of_bars},
};

/// What a matrix found.
#[derive(Debug, Clone, Serialize)]
pub struct Document {
    /// Format of this object.
    pub schema_version: u32,
    /// The release that the checkout pins.
    pub pinned: String,
    /// The runs, in the order to print.
    pub runs: Vec<Row>,
    /// The answers of the comparator that they rest on.
    pub answers: Answers,
}

impl Document {
    /// Format of this object.
    pub const SCHEMA_VERSION: u32 = 1;

    /// Joins the rows.
    pub fn new(pinned: String, runs: Vec<Row>) -> Self {
        let mut all = Answers::default();
        for row in &runs {
            if let Outcome::Ran { answers, .. } = &row.outcome {
                all.add(answers.iter().cloned());
            }
        }
        Self { schema_version: Self::SCHEMA_VERSION, pinned, runs, answers: all }
    }

    /// The exit code: 0 only if every run against the pinned release passes, and there is one.
    pub fn exit_code(&self) -> u8 {
        let codes = self.runs.iter().filter_map(|row| row.exit_code(&self.pinned));
        codes
            .max_by_key(|code| (*code != record::exit::PASS, *code))
            .unwrap_or(record::exit::NOTHING_RAN)
    }
}

/// Draws the share of judged cells that pass: a bar for each gate of each release, gate by gate, so that the bars of
/// one gate lie below each other.
///
/// # Errors
/// The drawing library refuses.
pub fn plot(document: &Document) -> Result<Plot, ReportError> {
    let mut gates: Vec<&str> = Vec::new();
    for row in &document.runs {
        let Outcome::Ran { gates: found, .. } = &row.outcome else { continue };
        for gate in found {
            if !gates.contains(&&*gate.gate) {
                gates.push(&gate.gate);
            }
        }
    }
    let several = |differs: &dyn Fn(&Row) -> bool| document.runs.iter().any(differs);
    let first = document.runs.first().map(|row| (row.asked.set, row.asked.profile));
    let named = several(&|row| Some((row.asked.set, row.asked.profile)) != first);
    let mut bars = Vec::new();
    for gate in gates {
        for row in &document.runs {
            let Outcome::Ran { gates, .. } = &row.outcome else { continue };
            let of_gate = gates.iter().filter(|found| found.gate == gate && found.judged > 0);
            bars.extend(of_gate.map(|found| {
                let kind = format!(" {} {}", row.asked.set, row.asked.profile);
                let reported = if found.verdict.is_none() { " reported" } else { "" };
                Bar {
                    label: format!(
                        "{gate} {}{}{reported}",
                        row.asked.version,
                        if named { &kind } else { "" }
                    ),
                    passed: found.passed,
                    total: found.judged,
                    // What is only reported is drawn as what decides nothing.
                    verdict: found.verdict.unwrap_or(Verdict::Unstable),
                }
            }));
        }
    }
    let title =
        format!("Judged cells that pass, by gate and release; {} is pinned", document.pinned);
    of_bars(title, &bars, "share of judged cells that pass")
}

#[cfg(test)]
mod tests {
    use record::exit;

    use super::{Document, plot};
    use crate::matrix::table::tests::rows;

    #[test]
    fn the_matrix_passes_only_if_the_pinned_release_does() {
        let code = |rows| Document::new("2".to_owned(), rows).exit_code();
        assert_eq!(code(rows()), exit::PASS);
        assert_eq!(code(rows().split_off(1)), exit::NOTHING_RAN);
        assert_eq!(code(Vec::new()), exit::NOTHING_RAN);
        // The release that cannot be installed is the pinned one.
        let document = Document::new("0".to_owned(), rows());
        assert_eq!(document.exit_code(), exit::SETUP);
    }

    #[test]
    fn the_drawing_has_a_title_an_axis_and_a_description() {
        let drawn = plot(&Document::new("2".to_owned(), rows())).unwrap();
        for part in [
            "<title>",
            "<desc>",
            "role=\"img\"",
            "aria-label",
            "share of judged cells that pass",
            "A1 1 reported",
        ] {
            assert!(drawn.svg.contains(part), "{part}");
        }
        assert_eq!(drawn, plot(&Document::new("2".to_owned(), rows())).unwrap());
    }
}
