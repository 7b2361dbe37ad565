//! Turns cells into measurement tables.

use frames::{FrameError, Measurements, Row, Summary};
use record::Cell;

use super::{ReportError, RunReport};

/// All cells of a report as one table, gate by gate.
pub fn measurements(report: &RunReport) -> Result<Measurements, ReportError> {
    Ok(of_cells(report.gates.iter().flat_map(|gate| &gate.cells))?)
}

/// Cells as a table, in the order given.
pub fn of_cells<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Result<Measurements, FrameError> {
    let row = |cell: &'a Cell| Row {
        gate: cell.gate.as_str(),
        corpus: &cell.corpus,
        case: &cell.case,
        budget: cell.budget,
        metric: &cell.metric,
        value: cell.value,
        threshold: cell.threshold,
        margin: cell.margin,
        n: cell.n,
        noise_floor: cell.noise_floor.map(|floor| floor.mean),
        noise_floor_min: cell.noise_floor.map(|floor| floor.min),
        canonical: cell.seeds.map(|seeds| seeds.canonical.mean),
        canonical_min: cell.seeds.map(|seeds| seeds.canonical.min),
        verdict: cell.verdict.as_str(),
    };
    Measurements::from_rows(&cells.into_iter().map(row).collect::<Vec<_>>())
}

/// The summaries of a report, one per gate and metric, in the order of its gates.
pub fn summaries(report: &RunReport) -> Result<Vec<Summary>, ReportError> {
    Ok(measurements(report)?.summary()?)
}
