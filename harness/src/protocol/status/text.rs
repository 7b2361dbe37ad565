//! Formats the status of the protocol in force as text.

use std::fmt;

use super::{Made, Standing, Status, Wrong};
use crate::protocol::version::short;

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.protocol;
        let by = self.frozen_by.as_deref().map(|commit| format!(" by commit {}", short(commit)));
        if self.frozen {
            let by = by.unwrap_or_else(|| ", not committed yet".to_owned());
            writeln!(out, "protocol {name} is in force, frozen{by}: {} files", self.files)?;
        } else {
            writeln!(
                out,
                "protocol {name} is in force, as a draft: `cargo parity protocol freeze` freezes it"
            )?;
        }
        if let Some(why) = &self.no_history {
            writeln!(out, "history not checked: {why}")?;
        }
        for one in &self.differs {
            let what = match one.what {
                Wrong::Changed => "changed",
                Wrong::Missing => "missing",
                Wrong::NotFrozen => "not frozen",
            };
            writeln!(out, "  {what:10} {}", one.file)?;
        }
        for change in &self.changed_by {
            writeln!(out, "  {change}")?;
        }
        if self.frozen && self.differs.is_empty() && self.changed_by.is_empty() {
            let by_commit =
                if self.frozen_by.is_some() { "; no commit changed one since" } else { "" };
            writeln!(out, "every frozen file is what was frozen{by_commit}")?;
        }
        writeln!(out, "\nresults")?;
        let width = self.results.iter().map(|one| one.what.len()).max().unwrap_or(0);
        self.results.iter().try_for_each(|one| result(out, one, width))?;
        let due = self.results.iter().filter(|one| one.is_due()).count();
        writeln!(out, "\n{} results, {due} to be made again", self.results.len())
    }
}

/// A result on one line, and the command that makes it again if that is due.
fn result(out: &mut fmt::Formatter<'_>, one: &Made, width: usize) -> fmt::Result {
    let standing = match one.standing {
        Standing::Current => "current",
        Standing::Stale => "stale",
        Standing::Missing => "missing",
        Standing::Unknown => "unknown",
    };
    let versions: Vec<&str> = one.made_under.iter().map(String::as_str).collect();
    let versions = if versions.is_empty() { "-".to_owned() } else { versions.join(", ") };
    let local = if one.local { "not committed" } else { "" };
    let how = if one.known_by.is_empty() { local } else { &one.known_by };
    writeln!(out, "  {standing:8} {versions:4} {:width$}  {how}", one.what)?;
    if one.is_due() {
        writeln!(out, "           again: {}", one.made_by)?;
    }
    Ok(())
}
