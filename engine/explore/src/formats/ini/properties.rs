//! Java properties: one logical line.

use super::reader::Entry;

/// A logical line of Java properties.
pub fn property(text: &str, line: u64, give: &mut impl FnMut(Entry)) {
    let blank = |character: char| matches!(character, ' ' | '\t' | '\x0c');
    let mut escaped = false;
    let mut end = text.len();
    for (at, character) in text.char_indices() {
        if !escaped && (blank(character) || matches!(character, '=' | ':')) {
            end = at;
            break;
        }
        escaped = !escaped && character == '\\';
    }
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(blank);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(blank);
    give(Entry::Key { name: unescape(name), value: Some(unescape(rest)), line });
}

/// Resolves the escapes of Java properties.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let hex = rest.as_str().strip_prefix('u').and_then(|hex| hex.get(..4));
        let unit =
            hex.filter(|_| character == '\\').and_then(|hex| u16::from_str_radix(hex, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            rest = rest.as_str().get(5..).unwrap_or_default().chars();
            continue;
        }
        plain.push_str(&String::from_utf16_lossy(&units));
        units.clear();
        match character {
            '\\' => match rest.next() {
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some('t') => plain.push('\t'),
                Some('f') => plain.push('\x0c'),
                Some(other) => plain.push(other),
                None => {}
            },
            _ => plain.push(character),
        }
    }
    plain.push_str(&String::from_utf16_lossy(&units));
    plain
}
