//! A summary and lines of its file within one budget: the entries of both are chosen together.

use base::tokens::Counter;

use super::{
    choice::{Entry, chosen},
    telling::Lines,
};

/// What a new word is worth in an entry of the summary, and how many words the entry counts for by itself.
const WORD: u64 = 30;
const ENTRY: u64 = 8;

/// What is shown of a summary and of its file.
pub struct Together {
    /// The text; it has at most as many tokens as the budget.
    pub text: String,
    /// Number of lines of the summary that are shown, and number of all.
    pub shown: usize,
    pub total: usize,
    /// For each line of the summary, including blank ones, whether it is shown.
    pub left: Vec<bool>,
    /// Number of lines of the file that are shown.
    pub lines: usize,
}

/// The entries of a summary, whose blocks are separated by blank lines, and lines of its file within a
/// budget in tokens. Each block keeps its title; `None` if the titles alone do not fit.
pub fn together(summary: &str, lines: &Lines, budget: usize) -> Option<Together> {
    let parts: Vec<&str> = summary.lines().collect();
    let mut entries = of_summary(&parts, lines);
    let of_file = entries.len();
    entries.extend(lines.entries());
    let titles: Vec<bool> = (0..parts.len())
        .map(|line| !parts[line].is_empty() && (line == 0 || parts[line - 1].is_empty()))
        .collect();
    let show = |taken: &[usize]| {
        let mut shown = titles.clone();
        shown.resize(entries.len(), false);
        for index in taken {
            shown[*index] = true;
        }
        shown
    };
    let drawn = |taken: &[usize]| drawn(&entries, &parts, &show(taken), lines.total());
    let fits = |taken: &[usize]| Counter.count(&drawn(taken)) <= budget;
    let bare = drawn(&[]);
    let room = budget.checked_sub(Counter.count(&bare))?;
    let taken = chosen(&entries, &bare, room + room / 8);
    // Fewer lines nearly always mean fewer tokens, which the search relies on; the result is counted exactly.
    let (mut least, mut most) = (0, taken.len());
    while least < most {
        let middle = (least + most).div_ceil(2);
        if fits(&taken[..middle]) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    let taken = &taken[..least];
    let mut shown = show(taken);
    let text = drawn(taken);
    let lines = shown.split_off(of_file).into_iter().filter(|shown| *shown).count();
    (Counter.count(&text) <= budget).then(|| Together {
        text,
        shown: shown.iter().filter(|shown| **shown).count(),
        total: parts.iter().filter(|part| !part.is_empty()).count(),
        left: shown,
        lines,
    })
}

/// The lines of a summary as entries. One belongs to the line above it that is indented less, if it is not a
/// title. What stands like this in the file is shown as a line of the file, if at all.
fn of_summary(parts: &[&str], lines: &Lines) -> Vec<Entry> {
    let plain = lines.plain();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut is_title = true;
    let mut entries = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        let text = part.trim_start();
        let indent = part.len() - text.len();
        let is_word = text.contains(char::is_alphanumeric);
        open.retain(|(before, _)| *before < indent && !is_title);
        let above = open.last().map(|(_, line)| *line);
        let worth = if is_title || !is_word || plain.contains(text) { 0 } else { WORD };
        let (start, line) = numbered(part);
        let line = line.or_else(|| numbered_behind(part));
        entries.push(Entry { text: (*part).to_owned(), start, worth, more: ENTRY, line, above });
        if !is_title {
            open.push((indent, index));
        }
        is_title = part.is_empty();
    }
    entries
}

/// Where the words of a summary's line begin, in bytes, and the line of the file that it is about: both after
/// the number of a line or a range of lines, if it begins with one.
fn numbered(part: &str) -> (usize, Option<usize>) {
    let text = part.trim_start();
    let text = text.strip_prefix("line ").unwrap_or(text);
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    let (number, after) = text.split_at(end);
    let rest = after
        .strip_prefix('-')
        .map_or(after, |last| last.trim_start_matches(|sign: char| sign.is_ascii_digit()));
    match number.parse() {
        Ok(line) if rest.starts_with([' ', ':']) => (part.len() - rest.len(), Some(line)),
        _ => (0, None),
    }
}

/// The line of the file that a summary's line names at its end, as in `name: string [7]`.
fn numbered_behind(part: &str) -> Option<usize> {
    let part = part.strip_suffix(" {").unwrap_or(part);
    let (_, number) = part.strip_suffix(']')?.rsplit_once(" [")?;
    number.parse().ok()
}

/// The text of the shown entries: the summary's, how many are missing in each block, and the file's.
fn drawn(entries: &[Entry], parts: &[&str], shown: &[bool], total: usize) -> String {
    let (of_summary, of_file) = entries.split_at(parts.len());
    let (shown_there, shown_here) = shown.split_at(parts.len());
    let mut text = String::new();
    let mut missing = 0;
    let close = |text: &mut String, missing: &mut usize| {
        if *missing > 0 {
            text.push_str(&format!("  ({missing} lines left out)\n"));
            *missing = 0;
        }
    };
    for (entry, shown) in of_summary.iter().zip(shown_there) {
        if entry.text.is_empty() {
            close(&mut text, &mut missing);
            text.push('\n');
        } else if *shown {
            text.push_str(&entry.text);
            text.push('\n');
        } else {
            missing += 1;
        }
    }
    close(&mut text, &mut missing);
    let count = shown_here.iter().filter(|shown| **shown).count();
    if count > 0 {
        text.push_str(&format!("\nLines ({count} of {total}):\n"));
        for (entry, _) in of_file.iter().zip(shown_here).filter(|(_, shown)| **shown) {
            text.push_str(&entry.text);
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text
}
