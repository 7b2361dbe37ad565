//! Scanner for Pony.
//!
//! Words that are not keywords are names. After the keyword of a type or a method its name is
//! expected; anything else on the line before the name is skipped.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    /// A constant: a name that does not continue after an apostrophe.
    Constant,
    /// The name of a type or a method follows, if the next character is white space.
    Type,
    Method,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "addressof and as consume digestof is isnt not or box break compile_error \
        compile_intrinsic continue do else elseif embed end error for if ifdef in iso lambda let \
        match object recover ref repeat return tag then this trn try until use var val where while \
        with";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Constant, "true false"),
        (Word::Type, "actor class struct primitive interface trait type"),
        (Word::Method, "new fun be"),
    ])
});

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Pony<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Pony::new(text, names).run(Pony::step);
}

impl Pony<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' if next == b'/' => self.at = cursor.next_line(at),
            b'/' if next == b'*' => self.at = cursor.nested_end(at, *b"/*", *b"*/"),
            b'"' => self.string(),
            b'\'' => {
                let line = cursor.slice(at + 1..cursor.line_end(at));
                self.at = line.rfind('\'').map_or(at + 1, |offset| at + offset + 2);
            }
            b'#' => {
                let end = cursor.word_end(at + 1);
                let word = cursor.slice(at + 1..end);
                let whole = matches!(word, "any" | "read" | "send" | "share");
                self.at = if whole { end } else { at + 1 };
            }
            b'_' if next.is_ascii_uppercase() => self.name(at..cursor.word_end(at)),
            b'_' => self.name(at..cursor.run(at + 1, is_digit)),
            b'A'..=b'Z' => self.name(at..cursor.word_end(at)),
            b'a'..=b'z' => self.word(),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        let space = cursor.space_end(end);
        match WORDS.get(cursor.slice(at..end)) {
            Some(Word::Plain) => self.at = end,
            Some(Word::Constant) => self.name(at..end),
            Some(Word::Type) if space > end => self.awaited(space, |c| c.is_ascii_uppercase()),
            Some(Word::Method) if space > end => self.awaited(space, |c| c.is_ascii_lowercase()),
            _ => {
                let mut end = end;
                while cursor.byte(end) == b'\'' {
                    end = cursor.word_end(end + 1);
                }
                self.name(at..end);
            }
        }
    }

    /// The name after the keyword that announced it, and after a capability, if there is one.
    fn awaited(&mut self, at: usize, starts: fn(char) -> bool) {
        let cursor = self.cursor;
        self.at = at;
        while self.at < cursor.len() {
            let at = self.at;
            let identifier = |at: usize| {
                let first = at + usize::from(cursor.byte(at) == b'_');
                cursor.is(first, starts).then(|| at..cursor.word_end(first))
            };
            let capabilities = ["iso", "trn", "ref", "val", "box", "tag"];
            let has_capability = capabilities.iter().any(|word| cursor.starts(at, word));
            let space = cursor.space_end(at);
            let behind = has_capability.then(|| identifier(cursor.space_end(at + 3))).flatten();
            if let Some(name) = behind.or_else(|| identifier(space)) {
                return self.name(name);
            }
            if let Some(line_break) = cursor.slice(at..space).find('\n') {
                self.at = at + line_break + 1;
                return;
            }
            self.at = if space > at { space } else { cursor.after(at) };
        }
    }

    fn string(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "\"\"\"")
            && let Some(end) = self.ending(at + 3, "\"\"\"")
        {
            self.at = end;
            return;
        }
        self.at = at + 1;
        while self.at < cursor.len() {
            self.at = cursor.ascii_run(self.at, |byte| !matches!(byte, b'"' | b'\\'));
            let escaped = cursor.starts(self.at, "\\\"");
            let closed = cursor.byte(self.at) == b'"';
            self.at += 1 + usize::from(escaped);
            if closed {
                return;
            }
        }
    }
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    if cursor.starts(at, "0x") {
        let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
        return if end > at + 2 { end } else { at + 1 };
    }
    let whole = cursor.run(at, is_digit);
    let fraction = if cursor.byte(whole) == b'.' { cursor.run(whole + 1, is_digit) } else { whole };
    let exponent = cursor.exponent_end(fraction, b"eE", |at| cursor.run(at, is_digit));
    exponent.unwrap_or(whole)
}
