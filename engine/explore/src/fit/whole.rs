//! The file itself in place of a summary.

use base::secrets::{Certainty, Secrets, certainty};

use crate::{
    Exploration,
    dispatch::Family,
    findings::Task,
    input::WHOLE_LIMIT,
    text::{Encoding, Text, looks_like_text},
};

/// Longest file that is looked at, in bytes: no summary is as long.
const LONGEST: u64 = 64 * 1024;

/// A line of ours, then the file with its secrets masked; none if it is no text, or has more than about
/// `most` bytes. What the summary says and the text does not stands in our line; the defect of a malformed file
/// has a line of its own.
pub fn text(task: &Task, found: &Exploration, most: usize) -> Option<String> {
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
    if task.secrets == Secrets::Masked {
        let is_hidden = match found.explorer_used.as_str() {
            "csv" => names_secrets(&decoded.text),
            "json" | "yaml" | "toml" | "ini" => holds_secrets(&decoded.text),
            _ => false,
        };
        if is_hidden {
            return None;
        }
    }
    let mut text = format!("File: {}, whole", task.input.base_name());
    if decoded.encoding != Encoding::Utf8 {
        text.push_str(&format!(", {}", decoded.encoding.name()));
    }
    // Composed names, such as those of nested imports, stand nowhere in the text.
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
    for line in task.secrets.lines(&task.input.name, &decoded.text, is_code) {
        whole.push('\n');
        whole.extend(line.chars().map(plain));
    }
    whole.truncate(whole.trim_end().len());
    Some(whole)
}

/// Whether a cell of a table is called as secrets are: then what is in its column or row may be one, which a
/// line does not tell.
fn names_secrets(table: &str) -> bool {
    let mut cells = table.split([',', ';', '\t', '|', '\n']);
    cells.any(|cell| certainty(cell.trim().trim_matches('"')) >= Certainty::Certain)
}

/// Whether the name of a secret stands before values that are in it, as in `credentials: {value: x}` or
/// `[db.password]`. The explorer knows what a value is in, a line does not.
fn holds_secrets(text: &str) -> bool {
    let is_section = |line: &str| {
        let name = line.trim().strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        name.is_some_and(|name| is_secret_name(name.trim_matches(['[', ']', '"', ' '])))
    };
    let opens = |(at, sign): (usize, &str)| {
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let brackets = behind.starts_with(['{', '[']);
        // In YAML the values may stand in the lines below.
        let below = behind.is_empty() || behind.starts_with(['\r', '\n', '&', '!', '|', '>']);
        let before = text.get(..at).unwrap_or_default();
        let before = before.trim_end_matches(['"', '\'', '\n', '\r', ' ', '\t']);
        let name = before.rsplit(['"', '\'', '\n', ' ', '\t', '{', '[', ',', ':', '=']).next();
        (brackets || sign == ":" && below) && name.is_some_and(is_secret_name)
    };
    text.lines().any(is_section) || text.match_indices([':', '=']).any(opens)
}

fn is_secret_name(name: &str) -> bool {
    certainty(name) >= Certainty::Certain
}
