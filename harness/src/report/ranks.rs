//! The cases whose files both sides rank in another order.

use std::path::Path;

use record::Verdict;
use verdict::{
    Evidence,
    gate::{GateId, Rank, ranks},
};

use super::{RunReport, figure};

/// The most cases that a page draws, those that agree least.
const MOST: usize = 6;

/// How a case is ranked by both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedCase {
    /// Corpus and case.
    pub place: String,
    /// The verdict on its correlation.
    pub verdict: Verdict,
    /// The files that are among the first of both sides.
    pub ranks: Vec<Rank>,
}

/// The cases whose correlation of ranks is below 1, the lowest first. Empty without the recordings.
pub fn off_diagonal(evidence: &Path, report: &RunReport) -> Vec<RankedCase> {
    let cells = report.gates.iter().flat_map(|gate| &gate.cells);
    let mut lower: Vec<_> = cells
        .filter(|cell| cell.gate == GateId::A1.name() && cell.metric == "spearman_top")
        .filter_map(|cell| Some((cell.value.filter(|value| *value < 1.0)?, cell)))
        .collect();
    if lower.is_empty() {
        return Vec::new();
    }
    lower.sort_by(|(one, cell), (other, next)| {
        let place = |cell: &record::Cell| (cell.corpus.clone(), cell.case.clone());
        one.total_cmp(other).then_with(|| place(cell).cmp(&place(next)))
    });
    let Ok(evidence) = Evidence::open(evidence) else { return Vec::new() };
    let ranked = lower.into_iter().take(MOST).filter_map(|(_, cell)| {
        let ranks = ranks(&evidence, &cell.corpus, &cell.case)?;
        Some(RankedCase { place: figure::place(cell), verdict: cell.verdict, ranks })
    });
    ranked.collect()
}
