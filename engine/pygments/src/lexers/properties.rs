//! Scanner for Java's `.properties` files.
//!
//! Every key is a name. An escape splits a key: the pieces before and after it are separate names.

use std::ops::Range;

use crate::{
    cursor::{Cursor, is_space},
    scanner::Scanner,
};

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Properties<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Properties::new(text, names).run(Properties::line);
}

impl Properties<'_, '_> {
    #[inline]
    fn line(&mut self) {
        let cursor = self.cursor;
        let start = cursor.blank_end(self.at);
        match cursor.byte(start) {
            b'\n' => self.at = start + 1,
            b'!' | b'#' => self.at = cursor.next_line(start),
            b'/' if cursor.byte(start + 1) == b'/' => self.at = cursor.next_line(start),
            _ => self.key(start),
        }
    }

    /// Reads a key with its value, up to the start of the next line.
    fn key(&mut self, at: usize) {
        let cursor = self.cursor;
        self.at = at;
        while self.at < cursor.len() {
            let at = self.at;
            let end = cursor.run(at, |c| !matches!(c, '\\' | ':' | '=') && !is_space(c));
            if end > at {
                self.note(at..end);
            }
            match cursor.byte(end) {
                b'\\' => self.at = escape_end(cursor, end),
                b'\n' => {
                    self.at = end + 1;
                    return;
                }
                _ => {
                    // White space alone also separates key and value, without the white space after
                    // it.
                    let value = cursor.optional(cursor.blank_end(end), b":=");
                    self.at = value_end(cursor, value);
                    return;
                }
            }
        }
    }
}

/// Position after the line break that ends the value at `at`.
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

/// Position after the escape at `at`; a line continuation includes the white space after it.
fn escape_end(cursor: Cursor, at: usize) -> usize {
    let end = cursor.after(at + 1);
    if cursor.byte(at + 1) == b'\n' { cursor.blank_end(end) } else { end }
}
