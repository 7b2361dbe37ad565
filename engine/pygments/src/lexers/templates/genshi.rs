//! Scanner for Genshi text templates, which the comparator guesses for JavaScript that contains
//! `${...}`. The text in the braces is read as Python.

use std::ops::Range;

use super::layers::{Layers, Outside};
use crate::{
    cursor::{Searched, is_word, starts_identifier},
    lexers::python,
    scanner::Scanner,
};

type Genshi<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    outside: Outside,
    /// White space at the start of lines that are not directives.
    no_line: Searched,
    /// A stretch without a closing brace.
    no_close: Searched,
}

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut names = Vec::new();
    let mut genshi = Genshi::new(text, &mut names);
    genshi.run(Genshi::step);
    let outside = genshi.memory.outside;
    Layers { names, outside }
}

impl Genshi<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if !self.line() && !self.variable() {
            self.other();
        }
    }

    fn other(&mut self) {
        // Only a dollar sign or the start of a line can begin a construct.
        let (cursor, next) = (self.cursor, self.cursor.after(self.at));
        let plain = |byte| !matches!(byte, b'$' | b'\n');
        let end = if self.byte() == b'\n' { next } else { cursor.ascii_run(next, plain) };
        self.memory.outside.add(self.at..end);
        self.at = end;
    }

    /// A comment or directive: a line that starts with `#`.
    fn line(&mut self) -> bool {
        let known = self.memory.no_line.end(self.at).is_some();
        if known || !self.cursor.at_line_start(self.at) {
            return false;
        }
        let start = self.cursor.space_end(self.at);
        if self.cursor.byte(start) != b'#' {
            self.memory.no_line.set(self.at, start + 1);
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
        self.foreign(part, python::scan);
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
            if self.memory.no_close.end(at).is_some()
                || cursor.byte(at + 2) == b'\n'
                || from > cursor.len()
            {
                return false;
            }
            let end = cursor.ascii_run(from, |byte| !matches!(byte, b'}' | b'\n'));
            if cursor.byte(end) != b'}' {
                self.memory.no_close.set(at, end);
                return false;
            }
            self.python(at + 2..end);
            self.at = end + 1;
            return true;
        }
        if !starts_identifier(next) {
            return false;
        }
        self.name_to(cursor.run(at + 1, |c| c == '.' || is_word(c)));
        true
    }
}
