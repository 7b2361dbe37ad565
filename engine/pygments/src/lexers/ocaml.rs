//! Scanner for OCaml, implementations and interfaces.
//!
//! Identifiers that are neither keywords nor primitive types are names, and so are `()`, `[]` and
//! the Booleans. A leading `_` is an operator and not part of the name.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, is_word},
    scanner::Scanner,
    words::Words,
};

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "and as assert begin class constraint do done downto else end exception external \
        false for fun function functor if in include inherit initializer lazy let match method \
        module mutable new object of open private raise rec sig struct then to true try type val \
        virtual when while with asr land lor lsl lxor mod or unit int float bool string char list \
        array";
    Words::new(&[((), words)])
});

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type OCaml<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    OCaml::new(text, names).run(OCaml::step);
}

impl OCaml<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(end) = cursor.any(at, &["false", "true", "()", "[]"]) {
            return self.name_to(end);
        }
        match cursor.byte(at) {
            b'(' if cursor.starts(at, "(*") && cursor.byte(at + 2) != b')' => {
                self.at = cursor.nested_end(at, *b"(*", *b"*)");
            }
            b'_' => self.at += 1,
            b'\'' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'"' => self.string(),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ if cursor.is(at, is_word) => self.word(),
            _ => {
                let space = cursor.space_end(at);
                self.at = if space > at { space } else { cursor.after(at) };
            }
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = identifier_end(cursor, at);
        // A word directly after a number or an underscore is never a keyword.
        if cursor.before(at).is_some_and(is_word) {
            return self.name_to(end);
        }
        if cursor.byte(at).is_ascii_uppercase() {
            let dotted = cursor.byte(cursor.space_end(end)) == b'.';
            self.name_to(end);
            if dotted {
                self.path();
            }
            return;
        }
        let word_end = cursor.word_end(at);
        if WORDS.has(cursor.slice(at..word_end)) {
            self.at = word_end;
        } else {
            self.name_to(end);
        }
    }

    /// The word after a module name and a dot: any word is a name there.
    fn path(&mut self) {
        let cursor = self.cursor;
        loop {
            self.at = cursor.space_end(self.at);
            match cursor.byte(self.at) {
                b'.' => self.at += 1,
                b'A'..=b'Z' => {
                    let end = identifier_end(cursor, self.at);
                    self.name_to(end);
                    if cursor.byte(cursor.space_end(end)) != b'.' {
                        return;
                    }
                }
                b'a'..=b'z' | b'_' => return self.name_to(identifier_end(cursor, self.at)),
                _ => return,
            }
        }
    }

    fn string(&mut self) {
        let cursor = self.cursor;
        self.at += 1;
        while self.at < cursor.len() {
            match cursor.byte(self.at) {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' if b"\\\"'ntbr\n".contains(&cursor.byte(self.at + 1)) => self.at += 2,
                b'\\' => self.at += 1,
                _ => self.at = cursor.ascii_run(self.at, |byte| !matches!(byte, b'"' | b'\\')),
            }
        }
    }
}

fn identifier_end(cursor: Cursor, at: usize) -> usize {
    cursor.run(at, |character| character == '\'' || is_word(character))
}

fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let next = cursor.byte(body + 1);
    if cursor.byte(body) == b'\\' {
        let digits = (1..4).all(|offset| cursor.byte(body + offset).is_ascii_digit());
        let end = if digits || next == b'x' && cursor.hex_digits(body + 2, 2) {
            body + 4
        } else if b"\\\"'ntbr ".contains(&next) {
            body + 2
        } else {
            0
        };
        if end > 0 && cursor.byte(end) == b'\'' {
            return Some(end + 1);
        }
    }
    let end = cursor.after(body);
    let fits = body < cursor.len() && cursor.byte(body) != b'\n' && cursor.byte(end) == b'\'';
    fits.then_some(end + 1)
}

/// End of the number at `at`. Before an exponent, any character is accepted in the place of the
/// dot.
fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.run(from, |c| c == '_' || is_digit(c));
    let exponent = |from: usize| {
        let power = |at: usize| if cursor.is(at, is_digit) { digits(at) } else { at };
        cursor.exponent_end(from, b"eE", power)
    };
    let whole = digits(at);
    let dot = if cursor.byte(whole) == b'\n' { whole } else { cursor.after(whole) };
    let float = exponent(digits(dot)).filter(|_| dot > whole).or_else(|| exponent(whole));
    if let Some(end) = float {
        return end;
    }
    let run = |test: fn(char) -> bool| {
        let starts = cursor.is(at + 2, test);
        starts.then(|| cursor.run(at + 2, |c| c == '_' || test(c)))
    };
    let based = match (cursor.byte(at), cursor.byte(at + 1)) {
        (b'0', b'x' | b'X') => run(|c| c.is_ascii_hexdigit() || is_digit(c)),
        (b'0', b'o' | b'O') => run(|c| matches!(c, '0'..='7')),
        (b'0', b'b' | b'B') => run(|c| matches!(c, '0' | '1')),
        _ => None,
    };
    based.unwrap_or(whole)
}
