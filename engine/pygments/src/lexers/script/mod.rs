//! Scanner for JavaScript and TypeScript, with or without JSX.
//!
//! A stack machine. The main difficulty is the slash: after operators, opening brackets and most
//! keywords, and at a line start, it opens a regular expression, and if none can be read there, the
//! rest of the line is lost. In TypeScript, the text before a `:` is a name including its dots and
//! `?`, and the text after it is a type, which is not a name.

mod expressions;
mod jsx;
mod symbols;
mod words;

use std::ops::Range;

pub(super) use self::expressions::Expressions;
use self::{
    symbols::{number_end, operator_end},
    words::Word,
};
use crate::{
    cursor::{Searched, is_space, is_word},
    identifiers::{continues_script_name, starts_script_name},
    scanner::Scanner,
};

/// The differences between the four languages.
#[derive(Clone, Copy)]
struct Dialect {
    typescript: bool,
    jsx: bool,
}

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// A place where a slash opens a regular expression.
    Operand,
    /// The rest of a line after a slash that could not be read.
    Lost,
    Template,
    /// Code in a template literal, up to the next `}`.
    Insert,
    /// A state that only JSX has.
    Jsx(jsx::State),
}

type Script<'t, 'n> = Scanner<'t, 'n, State, Memory>;

struct Memory {
    dialect: Dialect,
    /// The last run of word characters, dots, `?` and `$`, and whether the text after it makes it a
    /// name with a type.
    chain: Range<usize>,
    typed: Option<usize>,
    dashed: Searched,
    expressions: Expressions,
}

/// Appends the names of JavaScript, in order of appearance.
pub(super) fn scan_javascript(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect { typescript: false, jsx: false }, names);
}

/// Appends the names of JavaScript with JSX, in order of appearance.
pub(super) fn scan_jsx(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect { typescript: false, jsx: true }, names);
}

/// Appends the names of TypeScript, in order of appearance.
pub(super) fn scan_typescript(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect { typescript: true, jsx: false }, names);
}

/// Appends the names of TypeScript with JSX, in order of appearance.
pub(super) fn scan_tsx(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, Dialect { typescript: true, jsx: true }, names);
}

fn scan(text: &str, dialect: Dialect, names: &mut Vec<Range<usize>>) {
    let memory = Memory {
        dialect,
        chain: 0..0,
        typed: None,
        dashed: Searched::default(),
        expressions: Expressions::default(),
    };
    Script::with(text, 0, names, memory).run(Script::step);
}

impl Script<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Operand => self.operand(),
            State::Lost => self.lost(),
            State::Template => self.template(),
            State::Insert if self.byte() == b'}' => self.leave(self.at + 1),
            State::Code | State::Insert => self.code(),
            State::Jsx(state) => self.jsx(state),
        }
    }

    /// Reads everything up to `end`; a slash after it opens a regular expression.
    fn operator(&mut self, end: usize) {
        self.enter(end, State::Operand);
    }

    /// One token of code.
    pub fn code(&mut self) {
        if self.memory.dialect.jsx && self.byte() == b'<' && self.element() {
            return;
        }
        if self.memory.dialect.typescript && self.typescript() {
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
            return self.enter(self.at, State::Operand);
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
            && let Some(end) = self.ending(at + 2, "*/")
        {
            self.at = end;
        } else {
            return false;
        }
        true
    }

    fn operand(&mut self) {
        if self.blank() {
            return;
        }
        self.leave(self.at);
        if self.byte() == b'/' {
            match self.memory.expressions.end(self.cursor, self.at, b"gimuysd") {
                Some(end) => self.at = end,
                None => self.enter(self.at, State::Lost),
            }
        }
    }

    fn lost(&mut self) {
        self.leave(self.cursor.line_end(self.at) + 1);
    }

    fn template(&mut self) {
        match self.byte() {
            b'`' => self.leave(self.at + 1),
            b'\\' => self.at = self.cursor.after(self.at + 1),
            b'$' if self.cursor.byte(self.at + 1) == b'{' => {
                self.enter(self.at + 2, State::Insert);
            }
            b'$' => self.at += 1,
            _ => {
                let plain = |byte| !matches!(byte, b'`' | b'\\' | b'$');
                self.at = self.cursor.ascii_run(self.at, plain);
            }
        }
    }

    /// The rules of TypeScript that come before those of JavaScript.
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
                self.name(start..end);
                self.operator(self.cursor.space_end(end));
                return true;
            }
        }
        self.find_chain();
        match self.memory.typed {
            Some(end) if self.memory.chain.end > self.at => {
                self.name_to(self.memory.chain.end);
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Measures the run of dotted words at the current position, unless it is the tail of the last
    /// run that was measured.
    fn find_chain(&mut self) {
        if self.memory.chain.contains(&self.at) {
            return;
        }
        let end = self.cursor.run(self.at, in_chain);
        self.memory.chain = self.at..end;
        self.memory.typed = None;
        if end > self.at {
            let colon = self.cursor.space_end(end);
            let start = self.cursor.space_end(colon + 1);
            let type_end = self.cursor.run(start, in_chain);
            if self.cursor.byte(colon) == b':' && type_end > start {
                self.memory.typed = Some(type_end);
            }
        }
    }

    /// Whether the previous character is not a word character.
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
            Some(Word::Builtin) => self.name_to(end),
            _ => return self.plain_name(),
        }
        true
    }

    fn plain_name(&mut self) -> bool {
        if self.byte() < 0x80 && self.byte() != b'\\' {
            self.find_chain();
            if self.cursor.starts(self.memory.chain.end, "() {") {
                self.name_to(self.memory.chain.end);
                return true;
            }
        }
        match self.identifier(self.at) {
            Some(end) => self.name_to(end),
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
            quote @ (b'"' | b'\'') => {
                self.at = self.quoted_end(at, quote).unwrap_or(at + 1);
            }
            b'`' => self.enter(at + 1, State::Template),
            b'#' if next.is_ascii_alphabetic() || next == b'_' => {
                self.name_to(cursor.word_end(at + 1));
            }
            _ => self.at = cursor.after(at),
        }
    }
}

/// A character of a dotted name, as in `a?.b.$c`.
fn in_chain(character: char) -> bool {
    matches!(character, '?' | '.' | '$') || is_word(character)
}
