//! Scanner for Go.
//!
//! Identifiers that are not keywords are names. A predeclared type is a name only in a conversion
//! or call, that is, directly before a parenthesis.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, Once, is_digit, is_word},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Keyword,
    Type,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let keywords = "import package var func struct map chan type interface const break default \
        select case defer go else goto switch fallthrough if range continue for return true false \
        iota nil";
    let types = "uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 float float32 float64 \
        complex64 complex128 byte rune string bool error uintptr any comparable";
    Words::new(&[(Word::Keyword, keywords), (Word::Type, types)])
});

type Go<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    comment: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Go::new(text, names).run(Go::step);
}

impl Go<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        self.at = match cursor.byte(at) {
            b'/' if cursor.byte(at + 1) == b'/' => cursor.line_end(at),
            b'/' => {
                let body = cursor.any(at, &["/*", "/\\\n*"]);
                let memory = &mut self.memory.comment;
                let end = body.and_then(|body| memory.search(|| comment_end(cursor, body)));
                end.unwrap_or(at + 1)
            }
            b'\'' => character_end(cursor, at).unwrap_or(at + 1),
            b'`' => self.ending(at + 1, "`").unwrap_or(at + 1),
            b'"' => self.quoted_end(at, b'"').unwrap_or(at + 1),
            b'.' if cursor.starts(at, "...") => at + 3,
            b'.' if cursor.is(at + 1, is_digit) => number_end(cursor, at),
            _ if cursor.is(at, is_digit) => number_end(cursor, at),
            _ if cursor.is(at, is_word) => return self.word(),
            _ => cursor.after(at),
        };
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        match WORDS.get(cursor.slice(at..end)) {
            Some(Word::Keyword) => self.at = end,
            Some(Word::Type) if cursor.byte(end) != b'(' => self.at = end,
            _ => self.name(at..end),
        }
    }
}

/// Position after `*/`, which a line continuation may split.
fn comment_end(cursor: Cursor, body: usize) -> Option<usize> {
    let mut from = body;
    while let Some(star) = cursor.find(from, b'*') {
        let end = cursor.any(star + 1, &["/", "\\\n/"]);
        if end.is_some() {
            return end;
        }
        from = star + 1;
    }
    None
}

/// End of the character literal at `at`.
fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let closed = |end: usize| (cursor.byte(end) == b'\'').then_some(end + 1);
    if cursor.byte(body) != b'\\' {
        return if body < cursor.len() { closed(cursor.after(body)) } else { None };
    }
    let hex = |count: usize| cursor.hex_digits(body + 2, count).then_some(body + 2 + count);
    let end = match cursor.byte(body + 1) {
        b'x' => hex(2),
        b'u' => hex(4),
        b'U' => hex(8),
        b'0'..=b'7' => {
            let octal = |place: &usize| matches!(cursor.byte(body + 1 + place), b'0'..=b'7');
            Some(body + 1 + (0..3).take_while(octal).count())
        }
        byte if b"'\"\\abfnrtv".contains(&byte) => Some(body + 2),
        _ => None,
    };
    end.and_then(closed)
}

/// End of the number at `at`. Underscores and the prefixes `0b` and `0o` are
/// not part of it.
fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.run(from, is_digit);
    let exponent = |at: usize| cursor.exponent_end(at, b"eE", digits);
    let imaginary = |at: usize| cursor.byte(at) == b'i';
    let whole = digits(at);
    if imaginary(whole) {
        return whole + 1;
    }
    let has_dot = cursor.byte(whole) == b'.';
    let mantissa = if has_dot { digits(whole + 1) } else { whole };
    // An imaginary number needs a sign in its exponent.
    if let Some(end) = exponent(mantissa)
        && matches!(cursor.byte(mantissa + 1), b'+' | b'-')
        && imaginary(end)
    {
        return end + 1;
    }
    if has_dot && imaginary(mantissa) {
        return mantissa + 1;
    }
    if has_dot {
        let exact = mantissa > whole + 1;
        return exponent(mantissa).filter(|_| exact).unwrap_or(mantissa);
    }
    if let Some(end) = exponent(whole) {
        return end;
    }
    let ascii = |from: usize, test: fn(u8) -> bool| cursor.ascii_run(from, test);
    match (cursor.byte(at), cursor.byte(at + 1)) {
        (b'0', b'0'..=b'7') => ascii(at + 1, |byte| matches!(byte, b'0'..=b'7')),
        (b'0', b'x' | b'X') if cursor.hex_digits(at + 2, 1) => {
            ascii(at + 2, |byte| byte.is_ascii_hexdigit())
        }
        (b'1'..=b'9', _) => ascii(at, |byte| byte.is_ascii_digit()),
        _ => cursor.after(at),
    }
}
