//! A matrix as a table of text, and as comma-separated values.

use std::fmt::Write as _;

use super::{Outcome, Row, Standing, cell::GateRow};
use crate::report::{escape::visible, figure};

const HEAD: [&str; 7] = ["release", "set", "profile", "gate", "verdict", "cells", "worst margin"];
const COLUMNS: &str = "release,set,profile,standing,gate,verdict,passed,judged,worst_margin";

/// The rows as text: a line for each gate of each run, and one for a run that could not be made.
pub fn text(rows: &[Row]) -> String {
    let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
    for row in rows {
        let names = [&*row.asked.version, row.asked.set.as_str(), row.asked.profile.as_str()];
        let names = names.map(|name| visible(name).into_owned()).to_vec();
        match &row.outcome {
            Outcome::Ran { gates, standing, .. } => lines.extend(gates.iter().map(|gate| {
                let cells = format!("{}/{}", gate.passed, gate.judged);
                let rest = [
                    gate.gate.clone(),
                    said(gate, *standing),
                    cells,
                    figure::margin(gate.worst_margin),
                ];
                [names.clone(), rest.to_vec()].concat()
            })),
            Outcome::Failed { why, .. } => {
                let first = why.lines().next().unwrap_or_default();
                lines.push(
                    [names, vec!["–".to_owned(), format!("not run: {}", visible(first))]].concat(),
                );
            }
        }
    }
    let width = |column: usize| {
        let fields = lines.iter().filter(|line| line.len() == HEAD.len());
        fields
            .filter_map(|line| line.get(column))
            .map(|field| field.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let padded: Vec<String> =
            line.iter().zip(&widths).map(|(field, width)| format!("{field:width$}")).collect();
        let _ = writeln!(out, "{}", padded.join("  ").trim_end());
    }
    out
}

/// The rows as comma-separated values, in the same order. A run that could not be made has no gate.
pub fn csv(rows: &[Row]) -> String {
    let mut out = format!("{COLUMNS}\n");
    for Row { asked, outcome } in rows {
        let names = format!("{},{},{}", asked.version, asked.set, asked.profile);
        match outcome {
            Outcome::Ran { gates, standing, .. } => {
                let standing = standing.as_str();
                for gate in gates {
                    let verdict = gate.verdict.map_or("", record::Verdict::as_str);
                    let margin =
                        gate.worst_margin.map_or_else(String::new, |margin| format!("{margin:?}"));
                    let GateRow { gate, passed, judged, .. } = gate;
                    let _ = writeln!(
                        out,
                        "{names},{standing},{gate},{verdict},{passed},{judged},{margin}"
                    );
                }
            }
            Outcome::Failed { .. } => drop(writeln!(out, "{names},not run,,,,,")),
        }
    }
    out
}

/// The verdict of a gate in words; a gate of a run that is only reported has none.
fn said(gate: &GateRow, standing: Standing) -> String {
    gate.verdict
        .map_or_else(|| standing.as_str().to_owned(), |verdict| figure::words(verdict).to_owned())
}

impl Standing {
    /// The word for it in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Reported => "reported",
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use record::{Profile, Set, Verdict};

    use super::{csv, text};
    use crate::matrix::{Asked, Outcome, Row, Standing, cell::GateRow};

    /// The pinned release, another one whose cells all pass, and one that cannot be installed.
    pub fn rows() -> Vec<Row> {
        let asked = |version: &str| Asked {
            version: version.to_owned(),
            set: Set::Smoke,
            profile: Profile::Parity,
            changed: Vec::new(),
        };
        let ran = |standing, verdict: Option<Verdict>| Outcome::Ran {
            standing,
            verdict,
            partial: true,
            run: "run".into(),
            bundle: None,
            gates: vec![GateRow {
                gate: "A1".to_owned(),
                verdict,
                passed: 2,
                judged: 2,
                worst_margin: Some(0.125),
            }],
            answers: Vec::new(),
        };
        let failed = Outcome::Failed { exit_code: 20, why: "no wheel of x\nnext line".to_owned() };
        vec![
            Row { asked: asked("2"), outcome: ran(Standing::Pinned, Some(Verdict::Pass)) },
            Row { asked: asked("1"), outcome: ran(Standing::Reported, None) },
            Row { asked: asked("0"), outcome: failed },
        ]
    }

    #[test]
    fn a_release_that_is_not_pinned_never_reads_as_a_pass() {
        let table = text(&rows());
        let lines: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["2", "smoke", "parity", "A1", "pass", "2/2", "+0.1250"]);
        assert_eq!(lines[2], ["1", "smoke", "parity", "A1", "reported", "2/2", "+0.1250"]);
        assert_eq!(lines[3][4..], ["not", "run:", "no", "wheel", "of", "x"]);
        let mut reported = rows();
        reported.remove(0);
        assert!(!text(&reported).to_lowercase().contains("pass"));
        assert!(!csv(&reported).lines().skip(1).any(|line| line.contains("pass")));
    }

    #[test]
    fn every_line_of_the_values_has_every_column() {
        let values = csv(&rows());
        assert_eq!(values.lines().count(), 4);
        let columns = |line: &str| line.matches(',').count();
        assert!(values.lines().all(|line| columns(line) == columns(super::COLUMNS)), "{values}");
        assert!(values.contains("1,smoke,parity,reported,A1,,2,2,0.125\n"), "{values}");
    }
}
