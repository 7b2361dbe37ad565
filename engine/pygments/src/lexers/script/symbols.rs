//! Extent of operators and number literals of JavaScript.

use crate::cursor::Cursor;

/// End of the operator at `at`. It has to be exact, because it decides whether a following `=>` is
/// an arrow.
pub(super) fn operator_end(cursor: Cursor, at: usize) -> usize {
    let byte = cursor.byte(at);
    let same = |count: usize| (0..count).all(|offset| cursor.byte(at + offset) == byte);
    let core = match byte {
        b'~' | b':' => return at + 1,
        b'+' | b'-' if same(2) => return at + 2,
        b'?' if !same(2) => return at + 1,
        b'>' if same(3) => 3,
        b'<' | b'>' | b'*' | b'|' | b'&' | b'?' if same(2) => 2,
        b'=' | b'!' if cursor.byte(at + 1) == b'=' => 2,
        _ => 1,
    };
    at + core + usize::from(cursor.byte(at + core) == b'=')
}

/// End of the number at `at`; separators are not part of it.
pub(super) fn number_end(cursor: Cursor, at: usize) -> usize {
    let run = |from: usize, test: fn(u8) -> bool| cursor.ascii_run(from, test);
    let octal = |byte| matches!(byte, b'0'..=b'7');
    let big = |end: usize| end + usize::from(cursor.byte(end) == b'n');
    if cursor.byte(at) == b'0' {
        let (digits, test): (usize, fn(u8) -> bool) = match cursor.byte(at + 1) {
            b'b' | b'B' => (at + 2, |byte| matches!(byte, b'0' | b'1')),
            b'o' | b'O' => (at + 2, octal),
            b'x' | b'X' => (at + 2, |byte| byte.is_ascii_hexdigit()),
            _ => (at + 1, octal),
        };
        let end = run(digits, test);
        if end > digits {
            return big(end);
        }
    }
    let digit = |byte: u8| byte.is_ascii_digit();
    let whole = run(at, digit);
    if whole > at && cursor.byte(whole) == b'n' {
        return whole + 1;
    }
    let mantissa = if cursor.byte(whole) == b'.' { run(whole + 1, digit) } else { whole };
    cursor.exponent_end(mantissa, b"eE", |at| run(at, digit)).unwrap_or(mantissa)
}
