//! Scanner for Haskell.
//!
//! Lower-case identifiers that are no keyword are names, and so are module
//! names, the backslash of a lambda and `()`. Upper-case identifiers are
//! types, which are none.

mod literals;
mod module;

use std::ops::Range;
use std::sync::LazyLock;

use self::literals::number_end;
use crate::cursor::{Cursor, Once, is_digit, is_word};
use crate::identifiers::{is_lower, is_upper};
use crate::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "case class data default deriving do else family if in infix infixl infixr instance \
        let newtype of then type where _";
    Words::new(&[((), words)])
});

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Import,
    Module,
    /// A list of what is imported or exported.
    List,
    Character,
    Text,
    Escape,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    stack: Vec<State>,
    names: &'n mut Vec<Range<usize>>,
    /// The file is a test of Hspec, whose descriptions are no names.
    hspec: bool,
    quote: Once,
    bracket: Once,
    parenthesis: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, hspec: bool, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        stack: vec![State::Code],
        names,
        hspec,
        quote: Once::default(),
        bracket: Once::default(),
        parenthesis: Once::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.stack.last().copied().unwrap_or(State::Code) {
            State::Code => scanner.code(),
            State::Import => scanner.import(),
            State::Module => scanner.module(),
            State::List => scanner.list(),
            State::Character => scanner.character(),
            State::Text => scanner.text(),
            State::Escape => scanner.escape(),
        }
    }
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(range);
    }

    fn enter(&mut self, at: usize, state: State) {
        self.at = at;
        self.stack.push(state);
    }

    fn leave(&mut self, at: usize) {
        self.at = at;
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Moves over one character that means nothing here. A line break that
    /// no rule takes closes everything that is open.
    fn skip(&mut self) {
        if self.cursor.byte(self.at) == b'\n' {
            self.stack.truncate(1);
        }
        self.at = self.cursor.after(self.at);
    }

    fn space(&mut self) -> bool {
        let end = self.cursor.space_end(self.at);
        let moved = end > self.at;
        self.at = end;
        moved
    }

    /// A comment of a line or of a block; blocks nest.
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
        let mut depth = 0usize;
        while self.at < cursor.len() {
            if cursor.starts(self.at, "{-") {
                depth += 1;
                self.at += 2;
            } else if cursor.starts(self.at, "-}") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at = cursor.ascii_run(self.at + 1, |byte| !matches!(byte, b'{' | b'-'));
            }
        }
        true
    }

    fn code(&mut self) {
        if self.hspec && self.description() || self.space() || self.comment() {
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
        let close = match next {
            b'[' => self.bracket.search(|| cursor.find(at + 2, b']')),
            b'(' => self.parenthesis.search(|| cursor.find(at + 2, b')')),
            _ => None,
        };
        match close {
            Some(close) => self.at = close + 1,
            None if is_symbol(next) => self.at = cursor.ascii_run(at + 1, is_symbol),
            None => self.enter(at + 1, State::Character),
        }
    }

    /// `it`, `describe` or `context` with its text.
    fn description(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let words = ["it", "describe", "context"];
        let Some(word) = words.iter().find(|word| cursor.starts(at, word)) else {
            return false;
        };
        let quote = cursor.space_end(at + word.len());
        if cursor.byte(quote) != b'"' {
            return false;
        }
        let close = self.quote.search(|| cursor.find(quote + 1, b'"'));
        self.at = close.map_or(at, |close| close + 1);
        close.is_some()
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
