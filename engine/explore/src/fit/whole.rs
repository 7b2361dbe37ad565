//! The file itself in place of a summary.

use super::telling::is_landmark;
use crate::{
    Exploration,
    dispatch::Family,
    findings::Task,
    hidden::is_hidden,
    input::WHOLE_LIMIT,
    text::{Encoding, Text, looks_like_text},
};

/// Largest file that is considered, in bytes: no summary is as long.
const LONGEST: u64 = 64 * 1024;

/// Each line whose number is a multiple of this has its number, if there is no room for all of them.
const EVERY: usize = 10;

/// Which lines have their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// All.
    All,
    /// Those that begin a definition, and every tenth.
    Some,
    /// Those that begin a definition.
    Fewest,
    /// None.
    None,
}

/// The lines of a summary that count something and are no entry of a list: titles such as `Imports (3)`, with
/// the counts by kind behind them, and what stands under `Structure`. On one line.
pub fn counts(summary: &str) -> String {
    let mut counts: Vec<&str> = Vec::new();
    let mut in_structure = false;
    for line in summary.lines() {
        in_structure = line == "Structure:" || (in_structure && line.starts_with(' '));
        let is_count = |text: &str| text.ends_with(|sign: char| sign.is_ascii_digit());
        let is_title = !line.starts_with(' ') && line.contains('(') && line.contains("):");
        if is_title || (in_structure && is_count(line)) || line.starts_with("Lines: ") {
            counts.push(line.trim().trim_end_matches(':'));
        }
    }
    counts.join("; ")
}

/// A line of ours, followed by the file with its secrets masked; `None` if it is not text, or has
/// more than about `most` bytes. Our line holds what the summary says but the text does not; the
/// defect of a malformed file has a line of its own. `counts` has a line of its own, too.
pub fn text(
    task: &Task,
    found: &Exploration,
    most: usize,
    numbers: Numbers,
    counts: &str,
) -> Option<String> {
    let size = task.input.size();
    let is_text = matches!(task.family, Family::Code | Family::Data | Family::Text);
    if !is_text
        || size == 0
        || size > LONGEST.min(WHOLE_LIMIT)
        || size > (most as u64).saturating_mul(2)
    {
        return None;
    }
    let content = task.input.content().ok()?;
    let head = content.bytes.get(..content.bytes.len().min(8 * 1024))?;
    if !looks_like_text(head) {
        return None;
    }
    let decoded = Text::decode(&content.bytes);
    if is_hidden(task, &decoded.text) {
        return None;
    }
    let mut text = format!("File: {}, whole", task.input.base_name());
    if decoded.encoding != Encoding::Utf8 {
        text.push_str(&format!(", {}", decoded.encoding.name()));
    }
    // Composed names, such as those of nested imports, do not occur in the text as such.
    let composed: Vec<&str> = found
        .imports
        .iter()
        .map(|import| import.path.as_str())
        .chain(found.symbols.iter().map(|symbol| symbol.name.as_str()))
        .filter(|name| !decoded.text.contains(name.trim()))
        .collect();
    if !composed.is_empty() {
        text.push_str(&format!(", names: {}", composed.join(", ")));
    }
    let plain = |sign: char| if sign.is_control() && sign != '\t' { ' ' } else { sign };
    let mut whole: String = text.chars().map(plain).collect();
    if !counts.is_empty() {
        whole.push('\n');
        whole.extend(counts.chars().map(plain));
    }
    if let Some(malformed) = &found.malformed {
        let line = malformed.line.map_or_else(String::new, |line| format!(" (line {line})"));
        whole.push_str("\nMalformed: ");
        whole.extend(format!("{}{line}", malformed.what).chars().map(plain));
    }
    let is_code = task.family == Family::Code;
    let lines = task.secrets.lines(&task.input.name, &decoded.text, is_code);
    for (index, line) in lines.iter().enumerate() {
        whole.push('\n');
        let is_numbered = match numbers {
            Numbers::All => true,
            Numbers::Some => (index + 1) % EVERY == 0 || is_landmark(line),
            Numbers::Fewest => is_landmark(line),
            Numbers::None => false,
        };
        if is_numbered {
            whole.push_str(&format!("{}: ", index + 1));
        }
        whole.extend(line.chars().map(plain));
    }
    whole.truncate(whole.trim_end().len());
    Some(whole)
}
