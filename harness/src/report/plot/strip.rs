//! A strip plot: one row per corpus, one dot per measured value, thresholds as dashed lines.

use std::collections::BTreeMap;

use record::Verdict;

use super::{
    axis::Axis,
    canvas::{self, Canvas, Drawn},
    theme::Role,
};
use crate::report::figure;

/// What a strip plot shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// The bounds that the values are compared with, ascending.
    pub thresholds: Vec<f64>,
    /// A shaded range of values.
    pub band: Option<(f64, f64)>,
}

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Finite values, each with its verdict.
    pub points: Vec<(f64, Verdict)>,
    /// Number of cells without a value.
    pub unmeasured: usize,
}

/// Draws the strip. Values that fall on the same pixel share a dot, whose area grows with their number;
/// failures are drawn over passes. The note to the right of a row is its smallest and, if it differs,
/// its largest value.
pub fn draw(strip: &Strip, axis_label: &str) -> Result<String, String> {
    let values = strip.rows.iter().flat_map(|row| &row.points).map(|(value, _)| *value);
    let bounds = strip.band.into_iter().flat_map(|(low, high)| [low, high]);
    let axis = Axis::over(values.chain(strip.thresholds.iter().copied()).chain(bounds));
    canvas::draw(strip.rows.len(), axis, axis_label, |canvas| {
        if let Some((low, high)) = strip.band {
            canvas.band(low, high)?;
        }
        for threshold in &strip.thresholds {
            canvas.bound(*threshold, &figure::number(*threshold))?;
        }
        for (index, row) in strip.rows.iter().enumerate() {
            canvas.label(index, &row.label)?;
            draw_dots(canvas, index, row)?;
            let (note, role) = note(row);
            canvas.note(index, &note, role)?;
        }
        Ok(())
    })
}

/// What the strip shows, in words.
pub fn describe(strip: &Strip) -> String {
    let rows: Vec<String> =
        strip.rows.iter().map(|row| format!("{}: {}", row.label, note(row).0)).collect();
    let bounds: Vec<String> = strip.thresholds.iter().map(|bound| figure::number(*bound)).collect();
    let bounds =
        if bounds.is_empty() { String::new() } else { format!(" Bound: {}.", bounds.join(", ")) };
    format!("{}.{bounds}", rows.join("; "))
}

fn draw_dots(canvas: &Canvas<'_>, index: usize, row: &Row) -> Drawn {
    let mut dots: BTreeMap<(Verdict, i32), (f64, u32)> = BTreeMap::new();
    for (value, verdict) in &row.points {
        dots.entry((*verdict, canvas.x(*value))).or_insert((*value, 0)).1 += 1;
    }
    // Verdicts are ordered from pass to the ones that must stay visible, so the latter are drawn last.
    for ((verdict, _), (value, count)) in dots {
        let radius = (3.0 + f64::from(count).sqrt()).min(9.0).round() as u32;
        canvas.dot(index, value, radius, Role::of(verdict))?;
    }
    Ok(())
}

/// The range of a row in words, and the role that colours it.
fn note(row: &Row) -> (String, Role) {
    let values = || row.points.iter().map(|(value, _)| *value);
    if row.points.is_empty() {
        return ("not measured".to_owned(), Role::Doubt);
    }
    let low = figure::number(values().fold(f64::INFINITY, f64::min));
    let high = figure::number(values().fold(f64::NEG_INFINITY, f64::max));
    let range = if low == high { low } else { format!("{low}–{high}") };
    if row.unmeasured > 0 {
        return (format!("{range}, {} none", row.unmeasured), Role::Doubt);
    }
    let failed = row.points.iter().any(|(_, verdict)| *verdict == Verdict::Fail);
    (range, if failed { Role::Fail } else { Role::Muted })
}
