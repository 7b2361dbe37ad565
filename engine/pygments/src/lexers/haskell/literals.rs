//! String, character and number literals of Haskell.

use super::{Haskell, State};
use crate::{
    cursor::{Cursor, is_digit, is_space},
    identifiers::is_upper,
};

/// Names of control characters after a backslash. Earlier ones are preferred.
const CONTROLS: &[&str] = &[
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US", "SP", "DEL",
];

impl Haskell<'_, '_> {
    pub fn character(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.after(at);
        match cursor.byte(at) {
            b'\\' => self.enter(at + 1, State::Escape),
            b'\'' => self.leave(at + 1),
            _ if cursor.byte(end) == b'\'' => self.leave(end + 1),
            _ => self.skip(),
        }
    }

    pub fn text(&mut self) {
        match self.byte() {
            b'\\' => self.enter(self.at + 1, State::Escape),
            b'"' => self.leave(self.at + 1),
            _ => {
                let plain = |byte| !matches!(byte, b'"' | b'\\');
                self.at = self.cursor.ascii_run(self.at, plain);
            }
        }
    }

    /// The escape after a backslash; anything else is skipped.
    pub fn escape(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = cursor.byte(at);
        if byte != 0 && b"abfnrtv\"'&\\".contains(&byte) {
            return self.leave(at + 1);
        }
        let next = |c: char| matches!(c, '[' | ']' | '@' | '^' | '_') || is_upper(c);
        if byte == b'^' && cursor.is(at + 1, next) {
            return self.leave(cursor.after(at + 1));
        }
        if let Some(end) = cursor.any(at, CONTROLS) {
            return self.leave(end);
        }
        let digits = match byte {
            b'o' => cursor.ascii_run(at + 1, |byte| matches!(byte, b'0'..=b'7')),
            b'x' => cursor.run(at + 1, |c| c.is_ascii_hexdigit() || is_digit(c)),
            _ => cursor.run(at, is_digit),
        };
        if digits > at + usize::from(matches!(byte, b'o' | b'x')) {
            return self.leave(digits);
        }
        let gap = cursor.run(at, is_space);
        if gap > at && cursor.byte(gap) == b'\\' {
            return self.leave(gap + 1);
        }
        self.skip();
    }
}

/// End of the number at `at`; underscores may stand between its digits.
pub(super) fn number_end(cursor: Cursor, at: usize) -> usize {
    let underscores = |from: usize| cursor.ascii_run(from, |byte| byte == b'_');
    let digits = |start: usize, test: &dyn Fn(char) -> bool| {
        let mut end = start;
        loop {
            let next = if end > start { underscores(end) } else { start };
            if !cursor.is(next, test) {
                return (end > start).then_some(end);
            }
            end = cursor.after(next);
        }
    };
    let exponent = |from: usize, letter: u8| {
        let at = underscores(from);
        let start = at + 1 + usize::from(matches!(cursor.byte(at + 1), b'+' | b'-'));
        if cursor.byte(at).eq_ignore_ascii_case(&letter) { digits(start, &is_digit) } else { None }
    };
    let float = |whole: usize, letter: u8, test: &dyn Fn(char) -> bool| {
        let fraction = digits(whole + 1, test).filter(|_| cursor.byte(whole) == b'.');
        exponent(whole, letter)
            .or_else(|| fraction.map(|end| exponent(end, letter).unwrap_or(end)))
            .unwrap_or(whole)
    };
    if cursor.byte(at) == b'0' {
        let start = underscores(at + 2);
        let based = match cursor.byte(at + 1) {
            b'x' | b'X' => {
                let hex = |c: char| c.is_ascii_hexdigit() || is_digit(c);
                digits(start, &hex).map(|whole| float(whole, b'p', &hex))
            }
            b'b' | b'B' => digits(start, &|c| matches!(c, '0' | '1')),
            b'o' | b'O' => digits(start, &|c| matches!(c, '0'..='7')),
            _ => None,
        };
        if let Some(end) = based {
            return end;
        }
    }
    let whole = digits(at, &is_digit).unwrap_or(at + 1);
    float(whole, b'e', &is_digit)
}
