//! Extent of Perl's number literals.

use crate::cursor::{Cursor, is_digit};

/// End of the number at `at`, if there is one. A number may start with underscores if a fraction
/// follows them.
pub(super) fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |at: usize| cursor.run(at, is_digit);
    if cursor.byte(at) == b'0' {
        let octal = |at: usize| cursor.ascii_run(at, |byte| matches!(byte, b'0'..=b'7'));
        let hex = |at: usize| cursor.ascii_run(at, |byte| byte.is_ascii_hexdigit());
        let binary = |at: usize| cursor.ascii_run(at, |byte| matches!(byte, b'0' | b'1'));
        let start = cursor.optional(at + 1, b"_");
        let end = match cursor.byte(at + 1) {
            b'x' => grouped(cursor, at + 2, hex),
            b'b' => grouped(cursor, at + 2, binary),
            _ => grouped(cursor, start, octal),
        };
        if end.is_some() {
            return end;
        }
    }
    let loose = |at: usize| cursor.run(at, |c| c == '_' || is_digit(c));
    let whole = loose(at);
    if cursor.byte(whole) == b'.' && digits(whole + 1) > whole + 1 {
        let fraction = loose(whole + 1);
        return Some(cursor.exponent_end(fraction, b"eE", digits).unwrap_or(fraction));
    }
    if !cursor.is(at, is_digit) {
        return None;
    }
    let exponent = cursor.exponent_end(whole, b"eE", digits).map(loose);
    exponent.or_else(|| grouped(cursor, at, digits))
}

/// End of runs of digits, separated by single underscores.
fn grouped(cursor: Cursor, at: usize, digits: impl Fn(usize) -> usize) -> Option<usize> {
    let mut end = digits(at);
    if end == at {
        return None;
    }
    while cursor.byte(end) == b'_' {
        let next = digits(end + 1);
        if next == end + 1 {
            break;
        }
        end = next;
    }
    Some(end)
}
