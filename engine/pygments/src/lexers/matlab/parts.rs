//! Operators and numbers of MATLAB.

use crate::cursor::{Cursor, is_digit, is_space, is_word};

/// Whether an operator starts at `at`.
pub(super) fn starts_operator(cursor: Cursor, at: usize) -> bool {
    let next = cursor.byte(at + 1);
    match cursor.byte(at) {
        b'-' | b'~' | b'<' | b'>' | b'&' | b'|' | b'*' | b'+' | b'^' | b'/' | b'\\' => true,
        b'=' => next == b'=',
        b'.' => matches!(next, b'*' | b'^' | b'\\' | b'/'),
        _ => false,
    }
}

/// Whether an argument of a command may start at `at`. A backslash is an operator only before white
/// space.
pub(super) fn starts_argument(cursor: Cursor, at: usize) -> bool {
    match cursor.byte(at) {
        b'=' | b'(' => false,
        b'\\' => !cursor.is(at + 1, is_space),
        _ => !starts_operator(cursor, at),
    }
}

/// End of the number at `at`, which must not touch another word.
pub(super) fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |at: usize| cursor.run(at, is_digit);
    let ended = |end: usize| !cursor.is(end, is_word);
    let exponent = |at: usize, digit: fn(char) -> bool| {
        cursor.exponent_end(at, b"eEf", |at| cursor.run(at, digit)).filter(|end| ended(*end))
    };
    if cursor.before(at).is_some_and(is_word) {
        return None;
    }
    let whole = digits(at);
    let dot = whole + 1;
    if cursor.byte(whole) == b'.' {
        let fraction = digits(dot);
        let fits = fraction > dot || whole > at && !starts_operator(cursor, dot);
        let end = exponent(fraction, is_digit).or_else(|| ended(fraction).then_some(fraction));
        if let Some(end) = end.filter(|_| fits) {
            return Some(end);
        }
    }
    if whole == at {
        return None;
    }
    exponent(whole, |c| c.is_ascii_digit()).or_else(|| ended(whole).then_some(whole))
}
