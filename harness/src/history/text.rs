//! A comparison as text.

use std::fmt;

use super::{CellChange, Diff, GateChange, Moved, Place, Times};
use crate::report::{escape::visible, figure};

/// The most cells of a kind that are listed one by one; the JSON output has all of them.
const LISTED: usize = 20;

impl fmt::Display for Diff {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "before  {}", visible(&self.before.title()))?;
        writeln!(out, "after   {}", visible(&self.after.title()))?;
        if self.is_empty() {
            writeln!(out, "\nnothing changed: {} cells compared", self.compared)?;
            return self.ending(out);
        }
        for unlike in &self.unlike {
            writeln!(out, "not alike  {}", visible(unlike))?;
        }
        let names = [
            ("corpora gone", &self.corpora_gone),
            ("corpora added", &self.corpora_added),
            ("corpora of another commit", &self.corpora_changed),
        ];
        for (what, names) in names.into_iter().filter(|(_, names)| !names.is_empty()) {
            writeln!(out, "\n{what}: {}", visible(&names.join(" ")))?;
        }
        list(out, "cells gone", &self.cells_gone, Place::to_string)?;
        list(out, "gates", &self.gates, GateChange::to_string)?;
        list(out, "cells with another verdict", &self.changed, CellChange::to_string)?;
        list(out, "cells that moved, with the same verdict", &self.moved, Moved::to_string)?;
        list(out, "cells added", &self.cells_added, Place::to_string)?;
        let regressed = if self.is_regression() {
            "something that was measured or passed does not any more"
        } else {
            "nothing that passed or was measured is lost"
        };
        writeln!(out, "\n{} cells compared: {regressed}", self.compared)?;
        self.ending(out)
    }
}

impl Diff {
    /// What decides nothing: which recordings are the same, and what took how long.
    fn ending(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(recordings) = &self.recordings {
            writeln!(out, "{recordings}")?;
        }
        list(out, "wall times, kind by kind", &self.times, Times::to_string)
    }
}

fn list<T>(
    out: &mut fmt::Formatter<'_>,
    title: &str,
    items: &[T],
    said: impl Fn(&T) -> String,
) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", items.len())?;
    for item in items.iter().take(LISTED) {
        writeln!(out, "  {}", said(item))?;
    }
    match items.len().checked_sub(LISTED) {
        Some(more) if more > 0 => writeln!(out, "  … and {more} more: see --json"),
        _ => Ok(()),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}  {}", visible(&self.gate), visible(&self.corpus))?;
        if !self.case.is_empty() {
            write!(out, " · {}", visible(&self.case))?;
        }
        if let Some(budget) = self.budget {
            write!(out, " · {} tokens", figure::count(budget))?;
        }
        write!(out, "  {}", visible(&self.metric))
    }
}

impl fmt::Display for GateChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |verdict: &Option<String>| match verdict {
            Some(verdict) => visible(verdict).into_owned(),
            None => "not there".to_owned(),
        };
        write!(out, "{}: {}, then {}", visible(&self.gate), said(&self.before), said(&self.after))
    }
}

impl fmt::Display for CellChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [was, is] = self.values.map(figure::optional);
        let [before, after] = [self.before, self.after].map(figure::words);
        write!(out, "{}: {before} {was}, then {after} {is}", self.place)
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [was, is] = self.values;
        // More digits are written where rounding would make the two look equal.
        let (was, is) = (figure::value(was, is), figure::value(is, was));
        let direction = match self.worse {
            Some(true) => " (towards failing)",
            Some(false) => " (away from failing)",
            None => "",
        };
        write!(out, "{}: {was}, then {is}{direction}", self.place)
    }
}
