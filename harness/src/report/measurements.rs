//! From cells to measurement tables.

use frames::{Measurements, Row, Summary};

use super::{ReportError, RunReport};

/// All cells of a report as one table, gate by gate.
pub fn measurements(report: &RunReport) -> Result<Measurements, ReportError> {
    let rows: Vec<Row<'_>> = report
        .gates
        .iter()
        .flat_map(|gate| &gate.cells)
        .map(|cell| Row {
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
            verdict: cell.verdict.as_str(),
        })
        .collect();
    Ok(Measurements::from_rows(&rows)?)
}

/// The summaries of a report, one per gate and metric, in the order of its gates.
pub fn summaries(report: &RunReport) -> Result<Vec<Summary>, ReportError> {
    Ok(measurements(report)?.summary()?)
}
