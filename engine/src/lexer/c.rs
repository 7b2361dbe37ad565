//! Scanner for C, C++ and Objective-C.
//!
//! A stack machine over the states below. Outside function bodies the scanner
//! looks ahead for a function header (`c_header.rs`) because its name, with
//! all `::` parts, counts as one name. Preprocessor lines give no names.

use std::ops::Range;

use super::c_header::Header;
use super::c_number;
use super::c_parts;
use super::c_words::{self, Word};
use super::cursor::{Cursor, Once, is_digit};
use super::words::Words;

/// Which of the three languages is scanned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    C,
    Cpp,
    ObjectiveC,
}

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
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
    Objective(super::objective_c::State),
}

pub(super) struct Scanner<'t, 'n> {
    pub cursor: Cursor<'t>,
    pub at: usize,
    pub stack: Vec<State>,
    dialect: Dialect,
    words: &'static Words<Word>,
    /// Offset of the scanned text in the whole file.
    base: usize,
    names: &'n mut Vec<Range<usize>>,
    /// Line starts up to here are known to start no preprocessor line.
    no_directive: Option<usize>,
    quote: Once,
    angle: Once,
    comment: Once,
    raw: c_parts::RawEndings,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, dialect: Dialect, names: &mut Vec<Range<usize>>) {
    Scanner::new(text, dialect, 0, names).run();
}

impl<'t, 'n> Scanner<'t, 'n> {
    fn new(text: &'t str, dialect: Dialect, base: usize, names: &'n mut Vec<Range<usize>>) -> Self {
        let words = if dialect == Dialect::Cpp { &c_words::CPP } else { &c_words::C };
        Self {
            cursor: Cursor::new(text),
            at: 0,
            stack: vec![State::Root],
            dialect,
            words,
            base,
            names,
            no_directive: None,
            quote: Once::default(),
            angle: Once::default(),
            comment: Once::default(),
            raw: c_parts::RawEndings::default(),
        }
    }

    fn run(&mut self) {
        while self.at < self.cursor.len() {
            match self.stack.last().copied().unwrap_or(State::Root) {
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
    }

    /// Scans a part of the text on its own, as if it were a whole file.
    ///
    /// Only the parts of a function header and the text before a directive
    /// are scanned so; they cannot hold another header of their own kind, so
    /// the nesting is at most three deep.
    pub fn nested(&mut self, part: Range<usize>) {
        let text = self.cursor.slice(part.clone());
        Scanner::new(text, self.dialect, self.base + part.start, self.names).run();
    }

    pub fn name(&mut self, range: Range<usize>) {
        self.names.push(self.base + range.start..self.base + range.end);
    }

    pub fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    pub fn byte(&self) -> u8 {
        self.cursor.byte(self.at)
    }

    /// Moves over one character that means nothing here. A line break that
    /// no rule takes closes everything that is open.
    pub fn skip(&mut self) {
        if self.byte() == b'\n' {
            self.stack.clear();
            self.stack.push(State::Root);
        }
        self.at = self.cursor.after(self.at);
    }

    /// End of the identifier at the current position, if there is one.
    fn identifier(&self) -> Option<usize> {
        c_parts::identifier_end(self.cursor, self.at, false)
    }

    fn root(&mut self) {
        if self.dialect == Dialect::ObjectiveC && self.method_start() {
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
        if let Some(header) = Header::read(self.cursor, self.at) {
            return self.header(header);
        }
        match word {
            Some((Word::Type, end)) => self.at = end,
            _ => self.stack.push(State::Statement),
        }
    }

    fn header(&mut self, header: Header) {
        self.nested(self.at..header.result_end);
        self.name(header.name);
        self.nested(header.parameters);
        self.nested(header.tail.clone());
        self.at = header.tail.end + 1;
        if header.has_body {
            self.stack.push(State::Function);
        }
    }

    pub fn statement(&mut self) {
        if self.blank() {
            return;
        }
        match self.byte() {
            b'{' | b';' => {
                self.at += 1;
                self.pop();
            }
            _ => self.expression(),
        }
    }

    fn function(&mut self) {
        if self.blank() {
            return;
        }
        match self.byte() {
            b'{' => {
                self.at += 1;
                self.stack.push(State::Function);
            }
            b'}' => {
                self.at += 1;
                self.pop();
            }
            _ => self.expression(),
        }
    }

    fn namespace(&mut self) {
        if matches!(self.byte(), b';' | b'{') {
            self.at += 1;
            self.pop();
            self.stack.push(State::Root);
        } else if self.cursor.starts(self.at, "inline")
            && self.cursor.word_end(self.at) == self.at + 6
        {
            self.at += 6;
        } else if let Some(end) = self.identifier() {
            self.name(self.at..end);
            self.at = end;
        } else {
            self.statement();
        }
    }

    fn case_value(&mut self) {
        let colon = |offset| self.cursor.byte(offset) == b':';
        let single = colon(self.at) && !colon(self.at + 1) && !(self.at > 0 && colon(self.at - 1));
        if single {
            self.at += 1;
            self.pop();
        } else if let Some(end) = self.identifier() {
            self.name(self.at..end);
            self.at = end;
        } else if !self.blank() {
            self.expression();
        }
    }

    fn type_name(&mut self) {
        if let Some(end) = self.identifier() {
            self.name(self.at..end);
            self.at = end;
        } else {
            let end = self.cursor.space_end(self.at);
            if self.cursor.byte(end) == b'>' {
                self.at = end;
            }
        }
        self.pop();
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
        let kind = self.words.get(self.cursor.slice(self.at..end))?;
        Some((kind, end))
    }

    fn keyword(&mut self, kind: Word, end: usize) {
        self.at = end;
        match kind {
            Word::Named | Word::Enum => {
                let space = self.cursor.space_end(end);
                if space > end {
                    self.at = space;
                    let named = kind == Word::Named;
                    self.stack.push(if named { State::TypeName } else { State::EnumName });
                }
            }
            Word::Namespace => self.stack.push(State::Namespace),
            Word::Case => self.stack.push(State::CaseValue),
            _ => {}
        }
    }

    /// One token inside a statement.
    pub fn expression(&mut self) {
        if self.dialect == Dialect::ObjectiveC && self.objective_token() {
            return;
        }
        match self.byte() {
            b'"' => {
                self.at += 1;
                self.stack.push(State::Text);
            }
            b'\'' => match c_parts::character_end(self.cursor, self.at) {
                Some(end) => self.at = end,
                None => self.skip(),
            },
            b'.' | b'-' => self.at = c_number::end(self.cursor, self.at).unwrap_or(self.at + 1),
            byte if byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'$' | b'\\') => {
                self.skip();
            }
            _ => self.operand(),
        }
    }

    fn operand(&mut self) {
        if self.cursor.is(self.at, is_digit) {
            self.at = c_number::end(self.cursor, self.at).unwrap_or(self.at + 1);
            return;
        }
        let end = self.cursor.word_end(self.at);
        let word = self.cursor.slice(self.at..end);
        let affix = matches!(word, "L" | "u" | "U" | "u8");
        match self.cursor.byte(end) {
            b'"' if affix => {
                self.at = end + 1;
                self.stack.push(State::Text);
                return;
            }
            b'"' if self.dialect == Dialect::Cpp => {
                if matches!(word, "R" | "LR" | "uR" | "UR" | "u8R")
                    && let Some(end) = self.raw.find_end(self.cursor, end)
                {
                    self.at = end;
                    return;
                }
            }
            b'\'' if affix => {
                if let Some(end) = c_parts::character_end(self.cursor, end) {
                    self.at = end;
                    return;
                }
            }
            _ => {}
        }
        let kind = self.words.get(word);
        match kind {
            Some(Word::Builtin) => {
                self.name(self.at..end);
                self.at = end;
            }
            Some(Word::Library) | None => self.plain_name(),
            Some(kind) => self.keyword(kind, end),
        }
    }

    fn plain_name(&mut self) {
        let Some(end) = self.identifier() else {
            return self.skip();
        };
        if self.words.get(self.cursor.slice(self.at..end)) != Some(Word::Library) {
            self.name(self.at..end);
        }
        self.at = end;
    }

    /// Moves over white space, a comment, a label or the start of a
    /// preprocessor line. False if there is none.
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
            c_parts::line_comment_end(self.cursor, self.at)
        } else {
            c_parts::block_comment_start(self.cursor, self.at).map(|body| {
                c_parts::block_comment_end(self.cursor, body).unwrap_or(self.cursor.len())
            })
        };
        self.at = end.unwrap_or(self.at);
        end.is_some()
    }

    /// A `#` at a line start, perhaps behind white space and one comment.
    fn directive(&mut self) -> bool {
        if self.no_directive.is_some_and(|known| self.at <= known) {
            return false;
        }
        let space = self.cursor.space_end(self.at);
        let mut places = vec![];
        if self.cursor.byte(space) == b'#' {
            places.push(space);
        } else if self.cursor.starts(space, "/*") {
            let line = self.cursor.slice(space + 2..self.cursor.line_end(space));
            places.extend(line.match_indices("*/").filter_map(|(offset, _)| {
                let place = self.cursor.space_end(space + 4 + offset);
                (self.cursor.byte(place) == b'#').then_some(place)
            }));
        }
        let disabled =
            places.iter().copied().find(|place| c_parts::is_if_zero(self.cursor, *place));
        let Some(place) = disabled.or(places.first().copied()) else {
            self.no_directive = Some(space);
            return false;
        };
        self.nested(self.at..place);
        self.at = place + 1;
        if disabled.is_some() {
            self.at = self.cursor.space_end(place + 3) + 1;
        }
        self.stack.push(if disabled.is_some() { State::Disabled } else { State::Macro });
        true
    }

    /// `name:` at a line start; any word but four counts as a label.
    fn label(&mut self) -> bool {
        let start = self.cursor.ascii_run(self.at, |byte| matches!(byte, b' ' | b'\t'));
        let Some(end) = c_parts::identifier_end(self.cursor, start, false) else {
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
        self.name(start..end);
        self.at = colon + 1;
        true
    }

    fn text(&mut self) {
        match self.byte() {
            b'"' => {
                self.at += 1;
                self.pop();
            }
            b'\\' => {
                let next = self.cursor.byte(self.at + 1);
                self.at += if b"\\abfnrtv\"'\n".contains(&next) { 2 } else { 1 };
            }
            b'\n' => self.skip(),
            _ => {
                self.at =
                    self.cursor.ascii_run(self.at, |byte| !matches!(byte, b'"' | b'\\' | b'\n'));
            }
        }
    }

    fn macro_line(&mut self) {
        if self.include() {
            return;
        }
        match self.byte() {
            b'/' if self.cursor.byte(self.at + 1) == b'*' => {
                let (cursor, from) = (self.cursor, self.at + 2);
                let close = self.comment.search(|| cursor.find_text(from, "*/"));
                self.at = close.map_or(self.at + 1, |close| close + 2);
            }
            b'/' if self.cursor.byte(self.at + 1) == b'/'
                && self.cursor.find(self.at, b'\n').is_some() =>
            {
                self.at = self.cursor.next_line(self.at);
                self.pop();
            }
            b'/' => self.at += 1,
            b'\n' => {
                if self.at == 0 || self.cursor.byte(self.at - 1) != b'\\' {
                    self.pop();
                }
                self.at += 1;
            }
            _ => self.at = self.cursor.ascii_run(self.at, |byte| !matches!(byte, b'/' | b'\n')),
        }
    }

    /// `include "file"` or `include <file>`, whose file name may span lines.
    fn include(&mut self) -> bool {
        let word = c_parts::spaced(self.cursor, self.at);
        if !self.cursor.starts(word, "include") {
            return false;
        }
        let (cursor, open) = (self.cursor, c_parts::spaced(self.cursor, word + 7));
        let close = match cursor.byte(open) {
            b'"' => self.quote.search(|| cursor.find(open + 1, b'"')),
            b'<' => self.angle.search(|| cursor.find(open + 1, b'>')),
            _ => None,
        };
        match close {
            Some(close) if close > open + 1 => {
                self.at = self.cursor.line_end(close);
                true
            }
            _ => false,
        }
    }

    /// The text behind `#if 0`, up to its `#else`, `#elif` or `#endif`.
    fn disabled(&mut self) {
        let cursor = self.cursor;
        let line_end = cursor.line_end(self.at);
        if line_end == cursor.len() {
            self.at = line_end;
            return;
        }
        if cursor.at_line_start(self.at) {
            let hash = cursor.space_end(self.at);
            let end = cursor.line_end(hash);
            let continued = end > 0 && cursor.byte(end - 1) == b'\\';
            let closed = end < cursor.len();
            let depth = if cursor.starts(hash, "#if") && !continued {
                1
            } else if cursor.starts(hash, "#else")
                || cursor.starts(hash, "#elif")
                || cursor.starts(hash, "#endif") && !continued
            {
                -1
            } else {
                0
            };
            if closed && depth != 0 {
                self.at = end + 1;
                if depth > 0 {
                    self.stack.push(State::Disabled)
                } else {
                    self.pop()
                }
                return;
            }
            // Blank lines in front of this one were judged with it.
            let start = self
                .cursor
                .slice(self.at..hash)
                .rfind('\n')
                .map_or(self.at, |offset| self.at + offset + 1);
            if start > self.at {
                self.at = start;
                if !closed {
                    return;
                }
                self.at = end + 1;
                return;
            }
        }
        self.at = line_end + 1;
    }
}
