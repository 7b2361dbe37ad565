//! Extent of number literals of Python.

use crate::cursor::{Cursor, is_digit};

/// End of the number at `at`, which may start with its dot.
pub(super) fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |at: usize, test: &dyn Fn(char) -> bool| {
        let mut end = at;
        loop {
            let next = if end > at && cursor.byte(end) == b'_' { end + 1 } else { end };
            if !cursor.is(next, test) {
                return end;
            }
            end = cursor.after(next);
        }
    };
    let exponent = |at: usize| cursor.exponent_end(at, b"eE", |at| digits(at, &is_digit));
    let whole = digits(at, &is_digit);
    if cursor.byte(whole) == b'.' {
        let end = digits(whole + 1, &is_digit);
        return exponent(end).unwrap_or(end);
    }
    if let Some(end) = exponent(whole) {
        return end + usize::from(cursor.byte(end) == b'j');
    }
    let radix = match cursor.byte(at + 1) {
        b'o' | b'O' => 8,
        b'b' | b'B' => 2,
        b'x' | b'X' => 16,
        _ => 0,
    };
    if cursor.byte(at) == b'0' && radix > 0 {
        let start = at + 2 + usize::from(cursor.byte(at + 2) == b'_');
        let end = digits(start, &|character: char| character.is_digit(radix));
        if end > start {
            return end;
        }
    }
    whole
}
