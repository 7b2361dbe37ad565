//! The length of a summary: never longer than its file, and never above a budget.

mod blocks;
mod choice;
mod telling;
mod together;
mod whole;

use base::tokens::Counter;

use whole::Numbers;

use crate::{
    Exploration, Options, disclosure::Shown, exploration::Truncation, findings::Task, tokens,
};

/// Smallest budget in which lines of the file are shown beside its summary, in tokens.
const LEAST: usize = 100;

/// The exploration within a budget of tokens. In the enhancement profile its summary is the file
/// itself if that is shorter.
pub fn fitted(
    task: &Task,
    mut found: Exploration,
    mut lists: Vec<Shown>,
    options: Options,
) -> Exploration {
    let budget = options.budget;
    if options.short
        && let Some(text) = in_place(task, &found, budget)
    {
        // The text is no longer cut, but lists of the object may be incomplete.
        found.truncated.retain_mut(|row| {
            row.section.clear();
            row.shown = 0;
            row.listed.is_some()
        });
        found.summary = text;
        lists.clear();
    } else if options.short
        && let Some(budget) = budget.filter(|budget| *budget >= LEAST)
        && let Some(lines) = telling::lines(task)
        && let Some(both) = together::together(&found.summary, &lines, budget)
    {
        left_out(&mut found, &mut lists, both.shown, both.total, &both.left);
        found.summary = both.text;
        if both.lines > 0 && both.lines < lines.total() {
            found.truncated.push(row("Lines", both.lines, lines.total()));
        }
    }
    if let Some(budget) = budget {
        cut(&mut found, &mut lists, budget);
    }
    found.token_count = tokens(&found.summary, task.profile);
    found
}

/// The file in place of its summary, if it is shorter or fits the budget. The counts of the summary come with
/// it, and its lines are numbered, as far as both fit the budget as well.
fn in_place(task: &Task, found: &Exploration, budget: Option<usize>) -> Option<String> {
    let Some(budget) = budget else {
        let text = whole::text(task, found, found.summary.len(), Numbers::None, "")?;
        return (text.len() <= found.summary.len()).then_some(text);
    };
    let shown = |numbers: Numbers, counts: &str| {
        let text = whole::text(task, found, budget.saturating_mul(4), numbers, counts)?;
        (Counter.count(&text) <= budget).then_some(text)
    };
    let counts = whole::counts(&found.summary);
    // Most files fit as they should be or not at all.
    if let Some(best) = shown(Numbers::All, &counts) {
        return Some(best);
    }
    let bare = shown(Numbers::None, "")?;
    let fewer = [
        (Numbers::All, ""),
        (Numbers::Some, &counts),
        (Numbers::Some, ""),
        (Numbers::Fewest, &counts),
        (Numbers::Fewest, ""),
        (Numbers::None, &counts),
    ];
    fewer.into_iter().find_map(|(numbers, counts)| shown(numbers, counts)).or(Some(bare))
}

/// Cuts a summary to at most `most` tokens. `lists` are the lists that it shows; they are used up.
fn cut(found: &mut Exploration, lists: &mut Vec<Shown>, most: usize) {
    if Counter.count(&found.summary) <= most {
        return;
    }
    let cut = blocks::cut(&found.summary, most);
    left_out(found, lists, cut.shown, cut.total, &cut.left);
    found.summary = cut.text;
}

/// Records what of a summary is shown: so many of all lines, and for each line whether it is left.
fn left_out(
    found: &mut Exploration,
    lists: &mut Vec<Shown>,
    shown: usize,
    total: usize,
    left: &[bool],
) {
    // Rows about lists of the JSON stay; rows about the text are counted again from what is left of
    // it.
    found.truncated.retain(|row| row.section.is_empty());
    let is_left = |line| left.get(line) == Some(&true);
    let rows = std::mem::take(lists).into_iter().filter_map(|list| list.among(is_left));
    drop(found.truncated.splice(0..0, rows));
    if shown < total {
        found.truncated.push(row("Summary", shown, total));
    }
}

/// The row of a list of lines that the JSON does not contain.
fn row(section: &str, shown: usize, total: usize) -> Truncation {
    Truncation {
        section: section.to_owned(),
        shown,
        total,
        list: String::new(),
        listed: None,
        at_least: false,
    }
}
