//! Scanners for Lisps: Common Lisp and Emacs Lisp.
//!
//! Every symbol that is not quoted and neither a special form nor a number is a name. The two
//! languages differ in the characters of symbols and in what may follow a number.

mod common;
mod emacs;

use crate::cursor::{Cursor, is_digit, is_word};

pub(super) use self::common::scan as scan_common;
pub(super) use self::emacs::scan as scan_emacs;

/// Whether the backslash at `at` escapes a character of the same line.
fn is_escape(cursor: Cursor, at: usize) -> bool {
    at + 1 < cursor.len() && cursor.byte(at + 1) != b'\n'
}

/// Position after one character of a symbol, which is a word character, an
/// escape or one of `signs`; the first one must not be `#` or a colon.
fn part_end(cursor: Cursor, at: usize, signs: &[u8], first: bool) -> Option<usize> {
    let byte = cursor.byte(at);
    if byte == b'\\' {
        return is_escape(cursor, at).then(|| cursor.after(at + 1));
    }
    let fits =
        cursor.is(at, is_word) || signs.contains(&byte) || !first && matches!(byte, b'#' | b':');
    fits.then(|| cursor.after(at))
}

/// End of a symbol.
fn symbol_end(cursor: Cursor, at: usize, signs: &[u8]) -> Option<usize> {
    let mut end = part_end(cursor, at, signs, true)?;
    while let Some(next) = part_end(cursor, end, signs, false) {
        end = next;
    }
    Some(end)
}

/// End of a symbol between stars, at the last star of the run.
fn global_end(cursor: Cursor, at: usize, signs: &[u8]) -> Option<usize> {
    if cursor.byte(at) != b'*' {
        return None;
    }
    let mut end = part_end(cursor, at + 1, signs, true)?;
    let mut last = None;
    while let Some(next) = part_end(cursor, end, signs, false) {
        if cursor.byte(end) == b'*' {
            last = Some(next);
        }
        end = next;
    }
    last
}

/// End of the number at `at`. Only one of `followers` may follow it; before any other character it
/// is a symbol. `letter` returns the end of an exponent's letter.
fn number_end(
    cursor: Cursor,
    at: usize,
    followers: &[u8],
    letter: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let digits = |from: usize| cursor.run(from, is_digit);
    let ended = |end: usize| followers.contains(&cursor.byte(end)).then_some(end);
    let exponent = |at: usize| {
        let start = cursor.optional(letter(at)?, b"+-");
        (digits(start) > start).then(|| digits(start))
    };
    let start = cursor.optional(at, b"+-");
    let whole = digits(start);
    let has_whole = whole > start;
    let dot = cursor.byte(whole) == b'.';
    let fraction = if dot { digits(whole + 1) } else { whole };
    if has_whole && fraction <= whole + 1 {
        // An integer, which may end in a dot.
        if let Some(end) = ended(fraction).or_else(|| ended(whole)) {
            return Some(end);
        }
    }
    if has_whole && cursor.byte(whole) == b'/' && digits(whole + 1) > whole + 1 {
        return ended(digits(whole + 1));
    }
    if has_whole || dot && fraction > whole + 1 {
        let end = exponent(fraction).or((fraction > whole + 1).then_some(fraction))?;
        return ended(end);
    }
    None
}

/// End of one or two numbers with a slash between them, after a sign.
fn ratio_end(cursor: Cursor, at: usize, digit: fn(char) -> bool) -> Option<usize> {
    let start = cursor.optional(at, b"+-");
    let end = cursor.run(start, digit);
    if end == start {
        return None;
    }
    let second = cursor.run(end + 1, digit);
    Some(if cursor.byte(end) == b'/' && second > end + 1 { second } else { end })
}
