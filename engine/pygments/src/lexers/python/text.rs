//! Strings of Python.
//!
//! Plain strings contain no names, but the scanner must find their end as the comparator does: it
//! reads `{...}` fields in them, too, and a quote in a field does not close the string.

use super::{Python, State};
use crate::cursor::{Cursor, Searched, is_digit};

/// How a string is quoted, and which escapes it has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Quotes {
    quote: u8,
    triple: bool,
    raw: bool,
    bytes: bool,
}

/// Whether a word before a quote is a string prefix.
pub(super) fn is_prefix(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(lower.as_str(), "r" | "u" | "b" | "f" | "rb" | "br" | "rf" | "fr")
}

impl Quotes {
    fn ends(self, cursor: Cursor, at: usize) -> Option<usize> {
        let length = if self.triple { 3 } else { 1 };
        (at..at + length).all(|place| cursor.byte(place) == self.quote).then_some(at + length)
    }

    /// End of the escape whose backslash is at `at`; a backslash that escapes
    /// nothing stands for itself.
    fn escape_end(self, cursor: Cursor, at: usize, searched: &mut Searched) -> usize {
        let next = cursor.byte(at + 1);
        if self.raw {
            let escapes = !self.triple && (next == self.quote || matches!(next, b'\\' | b'\n'));
            return at + 1 + usize::from(escapes);
        }
        if !self.bytes && cursor.starts(at + 1, "N{") {
            let plain = |byte| !matches!(byte, b'}' | b'\n');
            let close = searched.search(at + 3, || cursor.ascii_run(at + 3, plain));
            if cursor.byte(close) == b'}' {
                return close + 1;
            }
        }
        at + 1 + usize::from(b"\\abfnrtv\"'\n".contains(&next))
    }
}

impl Python<'_, '_> {
    /// A string whose prefix has been read; its quote is at `at`.
    pub fn text(&mut self, prefix: &str, at: usize) {
        let has = |letter: u8| prefix.bytes().any(|byte| byte.eq_ignore_ascii_case(&letter));
        let quote = self.cursor.byte(at);
        let triple = (at..at + 3).all(|place| self.cursor.byte(place) == quote);
        let quotes = Quotes { quote, triple, raw: has(b'r'), bytes: has(b'b') };
        self.at = at + if triple { 3 } else { 1 };
        if has(b'f') { self.enter(self.at, State::Formatted(quotes)) } else { self.plain(quotes) }
    }

    fn plain(&mut self, quotes: Quotes) {
        let cursor = self.cursor;
        while self.at < cursor.len() {
            let plain = |byte| !matches!(byte, b'"' | b'\'' | b'\\' | b'{' | b'\n');
            self.at = cursor.ascii_run(self.at, plain);
            if let Some(end) = quotes.ends(cursor, self.at) {
                self.at = end;
                return;
            }
            match self.byte() {
                b'\\' => self.at = quotes.escape_end(cursor, self.at, &mut self.memory.brace),
                b'{' => {
                    let double = usize::from(cursor.byte(self.at + 1) == b'{');
                    self.at = self.field_end().unwrap_or(self.at + 1 + double);
                }
                b'\n' if !quotes.triple => return self.skip(),
                _ => self.at += 1,
            }
        }
    }

    /// End of the format field that starts at the current brace:
    /// `{name.part[key]!r:format}`.
    fn field_end(&mut self) -> Option<usize> {
        let cursor = self.cursor;
        let mut at = cursor.word_end(self.at + 1);
        if at > self.at + 1 {
            loop {
                let word = cursor.word_end(at + 1);
                at = match cursor.byte(at) {
                    b'.' if word > at + 1 => word,
                    b'[' if cursor.byte(at + 1) != b']' => match self.ending(at + 1, "]") {
                        Some(end) => end,
                        None => break,
                    },
                    _ => break,
                };
            }
        }
        if cursor.byte(at) == b'!' && matches!(cursor.byte(at + 1), b's' | b'r' | b'a') {
            at += 2;
        }
        if cursor.byte(at) == b'}' {
            return Some(at + 1);
        }
        (cursor.byte(at) == b':').then(|| format_end(cursor, at + 1))?
    }

    /// One step in an f-string.
    pub fn formatted(&mut self, quotes: Quotes) {
        let cursor = self.cursor;
        let doubled = cursor.byte(self.at + 1) == self.byte();
        if let Some(end) = quotes.ends(cursor, self.at) {
            return self.leave(end);
        }
        match self.byte() {
            b'{' | b'}' if doubled => self.at += 2,
            b'{' => self.enter(self.at + 1, State::Field),
            b'\\' => self.at = quotes.escape_end(cursor, self.at, &mut self.memory.brace),
            b'\n' if !quotes.triple => self.skip(),
            b'}' | b'"' | b'\'' | b'\n' => self.at += 1,
            _ => {
                let plain = |byte| !matches!(byte, b'"' | b'\'' | b'\\' | b'{' | b'}' | b'\n');
                self.at = cursor.ascii_run(self.at, plain);
            }
        }
    }

    /// One step in a replacement field; it ends at `}` or at its format.
    pub fn field(&mut self) {
        let cursor = self.cursor;
        let mut at = self.at;
        if cursor.byte(at) == b'=' {
            at = cursor.space_end(at + 1);
        }
        if cursor.byte(at) == b'!' && b"sraf".contains(&cursor.byte(at + 1)) {
            at += 2;
        }
        if matches!(cursor.byte(at), b'}' | b':') {
            return self.leave(at + 1);
        }
        self.bracketed();
    }

    /// One step in brackets in a replacement field.
    pub fn brackets(&mut self) {
        if matches!(self.byte(), b')' | b']' | b'}') {
            return self.leave(self.at + 1);
        }
        self.bracketed();
    }

    fn bracketed(&mut self) {
        if self.space() {
            return;
        }
        if matches!(self.byte(), b'(' | b'[' | b'{') {
            self.enter(self.at + 1, State::Brackets);
        } else {
            self.expression();
        }
    }
}

/// End of a format after its colon, including the closing brace. All its parts are optional; the
/// fill character before the alignment may be any character.
fn format_end(cursor: Cursor, at: usize) -> Option<usize> {
    let is_align = |at: usize| matches!(cursor.byte(at), b'<' | b'>' | b'=' | b'^');
    let filled = cursor.after(at);
    let starts = [
        (is_align(filled) && cursor.byte(at) != b'\n').then_some(filled + 1),
        is_align(at).then_some(at + 1),
        Some(at),
    ];
    starts.into_iter().flatten().find_map(|mut at| {
        at = cursor.optional(at, b"-+ ");
        at = cursor.optional(at, b"#");
        at = cursor.optional(at, b"0");
        at = cursor.run(at, is_digit);
        at = cursor.optional(at, b",");
        if cursor.byte(at) == b'.' && cursor.is(at + 1, is_digit) {
            at = cursor.run(at + 1, is_digit);
        }
        at = cursor.optional(at, b"EFGXbcdefgnosx%");
        (cursor.byte(at) == b'}').then_some(at + 1)
    })
}
