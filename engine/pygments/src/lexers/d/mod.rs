//! Scanner for D.
//!
//! Identifiers that are not keywords are names, and so are attributes with
//! their `@`.

mod literals;

use std::{ops::Range, sync::LazyLock};

use self::literals::{Delimited, character_end, number_end};
use crate::{
    cursor::{Cursor, Once, is_space, starts_identifier},
    scanner::Scanner,
    words::Words,
};

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

type D<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    comment: Once,
    delimited: Delimited,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    D::new(text, names).run(D::step);
}

impl D<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' => self.slash(),
            b'.' => {
                let dots = cursor.any(at, &["...", ".."]);
                self.at = number_end(cursor, at).or(dots).unwrap_or(at + 1);
            }
            b'\'' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'"' => {
                let end = self.quoted_end(at, b'"');
                self.at = end.map_or(at + 1, |end| suffix_end(cursor, end));
            }
            b'`' => {
                let end = self.ending(at + 1, "`");
                self.at = end.map_or(at + 1, |end| suffix_end(cursor, end));
            }
            b'\\' => self.at = literals::escape_end(cursor, at + 1).unwrap_or(at + 1),
            b'@' => {
                let end = if starts_identifier(next) { cursor.word_end(at + 1) } else { at + 1 };
                self.name(at..end);
            }
            b'#' if cursor.starts(at, "#line") && cursor.is(at + 5, is_space) => {
                let line_break = cursor.find(cursor.after(at + 5), b'\n');
                self.at = line_break.unwrap_or(at) + 1;
            }
            byte if starts_identifier(byte) => self.word(),
            byte if byte.is_ascii_digit() => self.at = number_end(cursor, at).unwrap_or(at + 1),
            _ => self.at = cursor.after(at),
        }
    }

    fn slash(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let star = at + if cursor.starts(at + 1, "\\\n") { 3 } else { 1 };
        self.at = match cursor.byte(at + 1) {
            b'/' => cursor.next_line(at),
            b'+' => cursor.nested_end(at, *b"/+", *b"+/"),
            _ if cursor.byte(star) == b'*' => {
                let close = self.memory.comment.search(|| block_comment_end(cursor, star + 1));
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
            "r\"" => self.ending(at + 2, "\"").map(|end| suffix_end(cursor, end)),
            "x\"" => {
                let hex = |c: char| c.is_ascii_hexdigit() || c == '_' || is_space(c);
                let close = cursor.run(at + 2, hex);
                (cursor.byte(close) == b'"').then(|| suffix_end(cursor, close + 1))
            }
            "q\"" => self.memory.delimited.end(cursor, at + 2),
            // Its content is scanned as ordinary code; the braces have no meaning.
            "q{" => Some(at + 2),
            _ => None,
        };
        match literal {
            Some(end) => self.at = end,
            None => self.name(at..end),
        }
    }
}

/// Position after the letter that may follow a string.
fn suffix_end(cursor: Cursor, at: usize) -> usize {
    cursor.optional(at, b"cwd")
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
