//! Scanner for R.
//!
//! Identifiers that are not keywords are names; a name before a parenthesis includes the white
//! space in between. A dot alone is a name, too, unless a sign makes it a number.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, Searched, is_word},
    scanner::Scanner,
    words::Words,
};

/// Keywords and constants, if no dot follows.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "NULL NA NA_integer_ NA_real_ NA_complex_ NA_character_ letters LETTERS Inf TRUE FALSE \
        NaN pi if else for while repeat in next break return switch function";
    Words::new(&[((), words)])
});

type R<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    /// Stretches in which every quote is escaped, for two kinds of quotes.
    hidden: [Searched; 2],
    backtick: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    R::new(text, names).run(R::step);
}

impl R<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'#' => self.at = cursor.line_end(at),
            b'\'' => self.text(b'\'', 0),
            b'"' => self.text(b'"', 1),
            b'`' => {
                if self.memory.backtick.end(at).is_some() {
                    self.at += 1;
                    return;
                }
                let (end, closed) = text_end(cursor, at + 1, b'`');
                if closed {
                    self.identifier(end + 1);
                } else {
                    self.memory.backtick.search(at, || end);
                    self.at += 1;
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'.' => self.dots(),
            b'0'..=b'9' => self.at = number_end(cursor, at, at),
            b'+' | b'-' if next.is_ascii_digit() || next == b'.' => {
                self.at = number_end(cursor, at, at + 1);
            }
            // Otherwise a sign would be left for a following number.
            b'<' if next == b'-' => self.at += 2,
            b'<' if cursor.starts(at, "<<-") => self.at += 3,
            b'%' => {
                self.at = self.ending(at + 1, "%").unwrap_or(at + 1);
            }
            _ => self.at = cursor.after(at),
        }
    }

    /// A name that ends at `end`, with white space before a parenthesis.
    fn identifier(&mut self, end: usize) {
        let space = self.cursor.space_end(end);
        let called = self.cursor.byte(space) == b'(';
        self.name(self.at..if called { space } else { end });
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.run(at, |c| c == '.' || is_word(c));
        let word = cursor.slice(at..end);
        if WORDS.has(word) {
            self.at = end;
        } else if matches!(word.split('.').next(), Some("T" | "F")) {
            self.name(at..at + 1);
        } else {
            self.identifier(end);
        }
    }

    /// A token that starts with a dot: a constant like `...` or `..1`, or a name.
    fn dots(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let continues = |at: usize| cursor.is(at, |c| c == '.' || is_word(c));
        if cursor.byte(at + 1) == b'.' {
            let digits = cursor.digits_end(at + 2);
            let end = if cursor.byte(at + 2) == b'.' { at + 3 } else { digits };
            if end > at + 2 && !continues(end) {
                self.at = end;
                return;
            }
        }
        let second = cursor.byte(at + 1);
        let long = second.is_ascii_alphabetic() || matches!(second, b'_' | b'.');
        let run = || cursor.run(at + 1, |c| c == '.' || is_word(c));
        self.identifier(if long { run() } else { at + 1 });
    }

    /// A string. An escaped line break or the end of the text leaves it open. Then its characters
    /// are skipped one by one, until a quote that was escaped closes it or the line ends. After an
    /// escaped line break it is read once more.
    fn text(&mut self, quote: u8, index: usize) {
        let (cursor, mut start) = (self.cursor, self.at + 1);
        let Some(hidden) = self.memory.hidden.get_mut(index) else { return };
        loop {
            if hidden.end(start).is_none() {
                let (end, closed) = text_end(cursor, start, quote);
                if closed {
                    self.at = end + 1;
                    return;
                }
                hidden.set(start, end + 1);
            }
            let stop = cursor.ascii_run(start, |byte| byte != quote && byte != b'\n');
            if cursor.byte(stop) == quote || hidden.end(start) != Some(stop) {
                self.at = stop + 1;
                return;
            }
            start = stop;
        }
    }
}

/// The position where the string whose content starts at `start` is closed, or where it cannot
/// continue; true in the first case.
fn text_end(cursor: Cursor, start: usize, quote: u8) -> (usize, bool) {
    let mut end = start;
    loop {
        end = cursor.ascii_run(end, |byte| byte != quote && byte != b'\\');
        let next = cursor.byte(end + 1);
        match cursor.byte(end) {
            b'\\' if next != b'\n' && end + 1 < cursor.len() => end = cursor.after(end + 1),
            byte => return (end, byte == quote),
        }
    }
}

/// End of the number whose digits start at `start`, after a sign at `at`.
fn number_end(cursor: Cursor, at: usize, start: usize) -> usize {
    let digits = |from: usize| cursor.digits_end(from);
    let typed = |end: usize| cursor.optional(end, b"Li");
    let hex = cursor.ascii_run(start + 2, |byte| byte.is_ascii_hexdigit());
    let based = cursor.byte(start) == b'0' && matches!(cursor.byte(start + 1), b'x' | b'X');
    if at == start && based && hex > start + 2 {
        let power = digits(hex + 1);
        let fits = matches!(cursor.byte(hex), b'p' | b'P') && power > hex + 1;
        return typed(if fits { power } else { hex });
    }
    let whole = digits(start);
    let fraction = if cursor.byte(whole) == b'.' { digits(whole + 1) } else { whole };
    // A dot after digits needs digits after it; a dot after a sign does not.
    let end = if fraction > whole + 1 || whole == start { fraction } else { whole };
    typed(cursor.exponent_end(end, b"eE", digits).unwrap_or(end))
}
