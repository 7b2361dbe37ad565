//! The additions of Objective-C to the C scanner.

use super::c::{Scanner, State as CState};
use super::c_words::Word;
use super::cursor::{is_digit, is_word};
use super::words::Words;
use std::sync::LazyLock;

/// States that only Objective-C has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    ClassName,
    ForwardName,
    Variables,
    Method,
    Parentheses,
    ParenthesesInner,
    Brackets,
    BracketsInner,
    Braces,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "__bridge __bridge_transfer __autoreleasing __block __weak __strong weak strong \
        copy retain assign unsafe_unretained atomic nonatomic readonly readwrite setter getter \
        typeof in out inout release class";
    let types = "id instancetype Class IMP SEL BOOL IBOutlet IBAction unichar Boolean UInt8 \
        SInt8 UInt16 SInt16 UInt32 SInt32";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Type, types),
        (Word::Builtin, "YES NO nil self super TRUE FALSE"),
    ])
});

/// Words behind `@` that are keywords.
static AT_WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "selector private protected public encode synchronized try throw catch finally \
        end property synthesize dynamic optional required autoreleasepool import";
    Words::new(&[((), words)])
});

impl Scanner<'_, '_> {
    /// End of an ASCII-started identifier with `$`.
    fn objective_name(&self, at: usize) -> Option<usize> {
        let first = self.cursor.byte(at);
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'$')) {
            return None;
        }
        Some(self.cursor.run(at, |character| character == '$' || is_word(character)))
    }

    fn take_name(&mut self, end: usize) {
        self.name(self.at..end);
        self.at = end;
    }

    /// `- (Type) name:` at a line start, outside everything.
    pub fn method_start(&mut self) -> bool {
        if !self.cursor.at_line_start(self.at) || !matches!(self.byte(), b'-' | b'+') {
            return false;
        }
        let space = self.cursor.space_end(self.at + 1);
        let mut names = vec![];
        if self.cursor.byte(space) == b'(' {
            // The result type ends at the first `)` of the line behind which
            // a name follows.
            let line_end = self.cursor.line_end(space);
            let line = self.cursor.slice(space..line_end);
            names.extend(line.match_indices(')').map(|(offset, _)| space + offset + 1));
        }
        names.push(space);
        let found = names.into_iter().find_map(|end| {
            let start = self.cursor.space_end(end);
            self.objective_name(start).map(|name_end| (end, start, name_end))
        });
        let Some((type_end, start, end)) = found else {
            return false;
        };
        if type_end > space {
            self.nested(space..type_end);
        }
        self.at = start;
        self.take_name(end + usize::from(self.cursor.byte(end) == b':'));
        self.stack.push(CState::Objective(State::Method));
        true
    }

    /// One token of a statement that C does not have.
    pub fn objective_token(&mut self) -> bool {
        if self.byte() == b'@' {
            self.at_token();
            return true;
        }
        let end = self.cursor.word_end(self.at);
        match WORDS.get(self.cursor.slice(self.at..end)) {
            Some(Word::Builtin) => self.take_name(end),
            Some(_) => self.at = end,
            None => return false,
        }
        true
    }

    fn at_token(&mut self) {
        let body = self.at + 1;
        let open = |scanner: &mut Self, state| {
            scanner.at = body + 1;
            scanner.stack.push(state);
        };
        match self.cursor.byte(body) {
            b'"' => return open(self, CState::Text),
            b'(' => return open(self, CState::Objective(State::Parentheses)),
            b'[' => return open(self, CState::Objective(State::Brackets)),
            b'{' => return open(self, CState::Objective(State::Braces)),
            b'\'' => {
                self.at = super::c_parts::character_end(self.cursor, body).unwrap_or(body);
                return;
            }
            _ => {}
        }
        if self.cursor.starts(body, "YES") || self.cursor.starts(body, "NO") {
            self.at = body + if self.cursor.byte(body) == b'Y' { 3 } else { 2 };
            return;
        }
        if let Some(end) = self.boxed_number(body) {
            self.at = end;
            return;
        }
        let end = self.cursor.word_end(body);
        let word = self.cursor.slice(body..end);
        if AT_WORDS.has(word) {
            self.at = end;
        } else if matches!(word, "true" | "false") && self.cursor.byte(end) == b'\n' {
            self.take_name(end + 1);
        } else {
            self.at = body;
            self.declaration(word.len(), word);
        }
    }

    /// `@interface`, `@class` and their like: the next word names a class.
    fn declaration(&mut self, length: usize, word: &str) {
        let state = match word {
            "interface" | "implementation" => State::ClassName,
            "class" | "protocol" => State::ForwardName,
            _ => return,
        };
        let end = self.cursor.space_end(self.at + length);
        if end > self.at + length {
            self.at = end;
            self.pop();
            self.stack.push(CState::Objective(state));
        }
    }

    /// End of the number behind `@`.
    fn boxed_number(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let digits = |from: usize| cursor.run(from, is_digit);
        let one_of = |at: usize, letters: &[u8]| usize::from(letters.contains(&cursor.byte(at)));
        let whole = digits(at);
        let has_dot = cursor.byte(whole) == b'.' && (whole > at || digits(whole + 1) > whole + 1);
        let mantissa = if has_dot { digits(whole + 1) } else { whole };
        if mantissa == at {
            return None;
        }
        if one_of(mantissa, b"eE") == 1 {
            let start = mantissa + 1 + one_of(mantissa + 1, b"+-");
            let end = digits(start);
            if end > start {
                return Some(end + one_of(end, b"lL"));
            }
        }
        if has_dot {
            return Some(mantissa + one_of(mantissa, b"fF"));
        }
        if one_of(whole, b"fF") == 1 {
            return Some(whole + 1 + one_of(whole + 1, b"fF"));
        }
        let run = |from: usize, test: fn(u8) -> bool| {
            let end = cursor.ascii_run(from, test);
            (end > from).then_some(end)
        };
        let based = match (cursor.byte(at), cursor.byte(at + 1)) {
            (b'0', b'x') => run(at + 2, |byte| byte.is_ascii_hexdigit()),
            (b'0', b'0'..=b'7') => run(at + 1, |byte| matches!(byte, b'0'..=b'7')),
            _ => None,
        };
        let end = based.unwrap_or(whole);
        Some(end + one_of(end, b"lL"))
    }

    /// One step in a state that only Objective-C has.
    pub fn objective(&mut self, state: State) {
        let inner = match state {
            State::ClassName => return self.class_name(),
            State::ForwardName => return self.forward_name(),
            State::Method => return self.method(),
            State::Variables => (b'{', b'}', State::Variables),
            State::Parentheses => (b'(', b')', State::ParenthesesInner),
            State::ParenthesesInner => (b'(', b')', State::ParenthesesInner),
            State::Brackets => (b'[', b']', State::BracketsInner),
            State::BracketsInner => (b'[', b']', State::BracketsInner),
            State::Braces => (0, b'}', State::Braces),
        };
        let variables = state == State::Variables;
        if variables && self.blank() {
            return;
        }
        let byte = self.byte();
        if byte == inner.0 && byte != 0 {
            self.at += 1;
            self.stack.push(CState::Objective(inner.2));
        } else if byte == inner.1 {
            self.at += 1;
            self.pop();
        } else if variables {
            self.expression();
        } else {
            self.statement();
        }
    }

    fn class_name(&mut self) {
        let Some(end) = self.objective_name(self.at) else {
            return self.skip();
        };
        self.take_name(end);
        self.pop();
        let space = self.cursor.space_end(end);
        let mut last = end;
        match self.cursor.byte(space) {
            b':' => {
                self.at = self.cursor.space_end(space + 1);
                if let Some(end) = self.objective_name(self.at) {
                    self.take_name(end);
                }
                last = self.at;
            }
            b'(' => {
                let close = self.objective_name(space + 1).unwrap_or(0);
                if self.cursor.byte(close) == b')' && close > 0 {
                    self.at = space;
                    self.take_name(close + 1);
                    last = close + 1;
                }
            }
            _ => {}
        }
        let brace = self.cursor.space_end(last);
        if self.cursor.byte(brace) == b'{' {
            self.at = brace + 1;
            self.stack.push(CState::Objective(State::Variables));
        }
    }

    fn forward_name(&mut self) {
        let Some(end) = self.objective_name(self.at) else {
            return self.skip();
        };
        self.take_name(end);
        let space = self.cursor.space_end(end);
        match self.cursor.byte(space) {
            b',' => {
                self.at = self.cursor.space_end(space + 1);
                self.stack.push(CState::Objective(State::ForwardName));
            }
            byte => {
                self.at = space + usize::from(byte == b';');
                self.pop();
            }
        }
    }

    fn method(&mut self) {
        if self.blank() {
            return;
        }
        let cursor = self.cursor;
        match self.byte() {
            b',' => self.at += 1,
            b'.' if cursor.starts(self.at, "...") => self.at += 3,
            b';' => {
                self.at += 1;
                self.pop();
            }
            b'{' => {
                self.at += 1;
                self.stack.push(CState::Function);
            }
            b'(' => {
                let line = cursor.slice(self.at..cursor.line_end(self.at));
                let found = line.match_indices(')').find_map(|(offset, _)| {
                    let close = self.at + offset + 1;
                    let start = cursor.space_end(close);
                    self.objective_name(start).map(|end| (close, start, end))
                });
                match found {
                    Some((close, start, end)) => {
                        self.nested(self.at..close);
                        self.at = start;
                        self.take_name(end);
                    }
                    None => self.pop(),
                }
            }
            _ => match self.objective_name(self.at) {
                Some(end) if cursor.byte(end) == b':' => self.take_name(end + 1),
                _ => self.pop(),
            },
        }
    }
}
