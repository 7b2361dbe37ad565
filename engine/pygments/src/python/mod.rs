//! Scanner for Python.
//!
//! Identifiers that are no keyword are names; a decorator is one with its
//! `@`, and in import statements each dot is a name too. Strings give names
//! only from the replacement fields of f-strings (`python_text.rs`).

mod number;
mod text;
mod words;

use std::ops::Range;

use self::number::number_end;
use self::words::{BUILTINS, HARD, KEYWORDS, Word};
use crate::cursor::{Cursor, Once, Searched, is_digit, is_word};
use crate::identifiers::{continues_python_name, starts_python_name};

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Statement,
    FunctionName,
    ClassName,
    Import,
    FromImport,
    /// Behind `match` or `case`.
    Pattern,
    /// An f-string.
    Formatted(text::Quotes),
    /// A replacement field of an f-string.
    Field,
    /// Brackets in a replacement field.
    Brackets,
}

struct Scanner<'t, 'n> {
    pub cursor: Cursor<'t>,
    pub at: usize,
    pub stack: Vec<State>,
    /// Offset of the scanned text in the whole file.
    base: usize,
    names: &'n mut Vec<Range<usize>>,
    /// Line starts up to here are known to start no string.
    no_text: Option<usize>,
    double: Once,
    single: Once,
    pub bracket: Once,
    pub brace: Searched,
}

/// Appends the names of `text`, in order of appearance. `base` is added to
/// all positions.
pub(super) fn scan(text: &str, base: usize, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        stack: vec![State::Statement],
        base,
        names,
        no_text: None,
        double: Once::default(),
        single: Once::default(),
        bracket: Once::default(),
        brace: Searched::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.stack.last().copied().unwrap_or(State::Statement) {
            State::Statement => scanner.statement(),
            State::FunctionName => scanner.one_name(false),
            State::ClassName => scanner.one_name(true),
            State::Import => scanner.import(),
            State::FromImport => scanner.import_source(),
            State::Pattern => scanner.pattern(),
            State::Formatted(quotes) => scanner.formatted(quotes),
            State::Field => scanner.field(),
            State::Brackets => scanner.brackets(),
        }
    }
}

impl Scanner<'_, '_> {
    pub fn byte(&self) -> u8 {
        self.cursor.byte(self.at)
    }

    fn name(&mut self, end: usize) {
        self.names.push(self.base + self.at..self.base + end);
        self.at = end;
    }

    pub fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    pub fn enter(&mut self, end: usize, state: State) {
        self.at = end;
        self.stack.push(state);
    }

    /// Moves over one character that means nothing here. A line break that
    /// no rule takes closes everything that is open.
    pub fn skip(&mut self) {
        if self.byte() == b'\n' {
            self.stack.truncate(1);
        }
        self.at = self.cursor.after(self.at);
    }

    /// End of the identifier at `at`.
    fn identifier(&self, at: usize) -> Option<usize> {
        let starts = self.cursor.is(at, starts_python_name);
        starts.then(|| self.cursor.run(at, continues_python_name))
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

    /// End of white space, each of which may have a backslash in front.
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

    /// A triple-quoted string that a line starts with; nothing is escaped in
    /// it. False if it does not close.
    fn line_text(&mut self) -> bool {
        if self.no_text.is_some_and(|known| self.at <= known) {
            return false;
        }
        let cursor = self.cursor;
        let space = cursor.space_end(self.at);
        self.no_text = Some(space);
        let open = cursor.ascii_run(space, |byte| b"rRuUbB".contains(&byte));
        let close = if open > space + 2 {
            None
        } else if cursor.starts(open, "\"\"\"") {
            self.double.search(|| cursor.find_text(open + 3, "\"\"\""))
        } else if cursor.starts(open, "'''") {
            self.single.search(|| cursor.find_text(open + 3, "'''"))
        } else {
            None
        };
        self.at = close.map_or(self.at, |close| close + 3);
        close.is_some()
    }

    /// `match` or `case` at a line start, unless what follows says that it is
    /// a plain name.
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

    /// A lone `_` in a pattern is no name; what stands before it is scanned
    /// on its own.
    fn pattern(&mut self) {
        let cursor = self.cursor;
        let start = cursor.space_end(self.at);
        let end = cursor.ascii_run(start, |byte| !matches!(byte, b'\n' | b'_'));
        if start > self.at && cursor.byte(end) == b'_' && !cursor.is(end + 1, is_word) {
            // The part holds no `_`, so the nesting ends there.
            scan(cursor.slice(start..end), self.base + start, self.names);
            self.at = end + 1;
        } else {
            self.pop();
        }
    }

    fn one_name(&mut self, required: bool) {
        match self.identifier(self.at) {
            Some(end) => self.name(end),
            None if required => return self.skip(),
            None => {}
        }
        self.pop();
    }

    fn import(&mut self) {
        let cursor = self.cursor;
        if self.byte() == b'.' {
            return self.name(self.at + 1);
        }
        if let Some(end) = self.identifier(self.at) {
            return self.name(end);
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
            self.pop();
        }
    }

    fn import_source(&mut self) {
        let cursor = self.cursor;
        if self.byte() == b'.' {
            return self.name(self.at + 1);
        }
        if let Some(end) = self.identifier(self.at) {
            let word_end = cursor.word_end(self.at);
            if cursor.slice(self.at..word_end) != "None" {
                return self.name(end);
            }
            self.at = word_end;
        } else {
            let space = cursor.space_end(self.at);
            let end = cursor.word_end(space);
            if space > self.at && cursor.slice(space..end) == "import" {
                self.at = end;
            }
        }
        self.pop();
    }

    /// One token of an expression.
    pub fn expression(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'"' | b'\'' => self.text("", at),
            b'@' => match self.identifier(at + 1) {
                Some(end) => self.name(end),
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
                Some(longer) => self.name(if self.is_builtin(word, longer) { end } else { longer }),
                None => self.skip(),
            },
        }
    }

    /// Whether a built-in name ends earlier than the identifier it starts: the
    /// comparator cuts it off in front of a combining mark.
    fn is_builtin(&self, word: &str, end: usize) -> bool {
        let dotted = self.at > 0 && self.cursor.byte(self.at - 1) == b'.';
        end > self.at + word.len() && BUILTINS.get(word).is_some_and(|magic| magic || !dotted)
    }
}
