//! Extent of number literals of the C family.
//!
//! The exact end matters, because letters right after it count as a name:
//! `10LL` is the number `10L` and the name `L`, while `-10LL` is one number.

use crate::cursor::{Cursor, is_digit};

/// End of the number at `at`, optionally with a minus sign; `None` if there is none.
pub(super) fn end(cursor: Cursor, at: usize) -> Option<usize> {
    if cursor.byte(at) == b'-' {
        let at = at + 1;
        return decimal_float(cursor, at, true).or_else(|| integer(cursor, at));
    }
    hexadecimal_float(cursor, at)
        .or_else(|| decimal_float(cursor, at, false))
        .or_else(|| integer(cursor, at))
}

/// Digits of one kind, with single quotes between them.
fn digits(cursor: Cursor, at: usize, test: impl Fn(char) -> bool) -> Option<usize> {
    let mut end = at;
    loop {
        let next = if end > at && cursor.byte(end) == b'\'' { end + 1 } else { end };
        if !cursor.is(next, &test) {
            return (end > at).then_some(end);
        }
        end = cursor.after(next);
    }
}

fn hex(cursor: Cursor, at: usize) -> Option<usize> {
    digits(cursor, at, |character| character.is_ascii_hexdigit())
}

fn decimal(cursor: Cursor, at: usize) -> Option<usize> {
    digits(cursor, at, is_digit)
}

fn prefixed(cursor: Cursor, at: usize, lower: u8) -> bool {
    cursor.byte(at) == b'0' && cursor.byte(at + 1).eq_ignore_ascii_case(&lower)
}

/// Position after an exponent: its letter, a sign and digits.
fn exponent(
    cursor: Cursor,
    at: usize,
    letter: u8,
    digits: fn(Cursor, usize) -> Option<usize>,
) -> Option<usize> {
    if !cursor.byte(at).eq_ignore_ascii_case(&letter) {
        return None;
    }
    digits(cursor, cursor.optional(at + 1, b"+-"))
}

fn hexadecimal_float(cursor: Cursor, at: usize) -> Option<usize> {
    if !prefixed(cursor, at, b'x') {
        return None;
    }
    let whole = hex(cursor, at + 2);
    let dot = whole.unwrap_or(at + 2);
    let fraction = if cursor.byte(dot) == b'.' { hex(cursor, dot + 1) } else { None };
    let power = exponent(cursor, fraction.or(whole)?, b'p', hex)?;
    Some(cursor.optional(power, b"lL"))
}

fn decimal_float(cursor: Cursor, at: usize, negative: bool) -> Option<usize> {
    let whole = decimal(cursor, at);
    let dot = whole.unwrap_or(at);
    let has_dot = cursor.byte(dot) == b'.';
    let fraction = if has_dot { decimal(cursor, dot + 1) } else { None };
    let mantissa = fraction.or(whole)?;
    if let Some(end) = exponent(cursor, mantissa, b'e', decimal) {
        return Some(cursor.optional(end, b"fFlL"));
    }
    match fraction {
        Some(end) => Some(cursor.optional(end, b"fFlL")),
        None if has_dot => Some(cursor.optional(dot + 1, b"fFlL")),
        // Digits and a letter alone make a float only without a minus sign.
        None if negative => None,
        None => {
            let end = cursor.optional(mantissa, b"fFlL");
            (end > mantissa).then_some(end)
        }
    }
}

fn integer(cursor: Cursor, at: usize) -> Option<usize> {
    let based = if prefixed(cursor, at, b'x') {
        hex(cursor, at + 2)
    } else if prefixed(cursor, at, b'b') {
        digits(cursor, at + 2, |character| matches!(character, '0' | '1'))
    } else {
        None
    };
    let octal = |character| matches!(character, '0'..='7');
    let end = match based {
        Some(end) => end,
        // A leading zero takes octal digits only; the quote may follow it.
        None if cursor.byte(at) == b'0' => {
            digits(cursor, at, octal).filter(|end| *end > at + 1).or_else(|| decimal(cursor, at))?
        }
        None => decimal(cursor, at)?,
    };
    Some(suffix(cursor, end))
}

/// Position after `u`, `ul`, `ull`, `l`, `ll`, `lu` or `llu` in either case.
fn suffix(cursor: Cursor, at: usize) -> usize {
    let long = |from: usize| {
        (0..2).take_while(|offset| matches!(cursor.byte(from + offset), b'l' | b'L')).count()
    };
    if matches!(cursor.byte(at), b'u' | b'U') {
        return at + 1 + long(at + 1);
    }
    match long(at) {
        0 => at,
        count => cursor.optional(at + count, b"uU"),
    }
}
