//! Scanner for Dart.
//!
//! Identifiers that are not keywords are names, labels and named arguments with their colon,
//! annotations with their `@`. Interpolated code in a string is scanned on its own; it contains no
//! closing brace, so it contains no other interpolated code.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, is_word},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    Import,
    /// The name of a type follows, if the next character is white space.
    Type,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "library source part as assert break case catch const continue default do else \
        finally for if in is new rethrow return super switch this throw try while abstract async \
        await covariant extends external factory final get implements late native on operator \
        required set static sync typedef var with yield bool double dynamic int num Function Never \
        Null Object String void false null true";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Import, "import export"),
        (Word::Type, "class extension mixin"),
    ])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    Import,
    TypeName,
    /// A string with its quote, triple or single.
    Text(u8, bool),
}

type Dart<'t, 'n> = Scanner<'t, 'n, State>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Dart::new(text, names).run(Dart::step);
}

fn starts_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

impl Dart<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Text(quote, triple) => self.text(quote, triple),
            State::TypeName => self.type_name(),
            State::Code | State::Import => self.code(),
        }
    }

    fn type_name(&mut self) {
        if starts_identifier(self.cursor.byte(self.at)) {
            self.name_to(self.cursor.word_end(self.at + 1));
            self.leave(self.at);
        } else {
            self.skip();
        }
    }

    fn code(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let importing = self.state == State::Import;
        match cursor.byte(at) {
            b'r' if matches!(next, b'"' | b'\'') && self.raw_string(next) => {}
            quote @ (b'"' | b'\'') => {
                let triple = next == quote && cursor.byte(at + 2) == quote;
                self.enter(at + if triple { 3 } else { 1 }, State::Text(quote, triple));
            }
            b';' if importing => self.leave(at + 1),
            b'#' if next == b'!' && !importing => self.at = cursor.line_end(at),
            b'/' if next == b'/' && !importing => {
                self.at = self.ending(at, "\n").unwrap_or(at + 1);
            }
            b'/' if next == b'*' && !importing => {
                self.at = self.ending(at + 2, "*/").unwrap_or(at + 1);
            }
            b'@' if starts_identifier(next) && !importing => {
                self.name(at..cursor.word_end(at + 2));
            }
            byte if starts_identifier(byte) => self.word(importing),
            _ if !importing && cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self, importing: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at + 1);
        let whole = !cursor.before(at).is_some_and(is_word);
        let text = cursor.slice(at..end);
        if importing {
            if whole && matches!(text, "as" | "deferred" | "show" | "hide") {
                self.at = end;
            } else {
                self.name(at..end);
            }
            return;
        }
        let space = cursor.space_end(end);
        match WORDS.get(text).filter(|_| whole) {
            Some(Word::Plain) => {
                let part_of = text == "part" && cursor.starts(end, " of");
                let of_end = end + 3;
                self.at = if part_of && cursor.word_end(of_end) == of_end { of_end } else { end };
            }
            Some(Word::Import) => self.enter(end, State::Import),
            Some(Word::Type) if space > end => self.enter(space, State::TypeName),
            // The operator is recognised even directly after a digit.
            _ if text == "as" => self.at = end,
            _ => self.name(at..end + usize::from(cursor.byte(end) == b':')),
        }
    }

    /// A raw string, which has no escapes.
    fn raw_string(&mut self, quote: u8) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let endings = if quote == b'"' { ["\"\"\"", "\""] } else { ["'''", "'"] };
        for ending in endings {
            if cursor.starts(at + 1, ending)
                && let Some(end) = self.ending(at + 1 + ending.len(), ending)
            {
                self.at = end;
                return true;
            }
        }
        false
    }

    fn text(&mut self, quote: u8, triple: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            byte if byte == quote && !triple => self.leave(at + 1),
            byte if byte == quote && next == quote && cursor.byte(at + 2) == quote => {
                self.leave(at + 3);
            }
            b'\\' => self.at = escape_end(cursor, at + 1).unwrap_or(at + 1),
            b'$' if starts_identifier(next) && next != b'$' => {
                self.name(at + 1..cursor.word_end(at + 1));
            }
            b'$' if next == b'{' && self.inserted() => {}
            byte if byte == b'$' || byte == quote => {
                self.at = cursor.ascii_run(at, |byte| byte == b'$' || triple && byte == quote);
            }
            b'\n' if !triple => self.skip(),
            _ => {
                let ends = |byte: u8| matches!(byte, b'$' | b'\\') || byte == quote;
                let breaks = |byte: u8| !triple && byte == b'\n';
                self.at = cursor.ascii_run(at, |byte| !ends(byte) && !breaks(byte));
            }
        }
    }

    /// Code between `${` and the next closing brace.
    fn inserted(&mut self) -> bool {
        let start = self.at + 2;
        let Some(end) = self.ending(start, "}") else {
            return false;
        };
        self.inner(start..end - 1, ()).run(Dart::step);
        self.at = end;
        true
    }
}

/// End of an escape with its backslash before `at`.
fn escape_end(cursor: Cursor, at: usize) -> Option<usize> {
    let hex = |count: usize| cursor.hex_digits(at + 1, count).then_some(at + 1 + count);
    let simple = matches!(cursor.byte(at), b'a'..=b'z' | b'\'' | b'"' | b'$' | b'\\');
    let end = match cursor.byte(at) {
        b'x' => hex(2),
        b'u' if cursor.byte(at + 1) == b'{' => {
            let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
            (cursor.byte(end) == b'}').then_some(end + 1)
        }
        b'u' => hex(4),
        _ => None,
    };
    end.or(simple.then_some(at + 1))
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    if cursor.starts(at, "0x") || cursor.starts(at, "0X") {
        let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
        if end > at + 2 {
            return end;
        }
    }
    let whole = cursor.run(at, is_digit);
    let end = if cursor.byte(whole) == b'.' { cursor.run(whole + 1, is_digit) } else { whole };
    cursor.exponent_end(end, b"eE", |at| cursor.run(at, is_digit)).unwrap_or(end)
}
