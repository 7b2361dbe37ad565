//! The file itself in place of a summary.

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

/// A line of ours, followed by the file with its secrets masked; `None` if it is not text, or has
/// more than about `most` bytes. Our line holds what the summary says but the text does not; the
/// defect of a malformed file has a line of its own. If `numbered`, the lines have their numbers.
pub fn text(task: &Task, found: &Exploration, most: usize, numbered: bool) -> Option<String> {
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
    if let Some(malformed) = &found.malformed {
        let line = malformed.line.map_or_else(String::new, |line| format!(" (line {line})"));
        whole.push_str("\nMalformed: ");
        whole.extend(format!("{}{line}", malformed.what).chars().map(plain));
    }
    let is_code = task.family == Family::Code;
    let lines = task.secrets.lines(&task.input.name, &decoded.text, is_code);
    for (index, line) in lines.iter().enumerate() {
        whole.push('\n');
        if numbered {
            whole.push_str(&format!("{}: ", index + 1));
        }
        whole.extend(line.chars().map(plain));
    }
    whole.truncate(whole.trim_end().len());
    Some(whole)
}
