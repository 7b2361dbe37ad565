//! Scanner for D.
//!
//! Identifiers that are no keyword are names, and so are attributes with
//! their `@`.

mod literals;

use std::ops::Range;
use std::sync::LazyLock;

use self::literals::{Delimited, character_end, number_end};
use super::cursor::{Cursor, Once, is_space};
use super::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "abstract alias align asm assert auto body break case cast catch class const \
        continue debug default delegate delete deprecated do else enum export extern finally final \
        foreach_reverse foreach for function goto if immutable import interface invariant inout in \
        is lazy mixin module new nothrow out override package pragma private protected public pure \
        ref return scope shared static struct super switch synchronized template this throw try \
        typeid typeof union unittest version volatile while with __gshared __traits __vector \
        __parameters typedef bool byte cdouble cent cfloat char creal dchar double float idouble \
        ifloat int ireal long real short ubyte ucent uint ulong ushort void wchar false true null \
        __FILE__ __FILE_FULL_PATH__ __MODULE__ __LINE__ __FUNCTION__ __PRETTY_FUNCTION__ __DATE__ \
        __EOF__ __TIME__ __TIMESTAMP__ __VENDOR__ __VERSION__ macro";
    Words::new(&[((), words)])
});

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    names: &'n mut Vec<Range<usize>>,
    comment: Once,
    double: Once,
    raw: Once,
    back: Once,
    delimited: Delimited,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        names,
        comment: Once::default(),
        double: Once::default(),
        raw: Once::default(),
        back: Once::default(),
        delimited: Delimited::default(),
    };
    while scanner.at < cursor.len() {
        scanner.step();
    }
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(range);
    }

    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' => self.slash(),
            b'.' => {
                let dots = ["...", ".."].iter().find(|dots| cursor.starts(at, dots));
                let number = number_end(cursor, at);
                self.at = number.unwrap_or(at + dots.map_or(1, |dots| dots.len()));
            }
            b'\'' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'"' => {
                let end = self.double.search(|| cursor.quoted_end(at, b'"'));
                self.at = end.map_or(at + 1, |end| suffix_end(cursor, end));
            }
            b'`' => {
                let close = self.back.search(|| cursor.find(at + 1, b'`'));
                self.at = close.map_or(at + 1, |close| suffix_end(cursor, close + 1));
            }
            b'\\' => self.at = literals::escape_end(cursor, at + 1).unwrap_or(at + 1),
            b'@' => {
                let end = if starts_word(next) { cursor.word_end(at + 1) } else { at + 1 };
                self.name(at..end);
            }
            b'#' if cursor.starts(at, "#line") && cursor.is(at + 5, is_space) => {
                let line_break = cursor.find(cursor.after(at + 5), b'\n');
                self.at = line_break.unwrap_or(at) + 1;
            }
            byte if starts_word(byte) => self.word(),
            byte if byte.is_ascii_digit() => self.at = number_end(cursor, at).unwrap_or(at + 1),
            _ => self.at = cursor.after(at),
        }
    }

    fn slash(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let star = at + if cursor.starts(at + 1, "\\\n") { 3 } else { 1 };
        self.at = match cursor.byte(at + 1) {
            b'/' => cursor.next_line(at),
            b'+' => nested_comment_end(cursor, at),
            _ if cursor.byte(star) == b'*' => {
                let close = self.comment.search(|| block_comment_end(cursor, star + 1));
                close.unwrap_or(at + 1)
            }
            _ => at + 1,
        };
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        // A number may start with an underscore.
        if let Some(end) = number_end(cursor, at) {
            self.at = end;
            return;
        }
        let end = cursor.word_end(at);
        if WORDS.has(cursor.slice(at..end)) {
            self.at = end;
            return;
        }
        let literal = match cursor.slice(at..at + 2) {
            "r\"" => {
                let close = self.raw.search(|| cursor.find(at + 2, b'"'));
                close.map(|close| suffix_end(cursor, close + 1))
            }
            "x\"" => {
                let hex = |c: char| c.is_ascii_hexdigit() || c == '_' || is_space(c);
                let close = cursor.run(at + 2, hex);
                (cursor.byte(close) == b'"').then(|| suffix_end(cursor, close + 1))
            }
            "q\"" => self.delimited.end(cursor, at + 2),
            // Its content is scanned like any code; the braces mean nothing.
            "q{" => Some(at + 2),
            _ => None,
        };
        match literal {
            Some(end) => self.at = end,
            None => self.name(at..end),
        }
    }
}

/// Position behind the letter that may follow a string.
fn suffix_end(cursor: Cursor, at: usize) -> usize {
    at + usize::from(matches!(cursor.byte(at), b'c' | b'w' | b'd'))
}

fn block_comment_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut from = at;
    loop {
        let star = cursor.find(from, b'*')?;
        let slash = star + if cursor.starts(star + 1, "\\\n") { 3 } else { 1 };
        if cursor.byte(slash) == b'/' {
            return Some(slash + 1);
        }
        from = star + 1;
    }
}

/// Position behind the comment that starts at `at`; comments with `+` nest.
fn nested_comment_end(cursor: Cursor, at: usize) -> usize {
    let (mut at, mut depth) = (at, 0_usize);
    while at < cursor.len() {
        match (cursor.byte(at), cursor.byte(at + 1)) {
            (b'/', b'+') => depth += 1,
            (b'+', b'/') => depth -= 1,
            _ => {
                at = cursor.ascii_run(at + 1, |byte| !matches!(byte, b'/' | b'+'));
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}
