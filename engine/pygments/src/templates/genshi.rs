//! Scanner for Genshi text templates, the comparator's guess for JavaScript
//! that holds `${...}`. What stands in the braces is read as Python.

use std::ops::Range;

use super::layers::Layers;
use crate::cursor::{Cursor, is_space, is_word};
use crate::python;

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let cursor = Cursor::new(text);
    let mut scanner =
        Scanner { cursor, at: 0, layers: Layers::default(), no_line: None, no_close: 0 };
    while scanner.at < cursor.len() {
        if !scanner.line() && !scanner.variable() {
            scanner.other();
        }
    }
    scanner.layers
}

struct Scanner<'t> {
    cursor: Cursor<'t>,
    at: usize,
    layers: Layers,
    /// Line starts up to here are known to start no directive.
    no_line: Option<usize>,
    /// Up to here no brace closes.
    no_close: usize,
}

impl Scanner<'_> {
    fn other(&mut self) {
        let special = |c: char| matches!(c, '#' | '$') || is_space(c);
        let end = self.cursor.run(self.at, |c| !special(c));
        let end = end.max(self.cursor.after(self.at));
        self.layers.leave(self.at..end);
        self.at = end;
    }

    /// A comment or directive: a line that starts with `#`.
    fn line(&mut self) -> bool {
        let known = self.no_line.is_some_and(|known| self.at <= known);
        if known || !self.cursor.at_line_start(self.at) {
            return false;
        }
        let start = self.cursor.space_end(self.at);
        if self.cursor.byte(start) != b'#' {
            self.no_line = Some(start);
            return false;
        }
        if self.cursor.byte(start + 1) == b'#' {
            self.at = self.cursor.line_end(start);
        } else {
            self.at = start + 1;
            while !self.directive() {}
        }
        true
    }

    fn python(&mut self, part: Range<usize>) {
        python::scan(self.cursor.slice(part.clone()), part.start, &mut self.layers.names);
    }

    /// One step in a directive; true at its end.
    fn directive(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if at >= cursor.len() {
            return true;
        }
        if cursor.byte(at) == b'\n' {
            self.at += 1;
            return true;
        }
        let starts = |words: &[&str]| {
            let found = words.iter().find(|word| cursor.starts(at, word));
            found.map(|word| at + word.len())
        };
        if let Some(end) = starts(&["def", "for", "if"])
            && cursor.space_end(end) > end
        {
            self.at = cursor.line_end(cursor.space_end(end));
            self.python(at..self.at);
            return true;
        }
        if let Some(end) = starts(&["choose", "when", "with"])
            && cursor.blank_end(end) > end
        {
            self.at = cursor.line_end(end);
            self.python(cursor.blank_end(end)..self.at);
            return true;
        }
        if let Some(end) = starts(&["choose", "otherwise"])
            && !cursor.is(end, is_word)
        {
            self.at = end;
            return true;
        }
        if cursor.starts(at, "end") {
            self.at = cursor.line_end(at);
            return true;
        }
        self.at = cursor.after(at);
        false
    }

    /// `${expression}` or `$name`.
    fn variable(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let doubled = at > 0 && cursor.byte(at - 1) == b'$';
        if cursor.byte(at) != b'$' || doubled {
            return false;
        }
        let next = cursor.byte(at + 1);
        if next == b'{' {
            let from = cursor.after(at + 2);
            if at < self.no_close || cursor.byte(at + 2) == b'\n' || from > cursor.len() {
                return false;
            }
            let end = cursor.ascii_run(from, |byte| !matches!(byte, b'}' | b'\n'));
            if cursor.byte(end) != b'}' {
                self.no_close = end;
                return false;
            }
            self.python(at + 2..end);
            self.at = end + 1;
            return true;
        }
        if !next.is_ascii_alphabetic() && next != b'_' {
            return false;
        }
        self.at = cursor.run(at + 1, |c| c == '.' || is_word(c));
        self.layers.names.push(at..self.at);
        true
    }
}
