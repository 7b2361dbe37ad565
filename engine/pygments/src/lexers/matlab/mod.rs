//! Scanner for MATLAB.
//!
//! Words that are not keywords are names; those of MATLAB's own functions include their dots. If
//! the rest of a statement looks like the arguments of a command, it is plain text after the first
//! word.

mod header;
mod parts;

use std::{ops::Range, sync::LazyLock};

use self::{
    header::Lines,
    parts::{number_end, starts_argument, starts_operator},
};
use crate::{
    cursor::{Cursor, is_digit, is_space, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

static KEYWORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "break case catch classdef continue dynamicprops else elseif end for function \
        global if methods otherwise parfor persistent return spmd switch try while";
    Words::new(&[((), words)])
});

/// The functions and classes of MATLAB R2020b, by their full names. They never start a command, and
/// their names include dots.
static BUILTINS: LazyLock<Words<()>> =
    LazyLock::new(|| Words::new(&[((), include_str!("builtins.txt"))]));

/// The most dots in one of those names.
const MOST_DOTS: usize = 4;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// Inside `properties`, where only `end` is a keyword.
    Properties,
}

type Matlab<'t, 'n> = Scanner<'t, 'n, State, Lines>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Matlab::new(text, names).run(Matlab::step);
}

impl Matlab<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let taken = match self.state {
            State::Code => self.statement(),
            State::Properties => self.property(),
        };
        if !taken {
            self.expression();
        }
    }

    /// Whether the text here is a field, that is, comes after a dot.
    fn is_field(&self) -> bool {
        self.cursor.before(self.at) == Some('.')
    }

    /// A comment: the rest of the line, or everything up to a `%}` alone on a line.
    fn comment(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() != b'%' {
            return false;
        }
        self.at = cursor.line_end(at);
        let space = cursor.space_end(at + 2);
        if cursor.byte(at + 1) == b'{' && self.at < space {
            let mut line = space;
            while line < cursor.len() && !cursor.starts(line, "%}") {
                line = cursor.space_end(cursor.next_line(line));
            }
            self.at = usize::min(line + 2, cursor.len());
        }
        true
    }

    fn property(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let end = at + 3;
        if cursor.starts(at, "end") && cursor.word_end(at) == end && !self.is_field() {
            self.at = end;
            self.state = State::Code;
            return true;
        }
        self.comment()
    }

    fn statement(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let at_line = cursor.at_line_start(at);
        if at_line && self.byte() == b'!' {
            self.at = cursor.line_end(at);
            return true;
        }
        if self.comment() {
            return true;
        }
        let start = cursor.space_end(at);
        let in_place = at_line || at > 0 && cursor.byte(at - 1) == b';';
        if !in_place && !starts_identifier(cursor.byte(start)) {
            let continued = cursor.starts(at, "...");
            if continued {
                self.at = cursor.line_end(at);
            }
            return continued;
        }
        let end = cursor.word_end(start);
        let word = cursor.slice(start..end);
        if (at_line || cursor.slice(at..start).contains('\n')) && self.declaration(word, end) {
            return true;
        }
        if !self.is_field() {
            if KEYWORDS.has(word) {
                self.at = end;
                return true;
            }
            if let Some(end) = builtin_end(cursor, at) {
                self.name(at..end);
                return true;
            }
        }
        if cursor.starts(at, "...") {
            self.at = cursor.line_end(at);
            return true;
        }
        let space = cursor.space_end(end);
        if in_place && end > start && space > end && starts_argument(cursor, space) {
            self.name(start..end);
            self.arguments(space);
            return true;
        }
        false
    }

    /// `function` or `properties` as the first word of a line.
    fn declaration(&mut self, word: &str, end: usize) -> bool {
        match word {
            "function" => self.header(end),
            "properties" => {
                let cursor = self.cursor;
                let open = cursor.space_end(end);
                self.state = State::Properties;
                self.at = end;
                if open > end && cursor.byte(open) == b'(' {
                    self.attributes(open + 1);
                }
            }
            _ => return false,
        }
        true
    }

    /// The name of a function; anything else on the line before it is skipped.
    fn header(&mut self, at: usize) {
        let cursor = self.cursor;
        self.at = at;
        while self.at < cursor.len() {
            let start = cursor.space_end(self.at);
            if let Some((name, end)) = self.memory.signature(cursor, self.at, start) {
                self.name(name);
                self.at = end;
                return;
            }
            if starts_identifier(cursor.byte(start)) {
                return self.name(start..cursor.word_end(start));
            }
            if let Some(line_break) = cursor.slice(self.at..start).find('\n') {
                self.at += line_break + 1;
                return;
            }
            // If no signature starts here, none starts before the next white space either.
            let passed = |c: char| !c.is_ascii_alphabetic() && c != '_' && !is_space(c);
            self.at = cursor.run(start, passed);
        }
    }

    /// The attributes of properties: names with values.
    fn attributes(&mut self, at: usize) {
        let cursor = self.cursor;
        self.at = at;
        while self.at < cursor.len() {
            let at = self.at;
            let end = cursor.word_end(at);
            if end == at {
                self.at = cursor.after(at);
                if cursor.byte(at) == b')' {
                    return;
                }
                continue;
            }
            self.at = end;
            let sign = cursor.space_end(end);
            let value = cursor.space_end(sign + 1);
            let has_value = cursor.byte(sign) == b'=';
            if has_value && cursor.is(value, is_digit) {
                self.name(at..end);
                self.at = cursor.run(value, is_digit);
            } else if has_value && cursor.byte(value).is_ascii_alphabetic() {
                self.name(at..end);
                self.at = cursor.word_end(value);
            }
        }
    }

    /// The arguments of a command, up to an operator.
    fn arguments(&mut self, at: usize) {
        let cursor = self.cursor;
        self.at = at;
        while self.at < cursor.len() {
            let at = self.at;
            match self.byte() {
                b'=' | b';' => {
                    self.at += 1;
                    return;
                }
                _ if starts_operator(cursor, at) => {
                    self.at += 1;
                    return;
                }
                b' ' | b'\t' => {
                    self.at = cursor.ascii_run(at, |byte| matches!(byte, b' ' | b'\t'));
                }
                b'\'' => match self.ending(at + 1, "'") {
                    Some(end) => self.at = end,
                    None => return,
                },
                _ => {
                    let part = |c: char| !matches!(c, '\'' | ';') && !is_space(c);
                    self.at = cursor.run(at, part);
                    if self.at == at {
                        return;
                    }
                }
            }
        }
    }

    fn expression(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let transposes = |c: char| is_word(c) || matches!(c, ')' | ']' | '.');
        match self.byte() {
            b'\'' if cursor.before(at).is_some_and(transposes) => {
                self.at = cursor.ascii_run(at, |byte| byte == b'\'');
            }
            b'\'' => {
                if let Some(end) = self.ending(at + 1, "'") {
                    self.at = end;
                } else {
                    // No rule reads the line break, so it closes everything.
                    self.at = cursor.next_line(at);
                    self.state = State::Code;
                }
            }
            b'"' => self.at = cursor.doubled_end(at, b'"').unwrap_or(at + 1),
            byte if starts_identifier(byte) => self.name(at..cursor.word_end(at)),
            b'.' => self.at = number_end(cursor, at).unwrap_or(at + 1),
            _ if cursor.is(at, is_digit) => {
                let digits = cursor.run(at, is_digit);
                self.at = number_end(cursor, at).unwrap_or(digits);
            }
            _ => self.at = usize::max(cursor.space_end(at), cursor.after(at)),
        }
    }
}

/// End of the longest built-in name that starts at `at`.
fn builtin_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut end = cursor.word_end(at);
    let mut found = None;
    for _ in 0..=MOST_DOTS {
        if BUILTINS.has(cursor.slice(at..end)) {
            found = Some(end);
        }
        let next = cursor.word_end(end + 1);
        if cursor.byte(end) != b'.' || next == end + 1 {
            break;
        }
        end = next;
    }
    found
}
