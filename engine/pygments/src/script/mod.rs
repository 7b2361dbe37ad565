//! Scanner for JavaScript and TypeScript, with or without JSX.
//!
//! A stack machine. The main difficulty is the slash: behind operators,
//! opening brackets and most keywords, and at a line start, it opens a regular
//! expression; if none can be read there, the rest of the line is lost.
//! In TypeScript what stands before a `:` is a name with its dots and `?`, and
//! what stands behind it is a type, which is none.

mod expressions;
mod jsx;
mod symbols;
mod words;

use std::ops::Range;

pub(super) use self::expressions::Expressions;
use self::symbols::{number_end, operator_end};
use self::words::Word;
use crate::cursor::{Cursor, Once, Searched, is_space, is_word};
use crate::identifiers::{continues_script_name, starts_script_name};

/// Which of the four languages is scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dialect {
    pub typescript: bool,
    pub jsx: bool,
}

pub(super) const JAVASCRIPT: Dialect = Dialect { typescript: false, jsx: false };
pub(super) const JSX: Dialect = Dialect { typescript: false, jsx: true };
pub(super) const TYPESCRIPT: Dialect = Dialect { typescript: true, jsx: false };
pub(super) const TSX: Dialect = Dialect { typescript: true, jsx: true };

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Code,
    /// A place where a slash opens a regular expression.
    Operand,
    /// The rest of a line behind a slash that could not be read.
    Lost,
    Template,
    /// Code in a template, up to the next `}`.
    Insert,
    /// A state that only JSX has.
    Jsx(jsx::State),
}

struct Scanner<'t, 'n> {
    pub cursor: Cursor<'t>,
    pub at: usize,
    pub stack: Vec<State>,
    dialect: Dialect,
    names: &'n mut Vec<Range<usize>>,
    /// The last run of word characters, dots, `?` and `$`, and whether what
    /// follows it makes it a name with a type.
    chain: Range<usize>,
    typed: Option<usize>,
    pub double: Once,
    pub single: Once,
    comment: Once,
    pub dashed: Searched,
    expressions: Expressions,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, dialect: Dialect, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        stack: vec![State::Code],
        dialect,
        names,
        chain: 0..0,
        typed: None,
        double: Once::default(),
        single: Once::default(),
        comment: Once::default(),
        dashed: Searched::default(),
        expressions: Expressions::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.stack.last().copied().unwrap_or(State::Code) {
            State::Operand => scanner.operand(),
            State::Lost => scanner.lost(),
            State::Template => scanner.template(),
            State::Insert if scanner.byte() == b'}' => scanner.close(),
            State::Code | State::Insert => scanner.code(),
            State::Jsx(state) => scanner.jsx(state),
        }
    }
}

impl Scanner<'_, '_> {
    pub fn byte(&self) -> u8 {
        self.cursor.byte(self.at)
    }

    pub fn name(&mut self, end: usize) {
        self.names.push(self.at..end);
        self.at = end;
    }

    pub fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Takes one byte and leaves the current state.
    pub fn close(&mut self) {
        self.at += 1;
        self.pop();
    }

    /// Takes everything up to `end`; a slash behind it opens an expression.
    fn operator(&mut self, end: usize) {
        self.at = end;
        self.stack.push(State::Operand);
    }

    /// One token of code.
    pub fn code(&mut self) {
        if self.dialect.jsx && self.byte() == b'<' && self.element() {
            return;
        }
        if self.dialect.typescript && self.typescript() {
            return;
        }
        if self.at == 0 && (self.cursor.starts(0, "#!/") || self.cursor.starts(0, "#! /")) {
            self.at = self.cursor.line_end(0);
            return;
        }
        if self.cursor.at_line_start(self.at)
            && (matches!(self.byte(), b'/')
                || self.cursor.starts(self.at, "<!--")
                || self.cursor.is(self.at, is_space))
        {
            self.stack.push(State::Operand);
            return;
        }
        if !self.blank() && !self.word() {
            self.symbol();
        }
    }

    /// White space or a comment.
    fn blank(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.space_end(at);
        if end > at {
            self.at = end;
        } else if cursor.starts(at, "<!--") {
            self.at += 4;
        } else if cursor.starts(at, "//") {
            self.at = cursor.line_end(at);
        } else if cursor.starts(at, "/*")
            && let Some(close) = self.comment.search(|| cursor.find_text(at + 2, "*/"))
        {
            self.at = close + 2;
        } else {
            return false;
        }
        true
    }

    fn operand(&mut self) {
        if self.blank() {
            return;
        }
        self.pop();
        if self.byte() == b'/' {
            match self.expressions.end(self.cursor, self.at, b"gimuysd") {
                Some(end) => self.at = end,
                None => self.stack.push(State::Lost),
            }
        }
    }

    fn lost(&mut self) {
        self.at = self.cursor.line_end(self.at) + 1;
        self.pop();
    }

    fn template(&mut self) {
        match self.byte() {
            b'`' => self.close(),
            b'\\' => self.at = self.cursor.after(self.at + 1),
            b'$' if self.cursor.byte(self.at + 1) == b'{' => {
                self.at += 2;
                self.stack.push(State::Insert);
            }
            b'$' => self.at += 1,
            _ => {
                let plain = |byte| !matches!(byte, b'`' | b'\\' | b'$');
                self.at = self.cursor.ascii_run(self.at, plain);
            }
        }
    }

    /// What TypeScript adds in front of the rules of JavaScript.
    fn typescript(&mut self) -> bool {
        if self.byte() == b'@'
            && let Some(end) = self.identifier(self.at + 1)
        {
            self.at = end;
            return true;
        }
        let end = self.cursor.word_end(self.at);
        let word = self.cursor.slice(self.at..end);
        match words::TYPESCRIPT.get(word) {
            Some(Word::Operator) => {
                self.operator(end);
                return true;
            }
            Some(_) if self.starts_word() => {
                self.at = end;
                return true;
            }
            _ => {}
        }
        if word.starts_with("module") && self.starts_word() {
            let start = self.cursor.space_end(self.at + 6);
            let end = self.cursor.run(start, in_chain);
            if end > start {
                self.at = start;
                self.name(end);
                self.operator(self.cursor.space_end(end));
                return true;
            }
        }
        self.find_chain();
        match self.typed {
            Some(end) if self.chain.end > self.at => {
                self.name(self.chain.end);
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Measures the run of dotted words at the current position, unless it is
    /// the tail of the run measured last.
    fn find_chain(&mut self) {
        if self.chain.contains(&self.at) {
            return;
        }
        let end = self.cursor.run(self.at, in_chain);
        self.chain = self.at..end;
        self.typed = None;
        if end > self.at {
            let colon = self.cursor.space_end(end);
            let start = self.cursor.space_end(colon + 1);
            let type_end = self.cursor.run(start, in_chain);
            if self.cursor.byte(colon) == b':' && type_end > start {
                self.typed = Some(type_end);
            }
        }
    }

    /// Whether no word character stands in front.
    fn starts_word(&self) -> bool {
        !self.cursor.before(self.at).is_some_and(is_word)
    }

    /// End of the identifier at `at`, which may hold `\u0123` escapes.
    fn identifier(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let mut end = at;
        loop {
            let test = if end == at { starts_script_name } else { continues_script_name };
            if cursor.starts(end, "\\u") && cursor.hex_digits(end + 2, 4) {
                end += 6;
            } else if cursor.is(end, test) {
                end = cursor.run(cursor.after(end), continues_script_name);
            } else {
                return (end > at).then_some(end);
            }
        }
    }

    fn word(&mut self) -> bool {
        let first = self.byte();
        let is_letter = first.is_ascii_alphabetic() || matches!(first, b'_' | b'$' | b'\\');
        if !is_letter && first < 0x80 {
            return false;
        }
        let end = self.cursor.word_end(self.at);
        match words::JAVASCRIPT.get(self.cursor.slice(self.at..end)) {
            Some(Word::Operator) => self.operator(end),
            Some(Word::Plain) => self.at = end,
            Some(Word::Whole) if self.starts_word() => self.at = end,
            Some(Word::Builtin) => self.name(end),
            _ => return self.plain_name(),
        }
        true
    }

    fn plain_name(&mut self) -> bool {
        if self.byte() < 0x80 && self.byte() != b'\\' {
            self.find_chain();
            if self.cursor.starts(self.chain.end, "() {") {
                self.name(self.chain.end);
                return true;
            }
        }
        match self.identifier(self.at) {
            Some(end) => self.name(end),
            None => return false,
        }
        true
    }

    fn symbol(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'.' if next.is_ascii_digit() => self.at = number_end(cursor, at),
            b'.' if cursor.starts(at, "...") => self.at += 3,
            b'=' if next == b'>' => self.at += 2,
            b'{' | b'(' | b'[' | b';' | b',' => self.operator(at + 1),
            b'\\' if next == b'\n' => self.operator(at + 1),
            b'~' | b'?' | b':' | b'<' | b'>' | b'=' | b'!' | b'*' | b'|' | b'&' | b'-' | b'+'
            | b'%' | b'^' | b'/' => self.operator(operator_end(cursor, at)),
            b'"' => {
                let end = self.double.search(|| cursor.quoted_end(at, b'"'));
                self.at = end.unwrap_or(at + 1);
            }
            b'\'' => {
                let end = self.single.search(|| cursor.quoted_end(at, b'\''));
                self.at = end.unwrap_or(at + 1);
            }
            b'`' => {
                self.at += 1;
                self.stack.push(State::Template);
            }
            b'#' if next.is_ascii_alphabetic() || next == b'_' => {
                self.name(cursor.word_end(at + 1));
            }
            _ => self.at = cursor.after(at),
        }
    }
}

/// A character of a dotted name, as in `a?.b.$c`.
fn in_chain(character: char) -> bool {
    matches!(character, '?' | '.' | '$') || is_word(character)
}
