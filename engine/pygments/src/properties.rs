//! Scanner for Java's `.properties` files.
//!
//! Every key is a name. An escape splits it: the pieces before and behind it
//! count one by one.

use std::ops::Range;

use super::cursor::{Cursor, is_space};

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut at = 0;
    while at < cursor.len() {
        let start = cursor.blank_end(at);
        at = match cursor.byte(start) {
            b'\n' => start + 1,
            b'!' | b'#' => cursor.next_line(start),
            b'/' if cursor.byte(start + 1) == b'/' => cursor.next_line(start),
            _ => key(cursor, start, names),
        };
    }
}

/// Takes a key with its value; gives the start of the next line.
fn key(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let mut at = at;
    while at < cursor.len() {
        let end = cursor.run(at, |c| !matches!(c, '\\' | ':' | '=') && !is_space(c));
        if end > at {
            names.push(at..end);
        }
        match cursor.byte(end) {
            b'\\' => at = escape_end(cursor, end),
            b'\n' => return end + 1,
            _ => {
                let separator = cursor.blank_end(end);
                let sign = matches!(cursor.byte(separator), b':' | b'=');
                // White space by itself separates too, without what is behind.
                return value_end(cursor, separator + usize::from(sign));
            }
        }
    }
    at
}

/// Position behind the line break that ends the value at `at`.
fn value_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    while at < cursor.len() {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'\\' | b'\n'));
        if cursor.byte(at) == b'\\' {
            at = escape_end(cursor, at);
        } else {
            return at + 1;
        }
    }
    at
}

/// Position behind the escape at `at`; a continued line goes on behind its
/// white space.
fn escape_end(cursor: Cursor, at: usize) -> usize {
    let end = cursor.after(at + 1);
    if cursor.byte(at + 1) == b'\n' { cursor.blank_end(end) } else { end }
}
