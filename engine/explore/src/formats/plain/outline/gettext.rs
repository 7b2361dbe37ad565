//! Catalogues of gettext: what their header says, how many messages are in which state, and the messages.

use indexmap::IndexMap;

use super::{Part, entry};
use crate::exploration::Entry;

/// A message that is being read.
#[derive(Default)]
struct Message {
    /// Index of the line of its `msgid`.
    line: usize,
    id: String,
    translation: String,
    flags: Vec<String>,
}

/// The parts of a catalogue. Obsolete messages, behind `#~`, are none of its messages.
pub fn catalogue(lines: &[&str]) -> Vec<Part> {
    let (mut header, mut messages) = (Vec::new(), Vec::new());
    let mut states: IndexMap<String, (usize, usize)> = IndexMap::new();
    let mut flags: Vec<String> = Vec::new();
    let mut open: Option<Message> = None;
    let mut is_translation = false;
    let mut end = |message: Option<Message>| {
        let Some(message) = message else { return };
        if message.id.is_empty() {
            let fields = message.translation.split("\\n").filter(|field| !field.is_empty());
            header.extend(fields.map(|field| entry(message.line, field)));
            return;
        }
        let state = if message.translation.is_empty() { "not translated" } else { "translated" };
        for state in message.flags.iter().map(String::as_str).chain([state]) {
            states.entry(state.to_owned()).or_insert((message.line, 0)).1 += 1;
        }
        messages.push(entry(message.line, &message.id));
    };
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim();
        if let Some(listed) = line.strip_prefix("#,") {
            flags.extend(listed.split(',').map(|flag| flag.trim().to_owned()));
        } else if let Some(text) = line.strip_prefix("msgid ") {
            end(open.take());
            let flags = std::mem::take(&mut flags);
            open = Some(Message { line: index, id: unquoted(text), flags, ..Message::default() });
            is_translation = false;
        } else if let Some(message) = &mut open {
            let text = match line.split_once(' ') {
                Some((word, text)) if word.starts_with("msgstr") => {
                    is_translation = true;
                    text
                }
                Some(("msgid_plural" | "msgctxt", _)) => continue,
                _ if line.starts_with('"') => line,
                _ => continue,
            };
            let all = if is_translation { &mut message.translation } else { &mut message.id };
            if all.len() < super::LONGEST {
                all.push_str(&unquoted(text));
            }
        }
    }
    end(open);
    let states: Vec<Entry> = states
        .into_iter()
        .map(|(state, (line, count))| entry(line, &format!("{state}: {count} messages")))
        .collect();
    vec![("Header", header), ("States", states), ("Messages", messages)]
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('"').unwrap_or(text);
    text.strip_suffix('"').unwrap_or(text).to_owned()
}
