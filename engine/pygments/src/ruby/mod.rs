//! Scanner for Ruby.
//!
//! A stack machine over one part of the text at a time. Strings with free
//! delimiters are parts of their own, because their end is found before their
//! content is looked at. A line with a heredoc is read to its end, then the
//! heredoc's text is passed over.

mod heredoc;
mod operators;
mod text;
mod words;

use std::ops::Range;

use self::heredoc::Heredocs;
use self::operators::{character_end, method_name_end, method_operator_end, operator_end};
use self::text::Braces;
use self::words::{QUESTIONS, WORDS, Word};
use crate::cursor::{Cursor, Once, is_digit, is_space, is_word};

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Code,
    FunctionName,
    ClassName,
    /// Parentheses behind `def` or `class`.
    Parentheses,
    /// Code inserted in a string.
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

/// A part of the text and where the scanner is in it.
struct Part<'t> {
    /// The text of the part, and its offset in the file.
    pub text: &'t str,
    pub base: usize,
    /// What may be read now: the part, or the line with an open heredoc.
    pub cursor: Cursor<'t>,
    pub at: usize,
    pub stack: Vec<State>,
    pub heredocs: Heredocs<'t>,
    pub symbol: Once,
    comment: Once,
}

struct Scanner<'t, 'n> {
    pub part: Part<'t>,
    /// The parts around the current one, outermost first.
    pub outer: Vec<Part<'t>>,
    names: &'n mut Vec<Range<usize>>,
}

impl<'t> Part<'t> {
    pub fn new(text: &'t str, base: usize, state: State) -> Self {
        Self {
            text,
            base,
            cursor: Cursor::new(text),
            at: 0,
            stack: vec![state],
            heredocs: Heredocs::default(),
            symbol: Once::default(),
            comment: Once::default(),
        }
    }
}

/// Appends the names of `text`, in order of appearance. `base` is added to
/// all positions.
pub(super) fn scan(text: &str, base: usize, names: &mut Vec<Range<usize>>) {
    let part = Part::new(text, base, State::Code);
    let mut scanner = Scanner { part, outer: vec![], names };
    if scanner.part.cursor.starts(0, "#!") {
        scanner.part.at = scanner.part.cursor.line_end(3);
    }
    loop {
        if scanner.part.at < scanner.part.cursor.len() {
            scanner.step();
        } else if !scanner.pass_heredocs() {
            match scanner.outer.pop() {
                Some(part) => scanner.part = part,
                None => return,
            }
        }
    }
}

impl<'t> Scanner<'t, '_> {
    pub fn cursor(&self) -> Cursor<'t> {
        self.part.cursor
    }

    pub fn byte(&self) -> u8 {
        self.part.cursor.byte(self.part.at)
    }

    pub fn go(&mut self, at: usize) {
        self.part.at = at;
    }

    pub fn name(&mut self, range: Range<usize>) {
        self.part.at = range.end;
        self.names.push(self.part.base + range.start..self.part.base + range.end);
    }

    pub fn enter(&mut self, at: usize, state: State) {
        self.part.at = at;
        self.part.stack.push(state);
    }

    pub fn pop(&mut self) {
        if self.part.stack.len() > 1 {
            self.part.stack.pop();
        }
    }

    pub fn state(&self) -> State {
        self.part.stack.last().copied().unwrap_or(State::Code)
    }

    fn step(&mut self) {
        let next = self.part.at + 1;
        match (self.state(), self.byte()) {
            (State::FunctionName | State::ClassName | State::Parentheses, b'(') => {
                self.enter(next, State::Parentheses);
            }
            (State::FunctionName, _) => self.function_name(),
            (State::ClassName, _) => self.class_name(),
            (State::Parentheses, b')') => {
                let rest = self.cursor().rest(next);
                let dots =
                    if rest.starts_with("::") { 2 } else { usize::from(rest.starts_with('.')) };
                self.go(next + dots);
                self.pop();
            }
            (State::Insert, b'{') => self.enter(next, State::Insert),
            (State::Insert, b'}') => {
                self.go(next);
                self.pop();
            }
            (State::Code | State::Insert | State::Parentheses, _) => self.code(),
            (state, _) => self.text(state),
        }
    }

    /// One token of code.
    fn code(&mut self) {
        if self.slash() || self.spaced_percent() {
            return;
        }
        let (cursor, at) = (self.cursor(), self.part.at);
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'#' => self.go(cursor.line_end(at)),
            b'=' if cursor.starts(at, "=begin") && cursor.is(at + 6, is_space) => self.comment(),
            b'<' if next == b'<' && self.heredoc() => {}
            b'@' | b'$' => self.variable(),
            b':' if next == b':' => self.go(at + 2),
            b':' => self.symbol(),
            quote @ (b'"' | b'\'') => self.enter(at + 1, State::Quoted(quote)),
            b'`' if at == 0 || cursor.byte(at - 1) != b'.' => {
                self.enter(at + 1, State::Quoted(b'`'));
            }
            b'%' if self.percent() => {}
            b'?' => self.go(character_end(cursor, at).unwrap_or(at + 1)),
            b'.' => self.dot(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.word(),
            _ if cursor.is(at, is_digit) => self.number(),
            _ => {
                let space = cursor.space_end(at);
                self.go(if space > at { space } else { operator_end(cursor, at) });
            }
        }
    }

    /// `=begin` up to the line with `=end`.
    fn comment(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        let close = self.part.comment.search(|| cursor.find_text(at + 7, "\n=end"));
        self.go(close.map_or(at + 1, |close| cursor.line_end(close + 1)));
    }

    fn variable(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        let is_start = |at: usize| matches!(cursor.byte(at), b'a'..=b'z' | b'A'..=b'Z' | b'_');
        let end = if self.byte() == b'@' {
            let double = usize::from(cursor.byte(at + 1) == b'@');
            let start = at + 1 + double;
            if is_start(start) { cursor.word_end(start) } else { at }
        } else {
            let end = cursor.word_end(at + 1);
            let special = b"!@&`'+~=/\\,;.<>_*$?:\"^-".contains(&cursor.byte(at + 1));
            if end > at + 1 { end } else { at + 2 * usize::from(special) }
        };
        if end > at { self.name(at..end) } else { self.go(at + 1) }
    }

    /// A symbol behind a colon.
    fn symbol(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        let mut start = at + 1;
        while start < at + 3 && cursor.byte(start) == b'@' {
            start += 1;
        }
        let first = cursor.byte(start);
        if first.is_ascii_alphabetic() || first == b'_' {
            let end = cursor.word_end(start);
            return self.go(end + usize::from(matches!(cursor.byte(end), b'!' | b'?')));
        }
        if let Some(end) = method_operator_end(cursor, start) {
            return self.go(end);
        }
        match cursor.byte(at + 1) {
            b'\'' => {
                let close = self.part.symbol.search(|| cursor.quoted_end(at + 1, b'\''));
                self.go(close.unwrap_or(at + 1));
            }
            b'"' => self.enter(at + 2, State::Quoted(b'"')),
            _ => self.go(at + 1),
        }
    }

    /// A dot with the method behind it, which may be an operator.
    fn dot(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        if let Some(end) = method_operator_end(cursor, at + 1) {
            return self.name(at + 1..end);
        }
        let first = cursor.byte(at + 1);
        if first.is_ascii_alphabetic() || first == b'_' {
            let end = cursor.word_end(at + 1);
            let mark = usize::from(matches!(cursor.byte(end), b'!' | b'?'));
            return self.name(at + 1..end + mark);
        }
        if matches!(first, b'[' | b'=') {
            return self.name(at + 1..at + 2);
        }
        let dots = (1..3).take_while(|offset| cursor.byte(at + offset) == b'.').count();
        self.go(at + 1 + dots);
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        let end = cursor.word_end(at);
        let word = cursor.slice(at..end);
        let after = cursor.byte(end);
        let kind = WORDS.get(word);
        let dotted = at > 0 && cursor.byte(at - 1) == b'.';
        let space = cursor.space_end(end);
        match kind {
            Some(Word::Plain) => return self.go(end),
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
            self.go(end + 1);
        } else if matches!(word, "__FILE__" | "__LINE__") {
            self.name(at..end);
        } else if word.starts_with("__END__") {
            self.go(cursor.len());
        } else if after == b':' && cursor.byte(end + 1) != b':' {
            self.go(end + 1);
        } else {
            let constant = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
            let mark = usize::from(!constant && matches!(after, b'!' | b'?'));
            self.name(at..end + mark);
        }
    }

    /// A number; a slash or question mark behind it is an operator.
    fn number(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
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
        self.go(next + usize::from(matches!(cursor.byte(next), b'/' | b'?')));
    }

    /// The name behind `def`, perhaps with an object in front.
    fn function_name(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        self.pop();
        let first = cursor.byte(at);
        if first.is_ascii_alphabetic() || first == b'_' {
            let object = cursor.word_end(at);
            if cursor.byte(object) == b'.'
                && let Some(end) = method_name_end(cursor, object + 1)
            {
                self.name(at..object);
                return self.name(object + 1..end);
            }
        }
        if let Some(end) = method_name_end(cursor, at) {
            self.name(at..end);
        }
    }

    fn class_name(&mut self) {
        let (cursor, at) = (self.cursor(), self.part.at);
        self.pop();
        match self.byte() {
            b'<' if cursor.byte(at + 1) == b'<' => self.go(at + 2),
            b'A'..=b'Z' | b'_' => self.name(at..cursor.word_end(at)),
            _ => {}
        }
    }
}

/// End of `A::B::C`.
fn path_end(cursor: Cursor, at: usize) -> usize {
    let mut end = at;
    let mut start = at;
    while matches!(cursor.byte(start), b'a'..=b'z' | b'A'..=b'Z' | b'_') {
        end = cursor.word_end(start);
        if !cursor.starts(end, "::") {
            break;
        }
        start = end + 2;
    }
    end
}
