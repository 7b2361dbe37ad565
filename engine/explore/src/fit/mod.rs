//! How long a summary is: never longer than the file that it is of, and never above a budget.

mod blocks;
mod whole;

use base::tokens::Counter;

use crate::{Exploration, Options, exploration::Truncation, findings::Task, tokens};

/// An exploration whose summary is the file itself where that is shorter, in the enhancement profile, and
/// which keeps a budget of tokens.
pub fn fitted(task: &Task, mut found: Exploration, options: Options) -> Exploration {
    let budget = options.budget;
    // With a budget that the whole file keeps, nothing needs to be left out.
    let most = if budget.is_some() { usize::MAX } else { found.summary.len() };
    if options.short
        && let Some(text) = whole::text(task, &found, most)
    {
        let shorter = text.len() <= found.summary.len();
        let fits = |budget| Counter.count(&text) <= budget;
        if budget.map_or(shorter, |budget| fits(budget) && (shorter || text.len() < 4 * budget)) {
            // Nothing of the text is cut now, but lists of the object can be.
            found.truncated.retain_mut(|row| {
                row.section.clear();
                row.shown = 0;
                row.listed.is_some()
            });
            found.summary = text;
        }
    }
    if let Some(budget) = budget
        && Counter.count(&found.summary) > budget
    {
        let cut = blocks::cut(&found.summary, budget);
        found.truncated.push(Truncation {
            section: "Summary".to_owned(),
            shown: cut.shown,
            total: cut.total,
            list: String::new(),
            listed: None,
            at_least: false,
        });
        found.summary = cut.text;
    }
    found.token_count = tokens(&found.summary, task.profile);
    found
}
