//! Formats a comparison of two versions as text.

use std::fmt;

use serde_json::Value;

use super::{Diff, FileChange, FileState, LabelChange, SignOffChange, ValueChange};
use crate::{
    protocol::{
        floors::{COMPARED, Turn},
        values::{self, Difference, What},
    },
    report::figure::count,
};

/// Longest value that is not cut, in characters. The JSON has all values in full.
const LONGEST: usize = 100;

impl fmt::Display for Diff {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "protocol {} ({}) -> {} ({})",
            self.before.protocol, self.before.from, self.after.protocol, self.after.from
        )?;
        for sentence in &self.not_compared {
            writeln!(out, "not compared: {sentence}")?;
        }
        self.files(out)?;
        self.values(out)?;
        if self.before.whole && self.after.whole {
            self.labels(out)?;
            self.sign_offs(out)?;
        }
        Ok(())
    }
}

impl Diff {
    fn files(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |state| self.files.iter().filter(|file| file.change == state).count();
        writeln!(
            out,
            "\nfiles: {} added, {} removed, {} changed, {} the same",
            number(FileState::Added),
            number(FileState::Removed),
            number(FileState::Changed),
            self.same_files,
        )?;
        for file in &self.files {
            let values = file.values.map(|values| format!(", {values} values")).unwrap_or_default();
            let state = match file.change {
                FileState::Added => "added",
                FileState::Removed => "removed",
                FileState::Changed => "changed",
            };
            writeln!(out, "  {state:8} {}{values}", named(file))?;
        }
        Ok(())
    }

    fn values(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = || self.files.iter().flat_map(|file| &file.changes);
        let turned = |turn| all().filter(|change| change.turn == Some(turn)).count();
        writeln!(
            out,
            "\nvalues: {} changed; {} stricter, {} weaker",
            all().count(),
            turned(Turn::Stricter),
            turned(Turn::Weaker)
        )?;
        let mut files: Vec<&FileChange> = self.files.iter().collect();
        files.retain(|file| file.change == FileState::Changed);
        // Files with thresholds come first, because the texts of declared differences are long.
        files.sort_by_key(|file| !COMPARED.contains(&file.file.as_str()));
        for file in files {
            if file.changes.is_empty() && !super::GENERATED.contains(&file.file.as_str()) {
                writeln!(out, "  {}: no value; comments or layout", file.file)?;
            }
            for change in &file.changes {
                writeln!(out, "  {}: {}", file.file, value(change))?;
            }
        }
        Ok(())
    }

    fn labels(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.labels.is_empty() && self.same_labels == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "\nlabels: {} languages and formats changed, {} the same",
            self.labels.len(),
            self.same_labels
        )?;
        self.labels.iter().try_for_each(|change| writeln!(out, "  {}", label(change)))
    }

    fn sign_offs(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "\ncorpora: {}", moves(&self.corpora_added, &self.corpora_gone))?;
        writeln!(out, "\nsign-offs: {} changed", self.sign_offs.len())?;
        self.sign_offs.iter().try_for_each(|change| sign_off(out, change))
    }
}

fn named(file: &FileChange) -> String {
    if file.about.is_empty() {
        file.file.clone()
    } else {
        format!("{} ({})", file.file, file.about)
    }
}

/// A value, with its purpose and the direction of the change.
fn value(change: &ValueChange) -> String {
    let turn = change.turn.map(|turn| match turn {
        Turn::Stricter => "stricter",
        Turn::Weaker => "weaker",
    });
    let notes: Vec<&str> = change.kind.words().into_iter().chain(turn).collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    format!("{}{notes}", difference(&change.difference))
}

fn difference(one: &Difference) -> String {
    let (key, was, is) = (&one.key, short(one.was.as_ref()), short(one.is.as_ref()));
    match one.what {
        What::Changed => format!("{key} {was} -> {is}"),
        What::Added => format!("{key} is new: {is}"),
        What::Removed => format!("{key} is gone, was {was}"),
        What::EntryAdded => format!("{key} has {is} now"),
        What::EntryRemoved => format!("{key} has {was} no more"),
        What::Reordered => format!("{key} in another order: {is}"),
    }
}

/// A value as JSON, cut if it is long.
fn short(value: Option<&Value>) -> String {
    if let Some(Value::Object(members)) = value
        && members.len() > 1
    {
        return format!("a table of {} values", values::count(&Value::Object(members.clone())));
    }
    let text = value.map(Value::to_string).unwrap_or_default();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

fn label(change: &LabelChange) -> String {
    let files =
        |files: Option<usize>| files.map_or_else(|| "none".to_owned(), |files| count(files as u64));
    let [was, is] = change.files;
    let mut parts = vec![format!("{}: {} -> {} files", change.language, files(was), files(is))];
    for (number, what) in
        [(change.added, "added"), (change.gone, "gone"), (change.relabelled, "with other labels")]
    {
        if number > 0 {
            parts.push(format!("{} {what}", count(number as u64)));
        }
    }
    if !(change.corpora_added.is_empty() && change.corpora_gone.is_empty()) {
        parts.push(format!("corpora {}", moves(&change.corpora_added, &change.corpora_gone)));
    }
    if let Some([was, is]) = &change.oracle {
        parts.push(format!("labelled by {is}, before by {was}"));
    }
    parts.join("; ")
}

fn sign_off(out: &mut fmt::Formatter<'_>, change: &SignOffChange) -> fmt::Result {
    let only = match change.only_in {
        Some("before") => ": gone",
        Some(_) => ": new",
        None => "",
    };
    writeln!(out, "  {}{only}", change.sign_off)?;
    if change.only_in.is_none() {
        for one in &change.changes {
            writeln!(out, "    {}", difference(one))?;
        }
        if !(change.corpora_added.is_empty() && change.corpora_gone.is_empty()) {
            writeln!(out, "    corpora {}", moves(&change.corpora_added, &change.corpora_gone))?;
        }
    }
    let counts = change.counts.iter().map(|one| {
        let (what, was, is) = (one.what.replace('_', " "), count(one.was), count(one.is));
        if one.was == one.is { format!("{what} {is}") } else { format!("{what} {was} -> {is}") }
    });
    writeln!(out, "    {}", counts.collect::<Vec<_>>().join(", "))?;
    if !change.corpora_changed.is_empty() {
        let names = change.corpora_changed.join(", ");
        writeln!(
            out,
            "    asked otherwise about {} corpora: {names}",
            change.corpora_changed.len()
        )?;
    }
    Ok(())
}

/// The names that were added and those that are gone.
fn moves(added: &[String], gone: &[String]) -> String {
    let list = |names: &[String], what: &str| {
        (!names.is_empty()).then(|| format!("{} {what}: {}", names.len(), names.join(", ")))
    };
    let both: Vec<String> =
        [list(added, "added"), list(gone, "gone")].into_iter().flatten().collect();
    if both.is_empty() { "none added, none gone".to_owned() } else { both.join("; ") }
}
