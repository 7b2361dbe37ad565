//! Scanner for Gleam.
//!
//! Identifiers are names, except keywords and what stands in front of a dot.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, is_digit};
use super::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "as assert auto case const delegate derive echo else fn if implement import let \
        macro opaque panic pub test todo type use";
    Words::new(&[((), words)])
});

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut at = 0;
    while at < cursor.len() {
        at = match cursor.byte(at) {
            b'/' if cursor.byte(at + 1) == b'/' => cursor.next_line(at),
            b'"' => cursor.loosely_quoted_end(at, b'"', true).unwrap_or(at + 1),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(cursor, at, names),
            _ if cursor.is(at, is_digit) => number_end(cursor, at),
            _ => cursor.after(at),
        };
    }
}

fn word(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let end = cursor.word_end(at);
    if WORDS.has(cursor.slice(at..end)) {
        return end;
    }
    let letters = cursor.ascii_run(at, |byte| byte.is_ascii_alphabetic() || byte == b'_');
    if cursor.byte(letters) == b'.' {
        return letters + 1;
    }
    names.push(at..end);
    end
}

/// End of the digits at `at`, with single underscores between them.
fn grouped_end(cursor: Cursor, at: usize, digit: impl Fn(char) -> bool) -> usize {
    let mut end = cursor.run(at, &digit);
    while end > at && cursor.byte(end) == b'_' && cursor.is(end + 1, &digit) {
        end = cursor.run(end + 1, &digit);
    }
    end
}

/// Position behind an exponent whose letter is at `at`.
fn exponent_end(cursor: Cursor, at: usize, digit: impl Fn(char) -> bool) -> Option<usize> {
    let start = at + 1 + usize::from(matches!(cursor.byte(at + 1), b'+' | b'-'));
    let end = cursor.run(start, digit);
    (end > start).then_some(end)
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let decimal = |at: usize| match cursor.byte(at) {
        b'e' | b'E' | b'f' => exponent_end(cursor, at, |c| c.is_ascii_digit()),
        _ => None,
    };
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
            let power = (end > start && cursor.byte(fraction) == b'p')
                .then(|| exponent_end(cursor, fraction, is_digit));
            power.flatten().unwrap_or(end)
        }
        _ => start,
    };
    if end > start { end } else { whole }
}
