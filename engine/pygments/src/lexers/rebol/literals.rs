//! Numbers, dates and similar literals of REBOL. Case does not matter.

use super::{Cursor, is_digit};

/// A letter, as Python compares it without case: four non-ASCII characters count as letters.
pub(super) fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
        || matches!(character, '\u{130}' | '\u{131}' | '\u{17f}' | '\u{212a}')
}

/// End of a run of digits, if there is one.
fn digits(cursor: Cursor, at: usize) -> Option<usize> {
    let end = cursor.run(at, is_digit);
    (end > at).then_some(end)
}

/// End of a sign and the digits after it.
fn marked(cursor: Cursor, at: usize, mark: u8) -> Option<usize> {
    if cursor.byte(at) == mark { digits(cursor, at + 1) } else { None }
}

fn sign_end(cursor: Cursor, at: usize) -> usize {
    at + usize::from(matches!(cursor.byte(at), b'+' | b'-'))
}

/// End of an amount of money, a time or a date.
pub(super) fn date_end(cursor: Cursor, at: usize) -> Option<usize> {
    let start = sign_end(cursor, at);
    let mut unit = start;
    let mut letters = 0;
    while letters < 3 && cursor.is(unit, is_letter) {
        unit = cursor.after(unit);
        letters += 1;
    }
    if let Some(whole) = marked(cursor, unit, b'$') {
        return Some(marked(cursor, whole, b'.').unwrap_or(whole));
    }
    let whole = digits(cursor, start)?;
    if let Some(minutes) = marked(cursor, whole, b':') {
        let seconds = marked(cursor, minutes, b':').unwrap_or(minutes);
        return Some(marked(cursor, seconds, b'.').unwrap_or(seconds));
    }
    let is_mark = |at: usize| matches!(cursor.byte(at), b'-' | b'/');
    let month = cursor.run(whole + 1, |c| c.is_ascii_digit() || is_letter(c));
    if start > at || !is_mark(whole) || month == whole + 1 || !is_mark(month) {
        return None;
    }
    let year = digits(cursor, month + 1)?;
    let Some(hour) = marked(cursor, year, b'/') else {
        return Some(year);
    };
    let Some(minute) = marked(cursor, hour, b':') else {
        return Some(year);
    };
    let second = marked(cursor, minute, b':').unwrap_or(minute);
    let zone = second + usize::from(matches!(cursor.byte(second), b'.' | b'+'));
    let offset = digits(cursor, sign_end(cursor, zone)).and_then(|end| marked(cursor, end, b':'));
    Some(offset.unwrap_or(zone))
}

/// End of a tuple, a pair or a number.
pub(super) fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let start = sign_end(cursor, at);
    let whole = digits(cursor, start)?;
    if start == at {
        let mut end = whole;
        let mut parts = 0;
        while let Some(next) = marked(cursor, end, b'.') {
            end = next;
            parts += 1;
        }
        if parts >= 2 {
            return Some(end);
        }
        if let Some(end) = marked(cursor, whole, b'x').or_else(|| marked(cursor, whole, b'X')) {
            return Some(end);
        }
    }
    let grouped = marked(cursor, whole, b'\'').unwrap_or(whole);
    let comma = matches!(cursor.byte(grouped), b'.' | b',');
    let fraction = if comma { cursor.run(grouped + 1, is_digit) } else { grouped };
    let power = digits(cursor, sign_end(cursor, fraction + 1));
    if matches!(cursor.byte(fraction), b'e' | b'E') && power.is_some() {
        return power;
    }
    Some(fraction)
}

/// End of a character given by its number, as in `^(0a)`.
pub(super) fn escape_end(cursor: Cursor, at: usize) -> Option<usize> {
    let start = at + 2;
    let count = (0..4).take_while(|offset| cursor.byte(start + offset).is_ascii_hexdigit()).count();
    if cursor.byte(at + 1) != b'(' || count == 0 {
        return None;
    }
    Some(cursor.ascii_run(start + count, |byte| byte == b')'))
}
