//! Scanner for Ruby.
//!
//! A stack machine over one part of the text at a time. Strings with free delimiters are parts of
//! their own, because their end is searched before their content is read. A line with a heredoc is
//! read to its end, and then the heredoc's text is skipped.

mod heredoc;
mod operators;
mod text;
mod words;

use std::ops::Range;

use self::{
    heredoc::Heredocs,
    operators::{character_end, method_name_end, method_operator_end, operator_end},
    text::Braces,
    words::{QUESTIONS, WORDS, Word},
};
use crate::{
    cursor::{Cursor, Once, is_digit, is_space, is_word, starts_identifier},
    scanner::{Place, Scanner},
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    FunctionName,
    ClassName,
    /// Parentheses after `def` or `class`.
    Parentheses,
    /// Interpolated code in a string.
    Insert,
    /// A string up to its quote.
    Quoted(u8),
    /// A string in brackets, which nest.
    Braced(Braces),
    /// A regular expression between slashes.
    Slashes,
    /// The whole content of a string with a free delimiter.
    Content,
}

type Ruby<'t, 'n> = Scanner<'t, 'n, State, Memory<'t>>;

/// What is known about the part of the text that is being read.
#[derive(Default)]
struct Memory<'t> {
    /// The part. While a line has an open heredoc, the scanner's own text is the part up to the end
    /// of that line.
    part: Cursor<'t>,
    heredocs: Heredocs<'t>,
    symbol: Once,
    comment: Once,
    /// The parts around this one, outermost first.
    outer: Vec<Place<'t, State, Memory<'t>>>,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    scan_part(text, 0, names);
}

/// Appends the names of a text that is at offset `base` of another one.
pub(super) fn scan_part(text: &str, base: usize, names: &mut Vec<Range<usize>>) {
    let memory = Memory { part: Cursor::new(text), ..Memory::default() };
    let mut ruby = Ruby::with(text, base, names, memory);
    if ruby.cursor.starts(0, "#!") {
        ruby.at = ruby.cursor.line_end(3);
    }
    loop {
        ruby.run(Ruby::step);
        if !ruby.pass_heredocs() && !ruby.leave_part() {
            return;
        }
    }
}

impl Ruby<'_, '_> {
    /// Reads a part of the text, from its start to its end.
    fn enter_part(&mut self, part: Range<usize>, state: State) {
        let (text, base) = (self.cursor.slice(part.clone()), self.whole(part).start);
        let outer = std::mem::take(&mut self.memory.outer);
        let memory = Memory { part: Cursor::new(text), outer, ..Memory::default() };
        let place = self.suspend(text, base, state, memory);
        self.memory.outer.push(place);
    }

    /// Continues after the part; false if it is the whole text.
    fn leave_part(&mut self) -> bool {
        let mut outer = std::mem::take(&mut self.memory.outer);
        let Some(place) = outer.pop() else {
            return false;
        };
        self.resume(place);
        self.memory.outer = outer;
        true
    }

    #[inline]
    fn step(&mut self) {
        let next = self.at + 1;
        match (self.state, self.byte()) {
            (State::FunctionName | State::ClassName | State::Parentheses, b'(') => {
                self.enter(next, State::Parentheses);
            }
            (State::FunctionName, _) => self.function_name(),
            (State::ClassName, _) => self.class_name(),
            (State::Parentheses, b')') => {
                self.leave(self.cursor.any(next, &["::", "."]).unwrap_or(next));
            }
            (State::Insert, b'{') => self.enter(next, State::Insert),
            (State::Insert, b'}') => self.leave(next),
            (State::Code | State::Insert | State::Parentheses, _) => self.code(),
            (state, _) => self.text(state),
        }
    }

    /// One token of code.
    fn code(&mut self) {
        if self.slash() || self.spaced_percent() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'#' => self.at = cursor.line_end(at),
            b'=' if cursor.starts(at, "=begin") && cursor.is(at + 6, is_space) => self.comment(),
            b'<' if next == b'<' && self.heredoc() => {}
            b'@' | b'$' => self.variable(),
            b':' if next == b':' => self.at = at + 2,
            b':' => self.symbol(),
            quote @ (b'"' | b'\'') => self.enter(at + 1, State::Quoted(quote)),
            b'`' if at == 0 || cursor.byte(at - 1) != b'.' => {
                self.enter(at + 1, State::Quoted(b'`'));
            }
            b'%' if self.percent() => {}
            b'?' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'.' => self.dot(),
            byte if starts_identifier(byte) => self.word(),
            _ if cursor.is(at, is_digit) => self.number(),
            _ => {
                let space = cursor.space_end(at);
                self.at = if space > at { space } else { operator_end(cursor, at) };
            }
        }
    }

    /// `=begin`, up to the line with `=end`.
    fn comment(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let close = self.memory.comment.search(|| cursor.find_text(at + 7, "\n=end"));
        self.at = close.map_or(at + 1, |close| cursor.line_end(close + 1));
    }

    fn variable(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = if self.byte() == b'@' {
            let double = usize::from(cursor.byte(at + 1) == b'@');
            let start = at + 1 + double;
            cursor.identifier_end(start).unwrap_or(at)
        } else {
            let end = cursor.word_end(at + 1);
            let special = b"!@&`'+~=/\\,;.<>_*$?:\"^-".contains(&cursor.byte(at + 1));
            if end > at + 1 { end } else { at + 2 * usize::from(special) }
        };
        if end > at { self.name(at..end) } else { self.at = at + 1 }
    }

    /// A symbol after a colon.
    fn symbol(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let mut start = at + 1;
        while start < at + 3 && cursor.byte(start) == b'@' {
            start += 1;
        }
        if let Some(end) = cursor.identifier_end(start) {
            self.at = cursor.optional(end, b"!?");
            return;
        }
        if let Some(end) = method_operator_end(cursor, start) {
            self.at = end;
            return;
        }
        match cursor.byte(at + 1) {
            b'\'' => {
                let close = self.memory.symbol.search(|| cursor.quoted_end(at + 1, b'\''));
                self.at = close.unwrap_or(at + 1);
            }
            b'"' => self.enter(at + 2, State::Quoted(b'"')),
            _ => self.at = at + 1,
        }
    }

    /// A dot with the method after it, which may be an operator.
    fn dot(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(end) = method_operator_end(cursor, at + 1) {
            return self.name(at + 1..end);
        }
        if let Some(end) = cursor.identifier_end(at + 1) {
            return self.name(at + 1..cursor.optional(end, b"!?"));
        }
        if matches!(cursor.byte(at + 1), b'[' | b'=') {
            return self.name(at + 1..at + 2);
        }
        let dots = (1..3).take_while(|offset| cursor.byte(at + offset) == b'.').count();
        self.at = at + 1 + dots;
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        let word = cursor.slice(at..end);
        let after = cursor.byte(end);
        let kind = WORDS.get(word);
        let dotted = at > 0 && cursor.byte(at - 1) == b'.';
        let space = cursor.space_end(end);
        match kind {
            Some(Word::Plain) => {
                self.at = end;
                return;
            }
            Some(Word::Module) if space > end => {
                let path = path_end(cursor, space);
                if path > space {
                    return self.name(space..path);
                }
            }
            Some(Word::Def) if space > end => return self.enter(space, State::FunctionName),
            Some(Word::Def) if b"*%&^`~+,-./[<>=".contains(&after) => {
                return self.enter(end, State::FunctionName);
            }
            Some(Word::Class) if space > end => return self.enter(space, State::ClassName),
            _ if after == b'?' && QUESTIONS.has(word) => return self.name(at..end + 1),
            _ if after == b'!' && matches!(word, "chomp" | "chop" | "exit" | "gsub" | "sub") => {
                return self.name(at..end + 1);
            }
            Some(Word::Builtin) if !dotted => return self.name(at..end),
            _ => {}
        }
        if word == "defined" && after == b'?' && cursor.is(end + 1, is_word) {
            self.at = end + 1;
        } else if matches!(word, "__FILE__" | "__LINE__") {
            self.name(at..end);
        } else if word.starts_with("__END__") {
            self.at = cursor.len();
        } else if after == b':' && cursor.byte(end + 1) != b':' {
            self.at = end + 1;
        } else {
            let constant = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
            let mark = usize::from(!constant && matches!(after, b'!' | b'?'));
            self.name(at..end + mark);
        }
    }

    /// A number; a slash or question mark after it is an operator.
    fn number(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let groups = |start: usize, digit: &dyn Fn(char) -> bool| {
            let mut end = cursor.run(start, digit);
            while end > start && cursor.byte(end) == b'_' && cursor.is(end + 1, digit) {
                end = cursor.run(end + 1, digit);
            }
            end
        };
        let zero = self.byte() == b'0';
        let skip = 2 - usize::from(cursor.byte(at + 1) != b'_');
        let (start, radix) = match cursor.byte(at + 1) {
            b'x' => (at + 2, 16),
            b'b' => (at + 2, 2),
            _ => (at + skip, 8),
        };
        let mut end = groups(start, &|c: char| c.is_digit(radix));
        if !zero || end == start {
            end = groups(at, &is_digit);
        }
        let next = cursor.space_end(end);
        self.at = cursor.optional(next, b"/?");
    }

    /// The name after `def`, optionally with an object before it.
    fn function_name(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        self.leave(at);
        if let Some(object) = cursor.identifier_end(at)
            && cursor.byte(object) == b'.'
            && let Some(end) = method_name_end(cursor, object + 1)
        {
            self.name(at..object);
            return self.name(object + 1..end);
        }
        if let Some(end) = method_name_end(cursor, at) {
            self.name(at..end);
        }
    }

    fn class_name(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        self.leave(at);
        match self.byte() {
            b'<' if cursor.byte(at + 1) == b'<' => self.at = at + 2,
            b'A'..=b'Z' | b'_' => self.name(at..cursor.word_end(at)),
            _ => {}
        }
    }
}

/// End of `A::B::C`.
fn path_end(cursor: Cursor, at: usize) -> usize {
    let mut end = at;
    let mut start = at;
    while let Some(word) = cursor.identifier_end(start) {
        end = word;
        if !cursor.starts(end, "::") {
            break;
        }
        start = end + 2;
    }
    end
}
