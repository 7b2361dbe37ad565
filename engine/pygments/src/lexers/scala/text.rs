//! Strings and numbers of Scala.

use super::{
    Scala, State,
    characters::{is_part, is_start},
};
use crate::cursor::Cursor;

impl Scala<'_, '_> {
    /// A string without interpolation that starts here.
    pub(super) fn string(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "\"\"\"") {
            let close = self.memory.triple.search(|| {
                let mut from = at + 3;
                loop {
                    let quote = cursor.find_text(from, "\"\"\"")?;
                    if cursor.byte(quote + 3) != b'"' {
                        return Some(quote + 3);
                    }
                    from = quote + 1;
                }
            });
            if let Some(end) = close {
                self.at = end;
                return;
            }
        }
        self.at = self.string_end(at).unwrap_or(at + 1);
    }

    /// End of a string; if only escaped quotes follow, the last of them.
    fn string_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let end = self.memory.quoted.search(|| {
            let mut end = at + 1;
            loop {
                end = cursor.ascii_run(end, |byte| !matches!(byte, b'"' | b'\\'));
                match (cursor.byte(end), cursor.byte(end + 1)) {
                    (b'"', _) => return Some(end + 1),
                    (b'\\', b'\\' | b'"') => end += 2,
                    (b'\\', _) => end += 1,
                    _ => return None,
                }
            }
        });
        end.or_else(|| cursor.rest(at + 1).rfind('"').map(|offset| at + offset + 2))
    }

    /// A string after `s`, `f` or `raw`.
    pub(super) fn prefixed_string(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "raw\"")
            && let Some(end) = self.string_end(at + 3)
        {
            self.at = end;
            return true;
        }
        if !matches!(cursor.byte(at), b's' | b'f') || cursor.byte(at + 1) != b'"' {
            return false;
        }
        let triple = cursor.starts(at + 1, "\"\"\"");
        self.enter(at + if triple { 4 } else { 2 }, State::Text(triple));
        true
    }

    /// One step in a string with interpolation.
    pub(super) fn text(&mut self, triple: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'"' if !triple => self.leave(at + 1),
            b'"' if cursor.starts(at, "\"\"\"") && cursor.byte(at + 3) != b'"' => {
                self.leave(at + 3);
            }
            b'\\' => self.at = cursor.after(at + 1),
            b'$' if next == b'$' => self.at += 2,
            b'$' if next == b'{' => self.enter(at + 2, State::Braces),
            b'$' if cursor.is(at + 1, is_start) => {
                self.name(at + 1..cursor.run(at + 1, |c| c != '$' && is_part(c)));
            }
            b'"' | b'$' => self.at += 1,
            _ => self.at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\' | b'$')),
        }
    }
}

pub(super) fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.digits_end(from);
    let grouped = |from: usize| {
        let end = cursor.ascii_run(from, |byte| byte.is_ascii_digit() || byte == b'_');
        if cursor.byte(from).is_ascii_digit() { end } else { from }
    };
    let exponent = |from: usize, run: &dyn Fn(usize) -> usize| {
        cursor.exponent_end(from, b"eE", run).unwrap_or(from)
    };
    if cursor.byte(at) == b'0' && matches!(cursor.byte(at + 1), b'x' | b'X') {
        return cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit() || byte == b'_');
    }
    let whole = grouped(at);
    if cursor.byte(whole) == b'.' && grouped(whole + 1) > whole + 1 {
        return cursor.optional(exponent(grouped(whole + 1), &grouped), b"fFdD");
    }
    let whole = digits(at);
    let end = exponent(whole, &digits);
    cursor.optional(end, if end > whole { b"fFdD" } else { b"fFdDlL" })
}
