//! The additions of Objective-C to the C scanner.

use std::sync::LazyLock;

use super::{C, State as Outer, parts::character_end, words::Word};
use crate::{
    cursor::{is_digit, is_word},
    words::Words,
};

/// States that only Objective-C has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    ClassName,
    ForwardName,
    Variables,
    Method,
    Parentheses,
    Brackets,
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

/// Words after `@` that are keywords.
static AT_WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "selector private protected public encode synchronized try throw catch finally \
        end property synthesize dynamic optional required autoreleasepool import";
    Words::new(&[((), words)])
});

impl C<'_, '_> {
    /// End of an ASCII-started identifier with `$`.
    fn objective_name(&self, at: usize) -> Option<usize> {
        let first = self.cursor.byte(at);
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'$')) {
            return None;
        }
        Some(self.cursor.run(at, |character| character == '$' || is_word(character)))
    }

    /// A type in parentheses and the name after it: end of the type, start and end of the name. The
    /// type ends at the first `)` on the line that a name follows.
    fn typed_name(&self, open: usize) -> Option<(usize, usize, usize)> {
        let mut from = open;
        loop {
            let close = self.cursor.ascii_run(from, |byte| !matches!(byte, b')' | b'\n'));
            if self.cursor.byte(close) != b')' {
                return None;
            }
            from = close + 1;
            let start = self.cursor.space_end(from);
            if let Some(end) = self.objective_name(start) {
                return Some((from, start, end));
            }
        }
    }

    /// `- (Type) name:` at a line start, outside all other constructs.
    pub fn method_start(&mut self) -> bool {
        if !self.cursor.at_line_start(self.at) || !matches!(self.byte(), b'-' | b'+') {
            return false;
        }
        let space = self.cursor.space_end(self.at + 1);
        let found = match self.cursor.byte(space) {
            b'(' => self.typed_name(space),
            _ => self.objective_name(space).map(|end| (space, space, end)),
        };
        let Some((type_end, start, end)) = found else {
            return false;
        };
        if type_end > space {
            self.nested(space..type_end);
        }
        self.name(start..self.cursor.optional(end, b":"));
        self.enter(self.at, Outer::Objective(State::Method));
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
            Some(Word::Builtin) => self.name_to(end),
            Some(_) => self.at = end,
            None => return false,
        }
        true
    }

    fn at_token(&mut self) {
        let body = self.at + 1;
        match self.cursor.byte(body) {
            b'"' => return self.enter(body + 1, Outer::Text),
            b'(' => return self.enter(body + 1, Outer::Objective(State::Parentheses)),
            b'[' => return self.enter(body + 1, Outer::Objective(State::Brackets)),
            b'{' => return self.enter(body + 1, Outer::Objective(State::Braces)),
            b'\'' => {
                self.at = character_end(self.cursor, body).unwrap_or(body);
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
            self.name_to(end + 1);
        } else {
            self.at = body;
            self.declaration(word.len(), word);
        }
    }

    /// `@interface`, `@class` and similar words: the next word names a class.
    fn declaration(&mut self, length: usize, word: &str) {
        let state = match word {
            "interface" | "implementation" => State::ClassName,
            "class" | "protocol" => State::ForwardName,
            _ => return,
        };
        let end = self.cursor.space_end(self.at + length);
        if end > self.at + length {
            self.leave(end);
            self.enter(end, Outer::Objective(state));
        }
    }

    /// End of the number after `@`.
    fn boxed_number(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let digits = |from: usize| cursor.run(from, is_digit);
        let whole = digits(at);
        let has_dot = cursor.byte(whole) == b'.' && (whole > at || digits(whole + 1) > whole + 1);
        let mantissa = if has_dot { digits(whole + 1) } else { whole };
        if mantissa == at {
            return None;
        }
        if let Some(end) = cursor.exponent_end(mantissa, b"eE", digits) {
            return Some(cursor.optional(end, b"lL"));
        }
        if has_dot {
            return Some(cursor.optional(mantissa, b"fF"));
        }
        if cursor.optional(whole, b"fF") > whole {
            return Some(cursor.optional(whole + 1, b"fF"));
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
        Some(cursor.optional(end, b"lL"))
    }

    /// One step in a state that only Objective-C has.
    pub fn objective(&mut self, state: State) {
        let (open, close) = match state {
            State::ClassName => return self.class_name(),
            State::ForwardName => return self.forward_name(),
            State::Method => return self.method(),
            State::Variables => (b'{', b'}'),
            State::Parentheses => (b'(', b')'),
            State::Brackets => (b'[', b']'),
            State::Braces => (0, b'}'),
        };
        let variables = state == State::Variables;
        if variables && self.blank() {
            return;
        }
        let byte = self.byte();
        if byte == open && byte != 0 {
            self.enter(self.at + 1, Outer::Objective(state));
        } else if byte == close {
            self.leave(self.at + 1);
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
        self.name_to(end);
        self.leave(end);
        let space = self.cursor.space_end(end);
        let mut last = end;
        match self.cursor.byte(space) {
            b':' => {
                self.at = self.cursor.space_end(space + 1);
                if let Some(end) = self.objective_name(self.at) {
                    self.name_to(end);
                }
                last = self.at;
            }
            b'(' => {
                let close = self.objective_name(space + 1).unwrap_or(0);
                if self.cursor.byte(close) == b')' && close > 0 {
                    self.name(space..close + 1);
                    last = close + 1;
                }
            }
            _ => {}
        }
        let brace = self.cursor.space_end(last);
        if self.cursor.byte(brace) == b'{' {
            self.enter(brace + 1, Outer::Objective(State::Variables));
        }
    }

    fn forward_name(&mut self) {
        let Some(end) = self.objective_name(self.at) else {
            return self.skip();
        };
        self.name_to(end);
        let space = self.cursor.space_end(end);
        match self.cursor.byte(space) {
            b',' => {
                let next = self.cursor.space_end(space + 1);
                self.enter(next, Outer::Objective(State::ForwardName));
            }
            _ => self.leave(self.cursor.optional(space, b";")),
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
            b';' => self.leave(self.at + 1),
            b'{' => self.enter(self.at + 1, Outer::Function),
            b'(' => match self.typed_name(self.at) {
                Some((close, start, end)) => {
                    self.nested(self.at..close);
                    self.name(start..end);
                }
                None => self.leave(self.at),
            },
            _ => match self.objective_name(self.at) {
                Some(end) if cursor.byte(end) == b':' => self.name_to(end + 1),
                _ => self.leave(self.at),
            },
        }
    }
}
