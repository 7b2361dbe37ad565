//! Titles of reStructuredText and AsciiDoc.

use super::{Part, entry};
use crate::exploration::Entry;

/// Signs of which underlines consist.
const SIGNS: &str = "=-~^\"'`:.*+#_<>";
/// Shortest underline.
const SHORTEST: usize = 3;

/// Titles with an underline and perhaps an overline. Levels follow from the order in which the
/// kinds of lines first occur.
pub fn underlined(lines: &[&str]) -> Vec<Part> {
    let mut kinds: Vec<(char, bool)> = Vec::new();
    let mut titles = Vec::new();
    for (index, pair) in lines.windows(2).enumerate() {
        let [title, below] = pair else { continue };
        let Some(sign) = rule(below) else { continue };
        let text = title.trim();
        let above = index.checked_sub(1).and_then(|above| lines.get(above));
        let over = above.and_then(|above| rule(above)) == Some(sign);
        // Without an overline, a title begins in the first column.
        let margin = over || !title.starts_with(char::is_whitespace);
        let blank = above.is_none_or(|above| above.trim().is_empty())
            || over
            || rule(above.unwrap_or(&"")).is_some();
        if text.is_empty() || rule(title).is_some() || !margin || !blank && titles.is_empty() {
            continue;
        }
        if below.trim_end().chars().count() < text.chars().count() {
            continue;
        }
        let level = kinds.iter().position(|kind| *kind == (sign, over)).unwrap_or_else(|| {
            kinds.push((sign, over));
            kinds.len() - 1
        });
        titles.push(indented(index, text, level));
    }
    vec![("Titles", titles)]
}

/// The sign of which a line consists, if it is an underline.
fn rule(line: &str) -> Option<char> {
    let line = line.trim_end();
    let sign = line.chars().next().filter(|sign| SIGNS.contains(*sign))?;
    (line.len() >= SHORTEST && line.chars().all(|other| other == sign)).then_some(sign)
}

/// Titles with one equals sign per level before them, outside code blocks.
pub fn marked(lines: &[&str]) -> Vec<Part> {
    let mut titles = Vec::new();
    let mut block: Option<&str> = None;
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        let fence = ["----", "....", "====", "++++", "////"].iter().any(|sign| {
            line.starts_with(sign) && line.chars().all(|other| sign.starts_with(other))
        });
        if fence {
            match block {
                Some(open) if open == line => block = None,
                None => block = Some(line),
                Some(_) => {}
            }
            continue;
        }
        let text = line.trim_start_matches('=');
        let level = line.len() - text.len();
        if block.is_none() && (1..=6).contains(&level) && text.starts_with(' ') {
            titles.push(indented(index, text.trim(), level - 1));
        }
    }
    vec![("Titles", titles)]
}

fn indented(index: usize, text: &str, level: usize) -> Entry {
    let entry = entry(index, text);
    Entry { text: format!("{}{}", "  ".repeat(level.min(8)), entry.text), ..entry }
}
