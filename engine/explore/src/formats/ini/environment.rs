//! Environment files: one variable, with a value that may be in quotes.

use super::reader::Entry;

/// The value of an environment line, without white space before it.
fn assigned(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    Some((name.trim(), value.trim_start_matches([' ', '\t'])))
}

/// Whether the value begins with a quote that is not closed.
pub fn quote_is_open(text: &str) -> bool {
    let Some((_, value)) = assigned(text) else { return false };
    let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return false;
    };
    closing(value, quote).is_none()
}

/// The position where the quote at the beginning of a value is closed.
fn closing(value: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in value.char_indices().skip(1) {
        if !escaped && character == quote {
            return Some(at);
        }
        escaped = !escaped && character == '\\';
    }
    None
}

/// An environment variable.
pub fn variable(text: &str, line: u64, give: &mut impl FnMut(Entry)) {
    let Some((name, value)) = assigned(text) else {
        let name = text.strip_prefix("export ").unwrap_or(text).trim();
        if name.chars().all(|character| character.is_alphanumeric() || character == '_') {
            give(Entry::Key { name: name.to_owned(), value: None, line });
        } else {
            give(Entry::Other);
        }
        return;
    };
    let name = name.strip_prefix("export ").unwrap_or(name).trim().trim_matches('\'');
    if name.is_empty() || name.contains(char::is_whitespace) {
        give(Entry::Bad { what: "a name should stand before the sign", line });
        return;
    }
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = match quote.and_then(|quote| closing(value, quote)) {
        Some(end) => value.get(1..end).unwrap_or_default(),
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    give(Entry::Key { name: name.to_owned(), value: Some(value.to_owned()), line });
}
