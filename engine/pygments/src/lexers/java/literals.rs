//! Extent of string, character and number literals of Java.

use crate::cursor::Cursor;

/// End of a text block whose content starts at `at`.
pub(super) fn text_block_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    loop {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\'));
        if cursor.starts(at, "\"\"\"") {
            return at + 3;
        }
        if at >= cursor.len() {
            return at;
        }
        let escapes = cursor.byte(at) == b'\\' && matches!(cursor.byte(at + 1), b'"' | b'\\');
        at += if escapes { 2 } else { 1 };
    }
}

/// End of the character literal at `at`.
pub(super) fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let escaped = cursor.byte(body) == b'\\';
    let end = cursor.after(body + usize::from(escaped));
    if cursor.byte(end) == b'\'' && end < cursor.len() {
        return Some(end + 1);
    }
    let unicode = cursor.starts(body, "\\u") && cursor.hex_digits(body + 2, 4);
    (unicode && cursor.byte(body + 6) == b'\'').then_some(body + 7)
}

/// End of the number at `at`, or `None` for a dot without digits.
///
/// Exponents and type letters belong to a number of one digit only: `1e5` and `1f` are numbers, but
/// `10f` is the number `10` and the name `f`.
pub(super) fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |from: usize| {
        let starts = cursor.byte(from).is_ascii_digit();
        starts.then(|| cursor.ascii_run(from, |byte| byte.is_ascii_digit() || byte == b'_'))
    };
    let exponent =
        |at: usize, letters: &[u8]| cursor.exponent_end(at, letters, |at| digits(at).unwrap_or(at));
    let whole = digits(at);
    let dot = whole.unwrap_or(at);
    if cursor.byte(dot) == b'.' {
        let fraction = digits(dot + 1);
        if let Some(mantissa) = fraction.or(whole.map(|_| dot + 1)) {
            let end = exponent(mantissa, b"eE").unwrap_or(mantissa);
            return Some(cursor.optional(end, b"fFdD"));
        }
    }
    let whole = whole?;
    if let Some(end) = exponent(at + 1, b"eE") {
        return Some(cursor.optional(end, b"fFdD"));
    }
    if cursor.optional(at + 1, b"fFdD") > at + 1 {
        return Some(at + 2);
    }
    let run = |from: usize, first: fn(u8) -> bool| {
        let starts = first(cursor.byte(from));
        starts.then(|| cursor.ascii_run(from, |byte| first(byte) || byte == b'_'))
    };
    if cursor.byte(at) != b'0' {
        return Some(cursor.optional(whole, b"lL"));
    }
    let end = match cursor.byte(at + 1) {
        b'x' | b'X' => {
            let hex = |from: usize| run(from, |byte| byte.is_ascii_hexdigit());
            let whole = hex(at + 2);
            let dot = whole.unwrap_or(at + 2);
            let has_dot = cursor.byte(dot) == b'.';
            let mantissa = match hex(dot + 1) {
                Some(fraction) if has_dot => Some(fraction),
                _ => whole.map(|whole| whole + usize::from(has_dot)),
            };
            if let Some(end) = mantissa.and_then(|end| exponent(end, b"pP")) {
                return Some(cursor.optional(end, b"fFdD"));
            }
            whole
        }
        b'b' | b'B' => run(at + 2, |byte| matches!(byte, b'0' | b'1')),
        _ => run(at + 1, |byte| matches!(byte, b'0'..=b'7' | b'_')),
    };
    Some(end.map_or(at + 1, |end| cursor.optional(end, b"lL")))
}
