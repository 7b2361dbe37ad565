//! Where a cell belongs, and how a measured value becomes one.

use record::{Cell, Verdict};

use crate::gate::GateId;

/// Where a cell belongs: the columns that all cells of one case share.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Corpus.
    pub corpus: &'a str,
    /// Case.
    pub case: &'a str,
    /// Budget in tokens.
    pub budget: Option<u64>,
}

/// Which way a value passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    AtLeast,
    AtMost,
}

impl Place<'_> {
    /// A cell that is judged by a threshold. Without a sample or a value it is insufficient.
    pub(crate) fn judged(
        &self,
        gate: GateId,
        metric: &str,
        value: Option<f64>,
        bound: (Bound, f64),
        n: usize,
    ) -> Cell {
        let (direction, threshold) = bound;
        let value = value.filter(|value| value.is_finite());
        let margin = value.map(|value| match direction {
            Bound::AtLeast => value - threshold,
            Bound::AtMost => threshold - value,
        });
        let verdict = match margin {
            Some(_) | None if n == 0 => Verdict::Insufficient,
            Some(margin) if margin >= 0.0 => Verdict::Pass,
            Some(_) => Verdict::Fail,
            None => Verdict::Insufficient,
        };
        Cell {
            gate: gate.name(),
            corpus: self.corpus.to_owned(),
            case: self.case.to_owned(),
            budget: self.budget,
            metric: metric.to_owned(),
            value,
            threshold: Some(threshold),
            margin,
            n: n as u64,
            noise_floor: None,
            seeds: None,
            verdict,
            note: String::new(),
            warning: String::new(),
        }
    }

    /// A cell of a count that must not fall below a floor; one without a floor is only reported.
    pub fn at_least(&self, gate: GateId, metric: &str, count: u64, floor: Option<u64>) -> Cell {
        let (value, n) = (Some(count as f64), usize::try_from(count).unwrap_or(usize::MAX));
        match floor {
            Some(floor) => {
                self.judged(gate, metric, value, (Bound::AtLeast, floor as f64), n.max(1))
            }
            None => self.reported(gate, metric, value, n),
        }
    }

    /// A cell that is only reported: it has no threshold and decides nothing.
    pub(crate) fn reported(
        &self,
        gate: GateId,
        metric: &str,
        value: Option<f64>,
        n: usize,
    ) -> Cell {
        let mut cell = self.judged(gate, metric, value, (Bound::AtLeast, 0.0), n);
        cell.threshold = None;
        cell.margin = None;
        // The cell decides nothing, so a missing value cannot either.
        cell.verdict = Verdict::Pass;
        cell
    }

    /// A cell of something that was not measured at all.
    pub fn not_run(&self, gate: GateId, metric: &str, why: &str) -> Cell {
        let mut cell = self.judged(gate, metric, None, (Bound::AtLeast, 1.0), 0);
        cell.verdict = Verdict::NotRun;
        why.clone_into(&mut cell.note);
        cell
    }
}
