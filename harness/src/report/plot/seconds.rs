//! A bar plot of wall times.

use super::{axis::Axis, canvas, theme::Role};

/// Draws one bar from 0 for each name with its seconds.
pub fn draw(rows: &[(String, f64)]) -> Result<String, String> {
    let axis = Axis::over(rows.iter().map(|(_, seconds)| *seconds).chain([0.0]));
    canvas::draw(rows.len(), axis, "seconds", |canvas| {
        for (row, (name, seconds)) in rows.iter().enumerate() {
            canvas.label(row, name)?;
            canvas.bar(row, 0.0, *seconds, Role::Muted)?;
            canvas.note(row, &format!("{seconds:.1} s"), Role::Ink)?;
        }
        Ok(())
    })
}

/// What the bars show, in words.
pub fn describe(rows: &[(String, f64)]) -> String {
    let said = |(name, seconds): &(String, f64)| format!("{name}: {seconds:.1} s");
    rows.iter().map(said).collect::<Vec<_>>().join("; ")
}
