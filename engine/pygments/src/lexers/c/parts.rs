//! Lexical pieces that the C scanner and its look-ahead share.
//!
//! Every function takes the position where its piece starts.

use std::{collections::BTreeMap, ops::Range};

use crate::cursor::{Cursor, Searched, is_digit, is_word};

/// End of an identifier: word characters, `$` and `\u0123` escapes, not
/// starting with a digit; with `namespaced` also any `::`.
pub(super) fn identifier_end(cursor: Cursor, at: usize, namespaced: bool) -> Option<usize> {
    if cursor.byte(at) < b'$' && cursor.byte(at) != 0 || cursor.is(at, is_digit) {
        return None;
    }
    let mut end = at;
    loop {
        let step = match cursor.byte(end) {
            b'$' => end + 1,
            b'\\' if cursor.byte(end + 1) == b'u' && cursor.hex_digits(end + 2, 4) => end + 6,
            b'\\' if cursor.byte(end + 1) == b'U' && cursor.hex_digits(end + 2, 8) => end + 10,
            b':' if namespaced && cursor.byte(end + 1) == b':' => end + 2,
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => cursor.word_end(end),
            byte if byte >= 0x80 && cursor.is(end, is_word) => cursor.word_end(end),
            _ => return (end > at).then_some(end),
        };
        end = step;
    }
}

/// End of a character literal whose opening quote is at `at`.
pub(super) fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let next = cursor.byte(body);
    if next != b'\\' {
        let end = cursor.after(body);
        let fits = body < cursor.len() && !matches!(next, b'\'' | b'\n');
        return (fits && cursor.byte(end) == b'\'').then_some(end + 1);
    }
    let code = body + 1;
    let mut ends = vec![];
    if code < cursor.len() && cursor.byte(code) != b'\n' {
        ends.push(cursor.after(code));
    }
    let digits = |from: usize, most: usize, test: fn(u8) -> bool| {
        (1..=most)
            .take_while(move |count| test(cursor.byte(from + count - 1)))
            .map(move |count| from + count)
    };
    ends.extend(digits(code, 3, |byte| matches!(byte, b'0'..=b'7')));
    if cursor.byte(code) == b'x' {
        ends.extend(digits(code + 1, 2, |byte| byte.is_ascii_hexdigit()));
    }
    ends.into_iter().find(|end| cursor.byte(*end) == b'\'').map(|end| end + 1)
}

/// End of an escape in a string, with its backslash before `at`; a backslash that escapes nothing
/// stands for itself.
pub(super) fn escape_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize, most: usize, test: fn(u8) -> bool| {
        from + (from..from + most).take_while(|at| test(cursor.byte(*at))).count()
    };
    let hex = |byte: u8| byte.is_ascii_hexdigit();
    match cursor.byte(at) {
        b'\\' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\n' => at + 1,
        b'x' if cursor.hex_digits(at + 1, 2) => digits(at + 1, 4, hex),
        b'u' if cursor.hex_digits(at + 1, 4) => at + 5,
        b'U' if cursor.hex_digits(at + 1, 8) => at + 9,
        _ => digits(at, 3, |byte| matches!(byte, b'0'..=b'7')),
    }
}

/// Position after the line comment at `at`; a backslash before the line
/// break continues it. `None` if no line break follows.
pub(super) fn line_comment_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut end = None;
    let mut from = at + 2;
    while let Some(line_break) = cursor.find(from, b'\n') {
        end = Some(line_break + 1);
        if cursor.byte(line_break - 1) != b'\\' {
            break;
        }
        from = line_break + 1;
    }
    end
}

/// Position after `/*`, whose two bytes may be split by a continued line.
pub(super) fn block_comment_start(cursor: Cursor, at: usize) -> Option<usize> {
    cursor.any(at, &["/*", "/\\\n*"])
}

/// Position after the end of the block comment whose body starts at `at`.
pub(super) fn block_comment_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut from = at;
    while let Some(star) = cursor.find(from, b'*') {
        if cursor.byte(star + 1) == b'/' {
            return Some(star + 2);
        }
        if cursor.starts(star + 1, "\\\n/") {
            return Some(star + 4);
        }
        from = star + 1;
    }
    None
}

/// Position after white space and whole comments.
pub(super) fn comments_end(cursor: Cursor, at: usize) -> usize {
    let mut end = cursor.space_end(at);
    while cursor.byte(end) == b'/' {
        let comment = if cursor.byte(end + 1) == b'/' {
            line_comment_end(cursor, end)
        } else {
            block_comment_start(cursor, end).and_then(|body| block_comment_end(cursor, body))
        };
        match comment {
            Some(comment) => end = cursor.space_end(comment),
            None => break,
        }
    }
    end
}

/// Position after white space with at most one comment inside one line.
pub(super) fn spaced(cursor: Cursor, at: usize, searched: &mut Searched) -> usize {
    let end = cursor.space_end(at);
    if !cursor.starts(end, "/*") {
        return end;
    }
    let from = end + 2;
    let close = searched.search(from, || {
        let line_end = cursor.line_end(from);
        cursor.slice(from..line_end).find("*/").map_or(line_end, |offset| from + offset)
    });
    if cursor.starts(close, "*/") { cursor.space_end(close + 2) } else { end }
}

/// Whether the `#` at `at` begins `#if 0`.
pub(super) fn is_if_zero(cursor: Cursor, at: usize) -> bool {
    let space = cursor.space_end(at + 3);
    cursor.starts(at, "#if") && space > at + 3 && cursor.byte(space) == b'0'
}

/// The ends of C++ raw strings, collected once per text, so that many unclosed ones do not each
/// search to the end.
#[derive(Default)]
pub(super) struct RawEndings {
    last: Option<BTreeMap<Vec<u8>, usize>>,
}

impl RawEndings {
    /// Delimiter and content of the raw string whose opening quote is at `at`.
    pub fn find(&mut self, cursor: Cursor, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let mut start = cursor.rest(at + 1).char_indices().take(17);
        let open = at + 1 + start.find(|(_, character)| delimiter_ends(*character))?.0;
        if cursor.byte(open) != b'(' {
            return None;
        }
        let delimiter = cursor.slice(at + 1..open);
        let last = self.last.get_or_insert_with(|| last_endings(cursor.text));
        if last.get(delimiter.as_bytes()).is_none_or(|last| *last <= open) {
            return None;
        }
        let ending = [")", delimiter, "\""].concat();
        cursor.find_text(open + 1, &ending).map(|end| (at + 1..open, open + 1..end))
    }
}

/// Characters that cannot stand in the delimiter of a raw string.
fn delimiter_ends(character: char) -> bool {
    matches!(character, '\\' | '(' | ')') || crate::cursor::is_space(character)
}

/// For each delimiter, the position of the last `)delimiter"`.
fn last_endings(text: &str) -> BTreeMap<Vec<u8>, usize> {
    let bytes = text.as_bytes();
    let mut last = BTreeMap::new();
    for quote in memchr::memchr_iter(b'"', bytes) {
        // A delimiter has at most 16 characters, so at most 64 bytes.
        let start = quote.saturating_sub(65);
        let window = bytes.get(start..quote).unwrap_or(&[]);
        if let Some(close) = memchr::memrchr(b')', window) {
            let delimiter = window.get(close + 1..).unwrap_or(&[]);
            last.insert(delimiter.to_vec(), start + close);
        }
    }
    last
}
