//! A rank plot: one row per file in the comparator's order, a dot at our rank, a small one where it would be equal.

use record::Verdict;
use verdict::gate::Rank;

use super::{axis::Axis, canvas, theme::Role};

/// Draws the ranks of files. `verdict` colours the dots off the diagonal.
pub fn draw(ranks: &[Rank], verdict: Verdict) -> Result<String, String> {
    let most = ranks.iter().flat_map(|rank| [rank.ours, rank.theirs]).max().unwrap_or(1);
    let axis = Axis::over([1.0, most as f64]);
    canvas::draw(ranks.len(), axis, "our rank; rows are in the comparator's order", |canvas| {
        for (row, rank) in ranks.iter().enumerate() {
            canvas.label(row, &rank.file)?;
            canvas.dot(row, rank.theirs as f64, 2, Role::Muted)?;
            if rank.ours != rank.theirs {
                canvas.dot(row, rank.ours as f64, 5, Role::of(verdict))?;
                canvas.note(row, &format!("{}, not {}", rank.ours, rank.theirs), Role::Ink)?;
            }
        }
        Ok(())
    })
}

/// What the plot shows, in words.
pub fn describe(ranks: &[Rank]) -> String {
    let moved = ranks.iter().filter(|rank| rank.ours != rank.theirs);
    let said = |rank: &Rank| format!("{}: {}, not {}", rank.file, rank.ours, rank.theirs);
    let moved: Vec<String> = moved.map(said).collect();
    let same = ranks.len() - moved.len();
    format!(
        "{same} of {} files have the same rank on both sides; {}",
        ranks.len(),
        moved.join("; ")
    )
}
