//! The length of a summary: never longer than its file, and never above a budget.

mod blocks;
mod telling;
mod whole;

use base::tokens::Counter;

use crate::{
    Exploration, Options, disclosure::Shown, exploration::Truncation, findings::Task, tokens,
};

/// Share of a budget that the summary may use if lines of the file follow it, in percent.
const SUMMARY: usize = 60;
/// Smallest budget that is shared in this way, in tokens.
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
    {
        cut(&mut found, &mut lists, budget * SUMMARY / 100);
        let room = budget.saturating_sub(Counter.count(&found.summary) + 1);
        if let Some(telling) = lines.telling(&found.summary, room) {
            found.summary = format!("{}\n\n{}", found.summary, telling.text);
            if telling.shown < telling.total {
                found.truncated.push(row("Lines", telling.shown, telling.total));
            }
        }
    }
    if let Some(budget) = budget {
        cut(&mut found, &mut lists, budget);
    }
    found.token_count = tokens(&found.summary, task.profile);
    found
}

/// The file in place of its summary, if it is shorter or fits the budget. Its lines are numbered if
/// the numbers fit the budget as well.
fn in_place(task: &Task, found: &Exploration, budget: Option<usize>) -> Option<String> {
    let Some(budget) = budget else {
        let text = whole::text(task, found, found.summary.len(), false)?;
        return (text.len() <= found.summary.len()).then_some(text);
    };
    let numbered = |numbered| {
        let text = whole::text(task, found, budget.saturating_mul(4), numbered)?;
        (Counter.count(&text) <= budget).then_some(text)
    };
    numbered(true).or_else(|| numbered(false))
}

/// Cuts a summary to at most `most` tokens. `lists` are the lists that it shows; they are used up.
fn cut(found: &mut Exploration, lists: &mut Vec<Shown>, most: usize) {
    if Counter.count(&found.summary) <= most {
        return;
    }
    let cut = blocks::cut(&found.summary, most);
    // Rows about lists of the JSON stay; rows about the text are counted again from what is left of
    // it.
    found.truncated.retain(|row| row.section.is_empty());
    let is_left = |line| cut.left.get(line) == Some(&true);
    let rows = std::mem::take(lists).into_iter().filter_map(|list| list.among(is_left));
    drop(found.truncated.splice(0..0, rows));
    found.truncated.push(row("Summary", cut.shown, cut.total));
    found.summary = cut.text;
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
