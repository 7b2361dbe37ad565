//! A bar plot: one row per corpus, the share of its cells that pass.

use record::Verdict;

use super::{axis::Axis, canvas, theme::Role};

/// One bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// Number of cells that pass.
    pub passed: usize,
    /// Number of cells.
    pub total: usize,
    /// The worst verdict among them, which colours the part that does not pass.
    pub verdict: Verdict,
}

/// Draws the bars from 0 to 100 %: first the part that passes, then the rest.
pub fn draw(bars: &[Bar], axis_label: &str) -> Result<String, String> {
    canvas::draw(bars.len(), Axis::percent(), axis_label, |canvas| {
        for (index, bar) in bars.iter().enumerate() {
            let share = if bar.total > 0 { bar.passed as f64 / bar.total as f64 } else { 0.0 };
            let percent = 100.0 * share;
            canvas.label(index, &bar.label)?;
            canvas.bar(index, 0.0, 100.0, Role::Rule)?;
            if bar.passed > 0 {
                canvas.bar(index, 0.0, percent, Role::Pass)?;
            }
            if bar.passed < bar.total {
                canvas.bar(index, percent, 100.0, Role::of(bar.verdict))?;
            }
            let role = if bar.passed == bar.total { Role::Muted } else { Role::of(bar.verdict) };
            canvas.note(index, &format!("{}/{}", bar.passed, bar.total), role)?;
        }
        Ok(())
    })
}

/// What the bars show, in words.
pub fn describe(bars: &[Bar]) -> String {
    let shown = |bar: &Bar| format!("{}: {} of {} cells pass", bar.label, bar.passed, bar.total);
    bars.iter().map(shown).collect::<Vec<_>>().join("; ")
}
