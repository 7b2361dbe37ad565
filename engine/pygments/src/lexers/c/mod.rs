//! Scanner for C, C++ and Objective-C.
//!
//! A stack machine over the states below. Outside function bodies the scanner
//! looks ahead for a function header (`header.rs`) because its name, with
//! all `::` parts, counts as one name. Preprocessor lines give no names.

mod arduino;
mod dialect;
mod header;
mod number;
mod objective;
mod parts;
mod preprocessor;
mod words;

use std::ops::Range;

pub(super) use self::arduino::scan as scan_arduino;
pub(super) use self::dialect::{scan_c, scan_cpp, scan_objective};
use self::{
    dialect::{Dialect, Memory},
    header::Header,
    words::Word,
};
use crate::{cursor::is_digit, scanner::Scanner};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Root,
    Statement,
    Function,
    Text,
    Macro,
    Disabled,
    TypeName,
    EnumName,
    Namespace,
    CaseValue,
    /// A state that only Objective-C has.
    Objective(objective::State),
}

type C<'t, 'n> = Scanner<'t, 'n, State, Memory>;

impl C<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Root => self.root(),
            State::Statement => self.statement(),
            State::Function => self.function(),
            State::Text => self.text(),
            State::Macro => self.macro_line(),
            State::Disabled => self.disabled(),
            State::TypeName => self.type_name(),
            State::EnumName => self.enum_name(),
            State::Namespace => self.namespace(),
            State::CaseValue => self.case_value(),
            State::Objective(state) => self.objective(state),
        }
    }

    /// Scans a part of the text on its own, as if it were a whole file.
    ///
    /// Only the parts of a function header and the text before a directive are scanned in this way.
    /// They cannot contain another header of the same kind, so the nesting is at most three levels
    /// deep.
    pub fn nested(&mut self, part: Range<usize>) {
        let memory = Memory::new(self.memory.dialect);
        self.inner(part, memory).run(C::step);
    }

    /// End of the identifier at the current position, if there is one.
    fn identifier(&self) -> Option<usize> {
        parts::identifier_end(self.cursor, self.at, false)
    }

    fn root(&mut self) {
        if self.memory.dialect == Dialect::ObjectiveC && self.method_start() {
            return;
        }
        if self.blank() {
            return;
        }
        let word = self.word();
        if let Some((kind, end)) = word
            && !matches!(kind, Word::Type | Word::Builtin | Word::Library)
        {
            return self.keyword(kind, end);
        }
        if let Some(header) = Header::read(self.cursor, self.at, &mut self.memory.parameters) {
            return self.header(header);
        }
        match word {
            Some((Word::Type, end)) => self.at = end,
            _ => self.enter(self.at, State::Statement),
        }
    }

    fn header(&mut self, header: Header) {
        self.nested(self.at..header.result_end);
        self.note(header.name);
        self.nested(header.parameters);
        self.nested(header.tail.clone());
        self.at = header.tail.end + 1;
        if header.has_body {
            self.enter(self.at, State::Function);
        }
    }

    pub fn statement(&mut self) {
        if self.blank() {
            return;
        }
        match self.byte() {
            b'{' | b';' => self.leave(self.at + 1),
            _ => self.expression(),
        }
    }

    fn function(&mut self) {
        if self.blank() {
            return;
        }
        match self.byte() {
            b'{' => self.enter(self.at + 1, State::Function),
            b'}' => self.leave(self.at + 1),
            _ => self.expression(),
        }
    }

    fn namespace(&mut self) {
        if matches!(self.byte(), b';' | b'{') {
            self.leave(self.at + 1);
            self.enter(self.at, State::Root);
        } else if self.cursor.starts(self.at, "inline")
            && self.cursor.word_end(self.at) == self.at + 6
        {
            self.at += 6;
        } else if let Some(end) = self.identifier() {
            self.name_to(end);
        } else {
            self.statement();
        }
    }

    fn case_value(&mut self) {
        let colon = |offset| self.cursor.byte(offset) == b':';
        let single = colon(self.at) && !colon(self.at + 1) && !(self.at > 0 && colon(self.at - 1));
        if single {
            self.leave(self.at + 1);
        } else if let Some(end) = self.identifier() {
            self.name_to(end);
        } else if !self.blank() {
            self.expression();
        }
    }

    fn type_name(&mut self) {
        if let Some(end) = self.identifier() {
            self.name_to(end);
        } else {
            let end = self.cursor.space_end(self.at);
            if self.cursor.byte(end) == b'>' {
                self.at = end;
            }
        }
        self.leave(self.at);
    }

    fn enum_name(&mut self) {
        if self.blank() {
            return;
        }
        let end = self.cursor.word_end(self.at);
        if matches!(self.cursor.slice(self.at..end), "class" | "struct") {
            self.at = end;
        } else {
            self.type_name();
        }
    }

    /// The word of the table at the current position, with its end.
    fn word(&self) -> Option<(Word, usize)> {
        let end = self.cursor.word_end(self.at);
        let kind = self.memory.words.get(self.cursor.slice(self.at..end))?;
        Some((kind, end))
    }

    fn keyword(&mut self, kind: Word, end: usize) {
        self.piece(self.at..end);
        self.at = end;
        match kind {
            Word::Named | Word::Enum => {
                let space = self.cursor.space_end(end);
                if space > end {
                    let named = kind == Word::Named;
                    self.enter(space, if named { State::TypeName } else { State::EnumName });
                }
            }
            Word::Namespace => self.enter(end, State::Namespace),
            Word::Case => self.enter(end, State::CaseValue),
            _ => {}
        }
    }

    /// One token inside a statement.
    pub fn expression(&mut self) {
        if self.memory.dialect == Dialect::ObjectiveC && self.objective_token() {
            return;
        }
        match self.byte() {
            b'"' => self.enter(self.at + 1, State::Text),
            b'\'' => match parts::character_end(self.cursor, self.at) {
                Some(end) => self.at = end,
                None => self.skip(),
            },
            b'.' | b'-' => self.at = number::end(self.cursor, self.at).unwrap_or(self.at + 1),
            byte if byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'$' | b'\\') => {
                self.skip();
            }
            _ => self.operand(),
        }
    }

    fn operand(&mut self) {
        if self.cursor.is(self.at, is_digit) {
            self.at = number::end(self.cursor, self.at).unwrap_or(self.at + 1);
            return;
        }
        let end = self.cursor.word_end(self.at);
        let word = self.cursor.slice(self.at..end);
        let affix = matches!(word, "L" | "u" | "U" | "u8");
        match self.cursor.byte(end) {
            b'"' if affix => return self.enter(end + 1, State::Text),
            b'"' if self.memory.dialect.is_cpp() => {
                if matches!(word, "R" | "LR" | "uR" | "UR" | "u8R")
                    && let Some(end) = self.raw_string(end)
                {
                    self.at = end;
                    return;
                }
            }
            b'\'' if affix => {
                if let Some(end) = parts::character_end(self.cursor, end) {
                    self.at = end;
                    return;
                }
            }
            _ => {}
        }
        let kind = self.memory.words.get(word);
        match kind {
            Some(Word::Builtin) => self.name_to(end),
            Some(Word::Library) | None => self.plain_name(),
            Some(kind) => self.keyword(kind, end),
        }
    }

    /// End of the raw string whose opening quote is at `at`.
    fn raw_string(&mut self, at: usize) -> Option<usize> {
        let (delimiter, content) = self.memory.raw.find(self.cursor, at)?;
        let end = content.end + delimiter.len() + 2;
        self.piece(delimiter);
        self.piece(content);
        Some(end)
    }

    fn plain_name(&mut self) {
        let Some(end) = self.identifier() else {
            return self.skip();
        };
        if self.memory.words.get(self.cursor.slice(self.at..end)) != Some(Word::Library) {
            self.name(self.at..end);
        }
        self.at = end;
    }

    /// Skips white space, a comment, a label, or the start of a preprocessor line. False if there
    /// is none.
    pub fn blank(&mut self) -> bool {
        if self.cursor.at_line_start(self.at) && (self.directive() || self.label()) {
            return true;
        }
        match self.byte() {
            b'\n' => self.at += 1,
            b'\\' if self.cursor.byte(self.at + 1) == b'\n' => self.at += 2,
            b'/' => return self.comment(),
            _ => {
                let end = self.cursor.blank_end(self.at);
                if end == self.at {
                    return false;
                }
                self.at = end;
            }
        }
        true
    }

    fn comment(&mut self) -> bool {
        let end = if self.cursor.starts(self.at, "//") {
            parts::line_comment_end(self.cursor, self.at)
        } else {
            parts::block_comment_start(self.cursor, self.at).map(|body| {
                parts::block_comment_end(self.cursor, body).unwrap_or(self.cursor.len())
            })
        };
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    /// `name:` at a line start; any word except four counts as a label.
    fn label(&mut self) -> bool {
        let start = self.cursor.ascii_run(self.at, |byte| matches!(byte, b' ' | b'\t'));
        let Some(end) = parts::identifier_end(self.cursor, start, false) else {
            return false;
        };
        let word = self.cursor.slice(start..self.cursor.word_end(start));
        if matches!(word, "public" | "private" | "protected" | "default") {
            return false;
        }
        let colon = self.cursor.space_end(end);
        if self.cursor.byte(colon) != b':' || self.cursor.byte(colon + 1) == b':' {
            return false;
        }
        self.note(start..end);
        self.at = colon + 1;
        true
    }

    fn text(&mut self) {
        match self.byte() {
            b'"' => self.leave(self.at + 1),
            b'\\' => self.at = parts::escape_end(self.cursor, self.at + 1),
            b'\n' => self.skip(),
            _ => {
                let end =
                    self.cursor.ascii_run(self.at, |byte| !matches!(byte, b'"' | b'\\' | b'\n'));
                self.piece(self.at..end);
                self.at = end;
            }
        }
    }
}
