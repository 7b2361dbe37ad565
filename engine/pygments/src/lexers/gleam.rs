//! Scanner for Gleam.
//!
//! Identifiers are names, except keywords and words before a dot.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, starts_identifier},
    scanner::Scanner,
    words::Words,
};

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "as assert auto case const delegate derive echo else fn if implement import let \
        macro opaque panic pub test todo type use";
    Words::new(&[((), words)])
});

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Gleam<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Gleam::new(text, names).run(Gleam::step);
}

impl Gleam<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        self.at = match cursor.byte(at) {
            b'/' if cursor.byte(at + 1) == b'/' => cursor.next_line(at),
            b'"' => cursor.loosely_quoted_end(at, b'"', true).unwrap_or(at + 1),
            byte if starts_identifier(byte) => return self.word(),
            _ if cursor.is(at, is_digit) => number_end(cursor, at),
            _ => cursor.after(at),
        };
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if WORDS.has(cursor.slice(at..end)) {
            self.at = end;
            return;
        }
        let letters = cursor.ascii_run(at, starts_identifier);
        if cursor.byte(letters) == b'.' {
            self.at = letters + 1;
        } else {
            self.name(at..end);
        }
    }
}

/// End of the digits at `at`, with single underscores between them.
fn grouped_end(cursor: Cursor, at: usize, digit: impl Fn(char) -> bool) -> usize {
    let mut end = cursor.run(at, &digit);
    while end > at && cursor.byte(end) == b'_' && cursor.is(end + 1, &digit) {
        end = cursor.run(end + 1, &digit);
    }
    end
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let decimal = |at: usize| cursor.exponent_end(at, b"eEf", |at| cursor.digits_end(at));
    let whole = grouped_end(cursor, at, is_digit);
    if cursor.byte(whole) == b'.' && cursor.byte(whole + 1) != b'.' {
        let fraction = grouped_end(cursor, whole + 1, is_digit);
        return decimal(fraction).unwrap_or(fraction);
    }
    if let Some(end) = decimal(whole) {
        return end;
    }
    if cursor.byte(at) != b'0' {
        return whole;
    }
    let start = at + 2;
    let end = match cursor.byte(at + 1) {
        b'b' | b'B' => grouped_end(cursor, start, |c| matches!(c, '0' | '1')),
        b'o' | b'O' => grouped_end(cursor, start, |c| c.is_digit(8)),
        b'x' | b'X' => {
            let hex = |c: char| c.is_ascii_hexdigit();
            let end = grouped_end(cursor, start, hex);
            let dot = usize::from(end > start && cursor.byte(end) == b'.');
            let fraction = if dot == 1 { grouped_end(cursor, end + 1, hex) } else { end };
            let power = cursor.exponent_end(fraction, b"p", |at| cursor.run(at, is_digit));
            power.filter(|_| end > start).unwrap_or(end)
        }
        _ => start,
    };
    if end > start { end } else { whole }
}
