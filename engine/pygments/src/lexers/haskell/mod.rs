//! Scanner for Haskell.
//!
//! Lower-case identifiers that are not keywords are names, and so are module names, the backslash
//! of a lambda and `()`. Upper-case identifiers are types and not names.

mod literals;
mod module;

use std::{ops::Range, sync::LazyLock};

use self::literals::number_end;
use crate::{
    cursor::{Cursor, is_digit, is_word},
    identifiers::{is_lower, is_upper},
    scanner::Scanner,
    words::Words,
};

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "case class data default deriving do else family if in infix infixl infixr instance \
        let newtype of then type where _";
    Words::new(&[((), words)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    Import,
    Module,
    /// A list of imports or exports.
    List,
    Character,
    Text,
    Escape,
}

type Haskell<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    /// Whether the file is an Hspec test, in which descriptions are not names.
    hspec: bool,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Haskell::new(text, names).run(Haskell::step);
}

/// Appends the names of an Hspec test, in order of appearance.
pub(super) fn scan_hspec(text: &str, names: &mut Vec<Range<usize>>) {
    Haskell::with(text, 0, names, Memory { hspec: true }).run(Haskell::step);
}

impl Haskell<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Code => self.code(),
            State::Import => self.import(),
            State::Module => self.module(),
            State::List => self.list(),
            State::Character => self.character(),
            State::Text => self.text(),
            State::Escape => self.escape(),
        }
    }

    /// A line comment or a block comment; block comments nest.
    fn comment(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "--") {
            let next = cursor.byte(at + 2);
            if next != 0 && b"!#$%&*+./<=>?@^|_~:\\".contains(&next) {
                return false;
            }
            self.at = cursor.line_end(at);
            return true;
        }
        if !cursor.starts(at, "{-") {
            return false;
        }
        self.at = cursor.nested_end(at, *b"{-", *b"-}");
        true
    }

    fn code(&mut self) {
        if self.memory.hspec && self.description() || self.space() || self.comment() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'\'' => self.quoted(),
            b'"' => self.enter(at + 1, State::Text),
            b'\\' if !is_symbol(next) => self.name(at..at + 1),
            b'(' if next == b')' => self.name(at..at + 2),
            byte if is_symbol(byte) => self.at = cursor.ascii_run(at, is_symbol),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ if cursor.is(at, is_word) => self.word(),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if !cursor.before(at).is_some_and(is_word) {
            match cursor.slice(at..end) {
                "import" => return self.enter(end, State::Import),
                "module" => return self.enter(end, State::Module),
                "error" => return self.name(at..end),
                word if cursor.byte(end) != b'\'' && WORDS.has(word) => {
                    self.at = end;
                    return;
                }
                _ => {}
            }
        }
        if cursor.is(at, starts_variable) {
            self.name(at..identifier_end(cursor, at));
        } else if cursor.is(at, is_upper) {
            self.at = identifier_end(cursor, at);
        } else {
            self.at = cursor.after(at);
        }
    }

    /// A character, a quoted name or a promoted type.
    fn quoted(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let end = cursor.after(at + 1);
        if next != b'\\' && at + 1 < cursor.len() && cursor.byte(end) == b'\'' {
            self.at = end + 1;
            return;
        }
        if cursor.is(at + 1, starts_variable) {
            return self.name(at..identifier_end(cursor, at + 1));
        }
        let start = if next == b'\'' { at + 2 } else { at + 1 };
        if cursor.is(start, is_upper) {
            self.at = identifier_end(cursor, start);
            return;
        }
        let end = match next {
            b'[' => self.ending(at + 2, "]"),
            b'(' => self.ending(at + 2, ")"),
            _ => None,
        };
        match end {
            Some(end) => self.at = end,
            None if is_symbol(next) => self.at = cursor.ascii_run(at + 1, is_symbol),
            None => self.enter(at + 1, State::Character),
        }
    }

    /// `it`, `describe` or `context` with its text.
    fn description(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(word) = cursor.any(at, &["it", "describe", "context"]) else {
            return false;
        };
        let quote = cursor.space_end(word);
        if cursor.byte(quote) != b'"' {
            return false;
        }
        let end = self.ending(quote + 1, "\"");
        self.at = end.unwrap_or(at);
        end.is_some()
    }
}

fn starts_variable(character: char) -> bool {
    character == '_' || is_lower(character)
}

fn identifier_end(cursor: Cursor, at: usize) -> usize {
    cursor.run(at, |character| character == '\'' || is_word(character))
}

fn is_symbol(byte: u8) -> bool {
    byte != 0 && b":!#$%&*+.\\/<=>?@^|~-".contains(&byte)
}
