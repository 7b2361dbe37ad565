//! Literals of D.

use std::collections::BTreeMap;

use crate::cursor::Cursor;

/// End of the number at `at`. A decimal fraction may start with an underscore.
pub(super) fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let digits = |at: usize| cursor.ascii_run(at, digit);
    let hex = |at: usize| cursor.ascii_run(at, |byte| byte.is_ascii_hexdigit() || byte == b'_');
    let exponent = |at: usize, letters: &[u8]| cursor.exponent_end(at, letters, digits);
    let suffixed = |at: usize| Some(cursor.optional(cursor.optional(at, b"fFL"), b"i"));
    let start = at + 2;
    let based = cursor.byte(at) == b'0';
    if based && matches!(cursor.byte(at + 1), b'x' | b'X') {
        let whole = hex(start);
        let fraction = if cursor.byte(whole) == b'.' { hex(whole + 1) } else { whole };
        let significand = if fraction > whole + 1 { fraction } else { whole };
        if let Some(end) = exponent(significand, b"pP").filter(|_| significand > start) {
            return suffixed(end);
        }
    }
    let whole = digits(at);
    if whole > at && cursor.byte(whole) == b'.' {
        let fraction = digits(whole + 1);
        let power = exponent(fraction, b"eE").filter(|_| fraction > whole + 1);
        return suffixed(power.unwrap_or(fraction));
    }
    if whole > at
        && let Some(end) = exponent(whole, b"eE")
    {
        return suffixed(end);
    }
    if cursor.byte(at) == b'.' {
        let end = if cursor.byte(at + 1) == b'0' { at + 2 } else { digits(at + 1) };
        let fits = cursor.byte(at + 1).is_ascii_digit();
        return if fits { suffixed(exponent(end, b"eE").unwrap_or(end)) } else { None };
    }
    if based {
        let run = |test: fn(u8) -> bool| cursor.ascii_run(start, test);
        let octal = |byte: u8| matches!(byte, b'0'..=b'7' | b'_');
        let end = match cursor.byte(at + 1) {
            b'b' | b'B' => run(|byte| matches!(byte, b'0' | b'1' | b'_')),
            b'x' | b'X' => hex(start),
            _ => start,
        };
        if end > start {
            return Some(end);
        }
        let end = cursor.ascii_run(at + 1, octal);
        if end > at + 1 {
            return Some(end);
        }
    }
    if !cursor.byte(at).is_ascii_digit() {
        return None;
    }
    let end = if based { at + 1 } else { whole };
    Some(cursor.optional(end, b"LUu"))
}

/// End of an escape with its backslash before `at`.
pub(super) fn escape_end(cursor: Cursor, at: usize) -> Option<usize> {
    let hex = |count: usize| cursor.hex_digits(at + 1, count).then_some(at + 1 + count);
    match cursor.byte(at) {
        b'\'' | b'"' | b'?' | b'\\' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' => {
            Some(at + 1)
        }
        b'x' => hex(2),
        b'u' => hex(4),
        b'U' => hex(8),
        b'0'..=b'7' => {
            let digits = (at..at + 3).take_while(|at| matches!(cursor.byte(*at), b'0'..=b'7'));
            Some(at + digits.count())
        }
        b'&' => {
            let end = cursor.word_end(at + 1);
            (end > at + 1 && cursor.byte(end) == b';').then_some(end + 1)
        }
        _ => None,
    }
}

/// End of the character whose opening quote is at `at`.
pub(super) fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let closed = |end: &usize| cursor.byte(*end) == b'\'';
    let escaped = (cursor.byte(body) == b'\\').then(|| escape_end(cursor, body + 1)).flatten();
    let single = (body < cursor.len() && cursor.byte(body) != b'\n').then(|| cursor.after(body));
    escaped.filter(closed).or(single.filter(closed)).map(|end| end + 1)
}

/// Strings with delimiters of their own. Their possible ends are collected once per line, so that
/// many unclosed ones do not each search to the end of the line.
#[derive(Default)]
pub(super) struct Delimited {
    line: (usize, usize),
    /// For each character of the line, its last position before a quote.
    last: BTreeMap<char, usize>,
}

impl Delimited {
    /// End of the string whose delimiter is at `at`.
    pub fn end(&mut self, cursor: Cursor, at: usize) -> Option<usize> {
        let delimiter = cursor.character(at).filter(|c| *c != '\n')?;
        let pairs = [('[', b']'), ('(', b')'), ('<', b'>'), ('{', b'}')];
        if let Some((open, close)) = pairs.iter().find(|(open, _)| *open == delimiter) {
            return Some(bracketed_end(cursor, at + 1, *open as u8, *close));
        }
        if delimiter.is_ascii_alphabetic() || delimiter == '_' {
            // The delimiter is a word: the string extends over one line up to the repetition of the
            // word.
            let end = cursor.word_end(at);
            let close = cursor.line_end(end + 1);
            let close_end = close + 1 + (end - at);
            let repeated = cursor.slice(close + 1..close_end) == cursor.slice(at..end);
            if cursor.byte(end) == b'\n' && repeated && cursor.byte(close_end) == b'"' {
                return Some(close_end + 1);
            }
        }
        if !(self.line.0 <= at && at < self.line.1) {
            self.line = (at, cursor.line_end(at));
            let line = cursor.slice(at..self.line.1);
            self.last = line
                .match_indices('"')
                .filter_map(|(offset, _)| cursor.before(at + offset).map(|c| (c, at + offset)))
                .collect();
        }
        let start = cursor.after(at);
        self.last.get(&delimiter).filter(|quote| **quote >= start + delimiter.len_utf8())?;
        let mut from = start;
        loop {
            let found = from + cursor.rest(from).find(delimiter)?;
            let quote = found + delimiter.len_utf8();
            if cursor.byte(quote) == b'"' {
                return Some(quote + 1);
            }
            from = quote;
        }
    }
}

/// End of a string between brackets, which nest; the last one closes only if a quote follows it.
fn bracketed_end(cursor: Cursor, at: usize, open: u8, close: u8) -> usize {
    let (mut at, mut depth) = (at, 0_usize);
    while at < cursor.len() {
        at = cursor.ascii_run(at, |byte| byte != open && byte != close);
        if cursor.byte(at) == open {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
        } else if cursor.byte(at + 1) == b'"' {
            return at + 2;
        }
        at += 1;
    }
    at
}
