//! Text without a known structure: its beginning, its end and a few counts.

pub mod fields;
mod outline;

use std::io;

use crate::{
    dispatch::Family,
    findings::{Findings, Task, cut, grouped},
    text::Text,
};
use fields::TextFields;

/// Number of first and of last lines that the summary shows.
const FIRST: usize = 10;
const LAST: usize = 5;
/// Longest line in the summary, in characters.
const WIDTH: usize = 200;
/// Number of lines around the shown ones that are searched for secrets, and longest part of each,
/// in bytes.
const BEFORE: usize = 120;
const KEPT: usize = 2_000;

/// Explores a text.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let content = task.input.content()?;
    let text = Text::decode(&content.bytes);
    let mut findings = Findings::new(task);
    let words = text.text.split_whitespace().count();
    findings.facts = TextFields {
        size: task.input.size(),
        line_count: text.lines(),
        word_count: words,
        encoding: text.encoding,
        sampled: content.sampled,
    }
    .into();
    if text.damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
    let summary = &mut findings.summary;
    summary.line(&format!("Format: Text ({})", text.encoding.name()));
    summary.line(&format!("Size: {} bytes", grouped(task.input.size())));
    if content.sampled {
        summary.line("[SAMPLED - Large Text File]");
    }
    let lines: Vec<&str> = text.text.lines().collect();
    summary.line(&format!("Lines: {}, words: {}", grouped(lines.len()), grouped(words)));
    if !task.profile.is_parity() {
        for (title, entries) in outline::parts(task.input.base_name(), &lines) {
            findings.part(task, title, entries);
        }
    }
    if findings.parts.is_empty() {
        preview(&mut findings, task, &lines);
    }
    Ok(findings)
}

/// A preview of a text: its first and last lines, with a line between them that gives the number of
/// missing ones.
pub fn preview(findings: &mut Findings, task: &Task, lines: &[&str]) {
    let summary = &mut findings.summary;
    if lines.is_empty() {
        summary.line("The file is empty.");
        return;
    }
    summary.blank();
    summary.line("Text:");
    let is_code = task.family == Family::Code;
    // A private key may begin before the shown lines.
    let masked = |lines: &[&str]| -> Vec<String> {
        let text: String =
            lines.iter().flat_map(|line| [cut(line, KEPT), "\n".to_owned()]).collect();
        let lines = task.secrets.lines(&task.input.name, &text, is_code);
        lines.iter().map(|line| format!("  {}", cut(line, WIDTH))).collect()
    };
    if lines.len() <= FIRST + LAST {
        for line in masked(lines) {
            summary.line(&line);
        }
        return;
    }
    for line in masked(lines.get(..BEFORE.min(lines.len())).unwrap_or_default()).iter().take(FIRST)
    {
        summary.line(line);
    }
    summary.line(&format!("  ({} lines between)", grouped(lines.len() - FIRST - LAST)));
    let end = masked(lines.get(lines.len().saturating_sub(BEFORE)..).unwrap_or_default());
    for line in end.iter().skip(end.len().saturating_sub(LAST)) {
        summary.line(line);
    }
}
