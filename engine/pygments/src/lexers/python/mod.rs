//! Scanner for Python.
//!
//! Identifiers that are not keywords are names. The name of a decorator includes its `@`, and in
//! import statements each dot is a name, too. The only names in strings are those in the
//! replacement fields of f-strings (`text.rs`).

mod number;
mod text;
mod words;

use std::ops::Range;

use self::{
    number::number_end,
    words::{BUILTINS, HARD, KEYWORDS, Word},
};
use crate::{
    cursor::{Searched, is_digit, is_word},
    identifiers::{continues_python_name, starts_python_name},
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Statement,
    FunctionName,
    ClassName,
    Import,
    FromImport,
    /// After `match` or `case`.
    Pattern,
    /// An f-string.
    Formatted(text::Quotes),
    /// A replacement field of an f-string.
    Field,
    /// Brackets in a replacement field.
    Brackets,
}

type Python<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    /// White space at the start of lines that do not start with a string.
    no_text: Searched,
    brace: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Python::new(text, names).run(Python::step);
}

impl Python<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Statement => self.statement(),
            State::FunctionName => self.one_name(false),
            State::ClassName => self.one_name(true),
            State::Import => self.import(),
            State::FromImport => self.import_source(),
            State::Pattern => self.pattern(),
            State::Formatted(quotes) => self.formatted(quotes),
            State::Field => self.field(),
            State::Brackets => self.brackets(),
        }
    }

    /// End of the identifier at `at`.
    fn identifier(&self, at: usize) -> Option<usize> {
        let starts = self.cursor.is(at, starts_python_name);
        starts.then(|| self.cursor.word_run(at, continues_python_name))
    }

    fn statement(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = self.byte();
        if byte == b'\n' {
            self.at += 1;
            return;
        }
        if cursor.at_line_start(at) && (self.line_text() || self.soft_keyword()) {
            return;
        }
        match byte {
            b'#' => self.at = cursor.line_end(at),
            b'\\' => self.at += if cursor.byte(at + 1) == b'\n' { 2 } else { 1 },
            _ if byte.is_ascii_lowercase() => self.statement_word(),
            _ => self.expression(),
        }
    }

    fn statement_word(&mut self) {
        let end = self.cursor.word_end(self.at);
        let word = self.cursor.slice(self.at..end);
        let state = match word {
            "def" => State::FunctionName,
            "class" => State::ClassName,
            "from" => State::FromImport,
            "import" => State::Import,
            _ if KEYWORDS.get(word) == Some(Word::Statement) => {
                self.at = end;
                return;
            }
            _ => return self.expression(),
        };
        let space = self.continued_space_end(end);
        if space > end { self.enter(space, state) } else { self.expression() }
    }

    /// End of white space with optional backslashes.
    fn continued_space_end(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let escaped = self.cursor.byte(end) == b'\\';
            let space = self.cursor.space_end(end + usize::from(escaped));
            if space == end + usize::from(escaped) {
                return end;
            }
            end = space;
        }
    }

    /// A triple-quoted string at the start of a line, which has no escapes. False if it is not
    /// closed.
    fn line_text(&mut self) -> bool {
        if self.memory.no_text.end(self.at).is_some() {
            return false;
        }
        let cursor = self.cursor;
        let space = cursor.space_end(self.at);
        self.memory.no_text.set(self.at, space + 1);
        let open = cursor.ascii_run(space, |byte| b"rRuUbB".contains(&byte));
        let end = if open > space + 2 {
            None
        } else if cursor.starts(open, "\"\"\"") {
            self.ending(open + 3, "\"\"\"")
        } else if cursor.starts(open, "'''") {
            self.ending(open + 3, "'''")
        } else {
            None
        };
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    /// `match` or `case` at a line start, unless the following text shows that it is a plain name.
    fn soft_keyword(&mut self) -> bool {
        let cursor = self.cursor;
        let indent = |at| cursor.ascii_run(at, |byte| matches!(byte, b' ' | b'\t'));
        let start = indent(self.at);
        let end = cursor.word_end(start);
        if !matches!(cursor.slice(start..end), "match" | "case") {
            return false;
        }
        let next = indent(end);
        let following = cursor.slice(next..cursor.word_end(next));
        if b":,;=^&|@~)]}".contains(&cursor.byte(next)) || HARD.has(following) {
            return false;
        }
        self.enter(end, State::Pattern);
        true
    }

    /// A lone `_` in a pattern is not a name. The text before it is scanned on its own.
    fn pattern(&mut self) {
        let cursor = self.cursor;
        let start = cursor.space_end(self.at);
        let end = cursor.ascii_run(start, |byte| !matches!(byte, b'\n' | b'_'));
        if start > self.at && cursor.byte(end) == b'_' && !cursor.is(end + 1, is_word) {
            // The part contains no `_`, so the nesting ends there.
            self.inner(start..end, Memory::default()).run(Python::step);
            self.at = end + 1;
        } else {
            self.leave(self.at);
        }
    }

    fn one_name(&mut self, required: bool) {
        match self.identifier(self.at) {
            Some(end) => self.name_to(end),
            None if required => return self.skip(),
            None => {}
        }
        self.leave(self.at);
    }

    fn import(&mut self) {
        let cursor = self.cursor;
        if self.byte() == b'.' {
            return self.name_to(self.at + 1);
        }
        if let Some(end) = self.identifier(self.at) {
            return self.name_to(end);
        }
        let space = cursor.space_end(self.at);
        if cursor.byte(space) == b',' {
            self.at = cursor.space_end(space + 1);
            return;
        }
        let end = cursor.space_end(space + 2);
        if space > self.at && cursor.starts(space, "as") && end > space + 2 {
            self.at = end;
        } else {
            self.leave(self.at);
        }
    }

    fn import_source(&mut self) {
        let cursor = self.cursor;
        if self.byte() == b'.' {
            return self.name_to(self.at + 1);
        }
        if let Some(end) = self.identifier(self.at) {
            let word_end = cursor.word_end(self.at);
            if cursor.slice(self.at..word_end) != "None" {
                return self.name_to(end);
            }
            self.at = word_end;
        } else {
            let space = cursor.space_end(self.at);
            let end = cursor.word_end(space);
            if space > self.at && cursor.slice(space..end) == "import" {
                self.at = end;
            }
        }
        self.leave(self.at);
    }

    /// One token of an expression.
    pub fn expression(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'"' | b'\'' => self.text("", at),
            b'@' => match self.identifier(at + 1) {
                Some(end) => self.name_to(end),
                None => self.at += 1,
            },
            b'.' if cursor.is(at + 1, is_digit) => self.at = number_end(cursor, at),
            b'!' | b'=' | b':' if next == b'=' => self.at += 2,
            b'<' | b'>' if next == self.byte() => self.at += 2,
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => self.word(),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let blank = cursor.blank_end(at);
        if blank > at {
            self.at = blank;
            return;
        }
        let end = cursor.word_end(at);
        let word = cursor.slice(at..end);
        if matches!(cursor.byte(end), b'"' | b'\'') && text::is_prefix(word) {
            return self.text(word, end);
        }
        let more = |word: &str| cursor.starts(end, word) && !cursor.is(end + word.len(), is_word);
        match word {
            "yield" if more(" from") => self.at = end + 5,
            "async" if more(" for") => self.at = end + 4,
            _ if KEYWORDS.get(word) == Some(Word::Always) => self.at = end,
            _ => match self.identifier(at) {
                Some(longer) => {
                    self.name_to(if self.is_builtin(word, longer) { end } else { longer });
                }
                None => self.skip(),
            },
        }
    }

    /// Whether a built-in name ends before the identifier that it starts: the comparator cuts it
    /// off before a combining mark.
    fn is_builtin(&self, word: &str, end: usize) -> bool {
        let dotted = self.at > 0 && self.cursor.byte(self.at - 1) == b'.';
        end > self.at + word.len() && BUILTINS.get(word).is_some_and(|magic| magic || !dotted)
    }
}
