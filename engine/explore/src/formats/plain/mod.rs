//! Text without a known structure: its beginning, its end and what can be counted.

pub mod fields;

use std::io;

use crate::{
    findings::{Findings, Task, cut, grouped},
    text::Text,
};
use fields::TextFields;

/// First and last lines that the summary shows.
const FIRST: usize = 10;
const LAST: usize = 5;
/// Longest line that the summary shows, in characters.
const WIDTH: usize = 200;

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
    preview(&mut findings, &lines);
    Ok(findings)
}

/// A bounded preview of a text: its first and last lines, with a line between them that says how
/// many are left out.
pub fn preview(findings: &mut Findings, lines: &[&str]) {
    let summary = &mut findings.summary;
    if lines.is_empty() {
        summary.line("The file is empty.");
        return;
    }
    summary.blank();
    summary.line("Text:");
    let show = |line: &&str| format!("  {}", cut(line, WIDTH));
    if lines.len() <= FIRST + LAST {
        for line in lines {
            summary.line(&show(line));
        }
        return;
    }
    for line in lines.iter().take(FIRST) {
        summary.line(&show(line));
    }
    summary.line(&format!("  ({} lines between)", grouped(lines.len() - FIRST - LAST)));
    for line in lines.iter().skip(lines.len() - LAST) {
        summary.line(&show(line));
    }
}
