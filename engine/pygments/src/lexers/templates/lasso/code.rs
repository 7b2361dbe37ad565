//! The code between Lasso's delimiters.

use super::{
    Lasso, State,
    words::{Word, compares, folded, meaning, starts_name},
};
use crate::cursor::{Cursor, is_digit, is_space, is_word};

/// A character that a name may contain.
fn in_name(character: char) -> bool {
    character == '.' || is_word(character)
}

/// End of the name at `at`, dots included.
fn name_end(cursor: Cursor, at: usize) -> Option<usize> {
    cursor.is(at, starts_name).then(|| cursor.run(at, in_name))
}

/// End of the name at `at`, including the equals sign of a setter.
fn setter_end(cursor: Cursor, at: usize) -> Option<usize> {
    let end = name_end(cursor, at)?;
    let assigns = cursor.byte(end) == b'=' && cursor.byte(end + 1) != b'=';
    Some(end + usize::from(assigns))
}

/// End of a member's name at `at`, including any equals sign, or of an operator in its place.
fn member_end(cursor: Cursor, at: usize) -> Option<usize> {
    match name_end(cursor, at) {
        Some(end) => Some(cursor.optional(end, b"=")),
        None => matches!(cursor.byte(at), b'-' | b'+' | b'*' | b'/' | b'%').then_some(at + 1),
    }
}

/// End of a name in single quotes at `at`.
fn quoted_name_end(cursor: Cursor, at: usize) -> Option<usize> {
    let end = name_end(cursor, at + 1).filter(|_| cursor.byte(at) == b'\'')?;
    (cursor.byte(end) == b'\'').then_some(end + 1)
}

/// Whether a comma follows, optionally after a type.
fn comma_follows(cursor: Cursor, at: usize) -> bool {
    let start = cursor.space_end(at);
    let typed = cursor.starts(start, "::").then(|| cursor.space_end(start + 2));
    let end = typed.map_or(start, |name| cursor.space_end(cursor.run(name, in_name)));
    cursor.byte(end) == b',' && typed.is_none_or(|name| cursor.is(name, in_name))
}

/// Whether an arrow follows, optionally after parentheses and a type.
fn arrow_follows(cursor: Cursor, at: usize) -> bool {
    let start = cursor.space_end(at);
    let arrow = |at: usize| {
        let at = cursor.space_end(at);
        let typed = |c: char| is_space(c) || in_name(c);
        let end = if cursor.starts(at, "::") { cursor.run(at + 2, typed) } else { at };
        cursor.starts(end, "=>") && (end == at || end > at + 2)
    };
    if cursor.byte(start) != b'(' {
        return arrow(start);
    }
    // Inner pairs of parentheses, which contain no further ones; any of them may be the last.
    let neither = |byte: u8| !matches!(byte, b'(' | b')');
    let mut end = start + 1;
    loop {
        let open = cursor.ascii_run(end, neither);
        let close = cursor.ascii_run(open + 1, neither);
        if cursor.byte(open) != b'(' || cursor.byte(close) != b')' {
            break;
        }
        end = close + 1;
        if arrow(end) {
            return true;
        }
    }
    cursor.find(end, b')').is_some_and(|close| arrow(close + 1))
}

impl Lasso<'_, '_> {
    /// One token of code.
    pub(super) fn code(&mut self) {
        if !self.blank() && !self.number() && !self.sign() && !self.word() {
            self.symbol();
        }
    }

    /// White space or a comment.
    fn blank(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return true;
        }
        if cursor.starts(at, "//") {
            self.at = cursor.line_end(at);
        } else if cursor.starts(at, "/*")
            && let Some(end) = self.ending(at + 2, "*/")
        {
            self.at = end;
        }
        self.at > at
    }

    fn number(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let digits = |at: usize| cursor.run(at, is_digit);
        let whole = digits(at);
        let fraction = digits(whole + 1);
        if cursor.byte(whole) == b'.' && fraction > whole + 1 {
            self.at = cursor.exponent_end(fraction, b"eE", digits).unwrap_or(fraction);
            return true;
        }
        let hex = cursor.run(at + 2, |c| c.is_ascii_hexdigit() || is_digit(c));
        let is_hex = cursor.byte(at) == b'0' && matches!(cursor.byte(at + 1), b'x' | b'X');
        self.at = if is_hex && hex > at + 2 { hex } else { whole };
        self.at > at
    }

    /// A token that starts with a sign: a string, a variable, a member, an attribute, a type.
    fn sign(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let end = match self.byte() {
            quote @ (b'\'' | b'"') => {
                self.enter(at + 1, State::Quoted(quote));
                return true;
            }
            b'`' => {
                let end = self.ending(at + 1, "`");
                self.at = end.unwrap_or(at);
                return end.is_some();
            }
            b'$' => name_end(cursor, at + 1),
            b'#' => name_end(cursor, at + 1).or_else(|| {
                let end = cursor.run(at + 1, is_digit);
                (end > at + 1 && !cursor.is(end, is_word)).then_some(end)
            }),
            b'.' => return self.member(),
            b'-' if next == b'>' => return self.called(cursor.optional(at + 2, b"\\")),
            b'&' => return self.called(at + 1),
            b'-' if self.literal(at + 1, "infinity").is_none() => name_end(cursor, at + 1),
            b':' if next == b':' => return self.label(),
            _ => None,
        };
        let found = end.is_some();
        if let Some(end) = end {
            self.name_to(end);
        }
        found
    }

    /// The dots before a member, and the member.
    fn member(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let quoted = cursor.space_end(at + 1);
        let dots = cursor.optional(at + 1, b".");
        let start = cursor.space_end(dots);
        if let Some(end) = quoted_name_end(cursor, quoted) {
            self.note(at..at + 1);
            self.name(quoted..end);
        } else if let Some(end) = setter_end(cursor, start) {
            self.note(at..dots);
            self.name(start..end);
        } else {
            return false;
        }
        true
    }

    /// A member after an arrow or an ampersand that ends at `sign`.
    fn called(&mut self, sign: usize) -> bool {
        let start = self.cursor.space_end(sign);
        let end = setter_end(self.cursor, start);
        if let Some(end) = end {
            self.name(start..end);
        }
        end.is_some()
    }

    /// A type after two colons.
    fn label(&mut self) -> bool {
        let start = self.cursor.space_end(self.at + 2);
        let end = name_end(self.cursor, start).filter(|_| self.cursor.starts(self.at, "::"));
        if let Some(end) = end {
            self.name(start..end);
        }
        end.is_some()
    }

    /// A word, or a keyword or a name after a slash.
    fn word(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let start = cursor.optional(at, b"/");
        let word = cursor.word_end(start);
        let meaning = meaning(cursor.slice(start..word));
        if start > at {
            let end = cursor.run(start, in_name);
            if meaning.is_some_and(Word::closes) {
                self.at = word;
            } else if end > start {
                self.name(start..end);
            }
            return end > start;
        }
        let taken = match meaning {
            Some(Word::Number | Word::Plain) => {
                self.at = word;
                true
            }
            Some(Word::Pseudo) => self.pseudo(word),
            Some(Word::Error) => {
                self.name_to(word);
                true
            }
            Some(Word::Define) => self.definition(word),
            Some(Word::Access) => self.accessible(word),
            Some(Word::Data) if cursor.is(word, is_space) => {
                self.at = word;
                true
            }
            _ => false,
        };
        taken || self.in_loop() || self.keyword(word, meaning) || self.plain_name()
    }

    /// `self` and similar words, except after an arrow. A quoted member may follow `self`.
    fn pseudo(&mut self, word: usize) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let arrow = cursor.space_end(word);
        let quoted = cursor.space_end(arrow + 2);
        if folded(cursor.slice(at..word)) == "self"
            && cursor.starts(arrow, "->")
            && let Some(end) = quoted_name_end(cursor, quoted)
        {
            self.note(at..word);
            self.name(quoted..end);
            return true;
        }
        let called = at.checked_sub(2).is_some_and(|before| cursor.starts(before, "->"));
        if !called {
            self.name_to(word);
        }
        !called
    }

    /// The definition after a `define` that ends at `word`: a type, a member of a type, or a
    /// method.
    fn definition(&mut self, word: usize) -> bool {
        let cursor = self.cursor;
        let start = cursor.space_end(word);
        let Some(end) = name_end(cursor, start).filter(|_| start > word) else { return false };
        self.note(start..end);
        let sign = cursor.space_end(end);
        let behind = cursor.space_end(sign + 2);
        let kind = cursor.word_end(behind);
        let is_kind = matches!(&*folded(cursor.slice(behind..kind)), "type" | "trait" | "thread");
        if cursor.starts(sign, "=>") && is_kind {
            self.at = kind;
        } else if cursor.starts(sign, "->")
            && let Some(member) = member_end(cursor, behind)
        {
            self.note(behind..member);
            self.enter(member, State::Signature);
        } else {
            self.enter(end, State::Signature);
        }
        true
    }

    /// The member after an access keyword that ends at `word`.
    fn accessible(&mut self, word: usize) -> bool {
        let cursor = self.cursor;
        let start = cursor.space_end(word);
        if start == word {
            return false;
        }
        let member = member_end(cursor, start);
        if let Some(end) = member.filter(|end| cursor.byte(cursor.space_end(*end)) == b'(') {
            self.note(start..end);
            self.enter(end, State::Signature);
        } else if let Some(end) = name_end(cursor, start) {
            self.name(start..end);
        } else {
            return false;
        }
        true
    }

    /// A variable before `in`.
    fn in_loop(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = name_end(cursor, at) else { return false };
        let start = cursor.space_end(end);
        let word = cursor.word_end(start);
        let found = start > end && folded(cursor.slice(start..word)) == "in";
        if found {
            self.note(at..end);
            self.at = word;
        }
        found
    }

    /// A keyword that ends at `word`, with the variable that it introduces.
    fn keyword(&mut self, word: usize, meaning: Option<Word>) -> bool {
        let cursor = self.cursor;
        match meaning {
            Some(Word::Binding) => {
                let start = cursor.space_end(word);
                match name_end(cursor, start).filter(|_| start > word) {
                    Some(end) => self.name(start..end),
                    None => self.at = word,
                }
            }
            Some(Word::Require) => self.enter(word, State::Required),
            Some(Word::Keyword | Word::Operator | Word::Define | Word::Access) => self.at = word,
            _ => return false,
        }
        true
    }

    /// A variable with its type before an equals sign, or any other name.
    fn plain_name(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.run(at, in_name);
        let colons = cursor.space_end(end);
        if name_end(cursor, at).is_some() && cursor.starts(colons, "::") {
            let start = cursor.space_end(colons + 2);
            let kind = name_end(cursor, start).unwrap_or(start);
            let sign = cursor.space_end(kind);
            if cursor.byte(sign) == b'=' && cursor.byte(sign + 1) != b'=' {
                self.note(at..end);
                if kind > start {
                    self.note(start..kind);
                }
                self.at = sign + 1;
                return true;
            }
        }
        if end > at {
            self.name_to(end);
        }
        end > at
    }

    fn symbol(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let operator = |byte: u8| b"-+*/%=<>&|!?\\".contains(&byte);
        let compared = cursor.word_end(at + 1);
        match self.byte() {
            b',' => self.enter(at + 1, State::Comma),
            b'=' if compares(cursor.slice(at + 1..compared)) => self.at = compared,
            b':' => self.at = cursor.optional(at + 1, b"="),
            byte if operator(byte) => self.at = cursor.ascii_run(at, operator),
            _ => self.at = cursor.after(at),
        }
    }

    pub(super) fn signature(&mut self) {
        match self.byte() {
            b'=' if self.cursor.byte(self.at + 1) == b'>' => self.leave(self.at + 2),
            b')' => self.leave(self.at + 1),
            b'(' | b',' => self.enter(self.at + 1, State::Parameter),
            _ => self.code(),
        }
    }

    pub(super) fn parameter(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() == b')' {
            self.leave(at + 1);
        } else if let Some(end) = name_end(cursor, cursor.optional(at, b"-")) {
            self.note(at..end);
            self.leave(end);
        } else if cursor.starts(at, "...") {
            self.name_to(at + 3);
        } else {
            self.code();
        }
    }

    pub(super) fn required(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(end) = member_end(cursor, at) {
            self.note(at..end);
            if cursor.byte(cursor.space_end(end)) == b'(' {
                self.enter(end, State::RequiredSignature);
            } else if comma_follows(cursor, end) {
                self.at = end;
            } else {
                self.leave(end);
            }
        } else if !self.label() && !self.blank() {
            self.at = cursor.after(at);
        }
    }

    pub(super) fn required_signature(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() == b')' {
            self.leave(at + 1);
            if !comma_follows(cursor, at + 1) {
                self.leave(at + 1);
            }
        } else if let Some(end) = name_end(cursor, cursor.optional(at, b"-")) {
            self.name_to(end);
        } else if cursor.starts(at, "...") {
            self.name_to(at + 3);
        } else if !self.label() && !self.blank() {
            self.at = cursor.after(at);
        }
    }

    pub(super) fn behind_comma(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = member_end(cursor, at) else {
            if !self.blank() {
                self.leave(at);
            }
            return;
        };
        // The equals sign may belong to an arrow.
        let name = if cursor.before(end) == Some('=') { end - 1 } else { end };
        if let Some(end) = [end, name].into_iter().find(|end| arrow_follows(cursor, *end)) {
            self.note(at..end);
            self.enter(end, State::Signature);
        } else if !self.blank() {
            self.leave(at);
        }
    }
}
