//! Scanner for Scala.
//!
//! Identifiers that are not keywords are names, made of letters or of symbols. Whether symbols are
//! an operator depends on what surrounds them, and several words are keywords only if the right
//! word follows, however far away. After `import` everything up to the end of the line is a name;
//! the line break closes every open state.

mod characters;
mod paths;
mod text;
mod words;

use std::ops::Range;

use self::{
    characters::{is_start, is_symbol, is_upper, letters_end},
    paths::Path,
};
use crate::{
    cursor::{Once, Searched, is_word},
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// Braces in interpolated code, or that code itself.
    Braces,
    /// A string with interpolation, with triple or single quotes.
    Text(bool),
    Path(Path),
}

type Scala<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    word: Searched,
    symbols: Searched,
    quoted: Once,
    triple: Once,
    /// A run of lower-case letters and white space, and the start of its last word that a soft
    /// modifier can modify.
    plain: Searched,
    declares: usize,
    /// The stretch up to the next word that decides about `inline`, and whether that word makes it
    /// a keyword.
    decisive: Searched,
    branches: bool,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Scala::new(text, names).run(Scala::step);
}

impl Scala<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let at = self.at;
        match (self.state, self.byte()) {
            (State::Text(triple), _) => self.text(triple),
            (State::Path(path), _) => self.path(path),
            (State::Braces, b'{') => self.enter(at + 1, State::Braces),
            (State::Braces, b'}') => self.leave(at + 1),
            _ => self.code(),
        }
    }

    /// Skips a comment; comments nest.
    fn comment(&mut self) -> bool {
        let cursor = self.cursor;
        if cursor.starts(self.at, "//") {
            self.at = cursor.next_line(self.at);
            return true;
        }
        if !cursor.starts(self.at, "/*") {
            return false;
        }
        self.at = cursor.nested_end(self.at, *b"/*", *b"*/");
        true
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() || self.comment() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'#' if next == b'!' && cursor.at_line_start(at) => self.at = cursor.line_end(at),
            b'@' if let Some((_, end)) = letters_end(cursor, at + 1) => {
                let word = cursor.slice(at + 1..cursor.word_end(at + 1));
                let inside = cursor.before(at).is_some_and(is_word);
                if inside && matches!(word, "volatile" | "transient" | "native") {
                    self.at += 1 + word.len();
                } else {
                    self.name(at..end);
                }
            }
            b'(' => {
                let word = cursor.space_end(at + 1);
                let using = word + "using".len();
                let fits = cursor.starts(word, "using") && cursor.space_end(using) > using;
                self.at = if fits { using } else { at + 1 };
            }
            b'.' if next.is_ascii_digit() => self.at = text::number_end(cursor, at),
            b'.' if next == b't' && cursor.slice(at + 1..cursor.word_end(at + 1)) == "type" => {
                self.at += 5;
            }
            b'0'..=b'9' => self.at = text::number_end(cursor, at),
            b'"' => self.string(),
            b'\'' => self.at = self.quote_end(),
            b'$' if next == b'{' && cursor.byte(at + 2) != b'\'' => self.at += 2,
            b'`' => match self.backquoted_end(at) {
                Some(end) => self.name(at..end),
                None => self.at += 1,
            },
            _ if cursor.is(at, is_symbol) => self.operator(),
            _ if cursor.is(at, is_start) => self.word(),
            _ => self.at = cursor.after(at),
        }
    }

    /// End of an identifier in backticks.
    fn backquoted_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        if cursor.byte(at) != b'`' || cursor.byte(at + 1) == b'`' {
            return None;
        }
        self.ending(at + 1, "`")
    }

    /// End of any identifier.
    fn identifier_end(&mut self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        if let Some((_, end)) = letters_end(cursor, at) {
            return Some(end);
        }
        if cursor.is(at, is_symbol) {
            return Some(self.memory.symbols.search(at, || cursor.run(at, is_symbol)));
        }
        self.backquoted_end(at)
    }

    /// Symbols: they are an operator if white space follows or if they form a known one.
    fn operator(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = self.memory.symbols.search(at, || cursor.run(at, is_symbol));
        let space = cursor.space_end(end);
        if space > end && end > cursor.after(at) {
            self.at = space;
            return;
        }
        let next = cursor.byte(at + 1);
        let first = cursor.character(at).unwrap_or(' ');
        let alone = !cursor.before(at).is_some_and(is_symbol);
        let symbols = cursor.slice(at..end);
        let length = match (first, next) {
            ('<', b'%' | b':') if cursor.byte(at + 2) == b'<' => 3,
            ('=', b':') if cursor.byte(at + 2) == b'=' => 3,
            ('!', b'=')
            | ('-', b'>')
            | ('<', b'%' | b'-' | b':' | b'=' | b'>')
            | ('=', b'=' | b'>')
            | ('>', b':' | b'=') => 2,
            ('/' | '%' | '*' | '+' | '-' | '<' | '=' | '>' | '?' | '@' | '|' | '~', _) => 1,
            ('←' | '→' | '⇒', _) => first.len_utf8(),
            _ if alone && matches!(symbols, "!" | "&&") => symbols.len(),
            (':', _) if next != b':' && cursor.before(at) != Some(':') => 1,
            _ => return self.name(at..end),
        };
        self.at += length;
    }

    /// A token that starts with a single quote: a character, a symbol or quoted code.
    fn quote_end(&mut self) -> usize {
        let (cursor, at) = (self.cursor, self.at);
        let body = at + 1;
        let second = cursor.after(body);
        if cursor.byte(body) == b'\\' {
            let third = cursor.after(second);
            if cursor.byte(third) == b'\'' && third < cursor.len() {
                return third + 1;
            }
            let unicode = cursor.byte(second) == b'u' && cursor.hex_digits(second + 1, 4);
            return if unicode && cursor.byte(second + 5) == b'\'' { second + 6 } else { body };
        }
        if cursor.byte(second) == b'\'' {
            return second + 1;
        }
        if let Some(end) = self.identifier_end(body)
            && cursor.byte(body) != b'`'
        {
            // If a quote follows, the last character does not belong to the symbol.
            let last = cursor.before(end).map_or(0, char::len_utf8);
            return if cursor.byte(end) == b'\'' { end - last } else { end };
        }
        let opens = matches!(cursor.byte(body), b'{' | b'[') && cursor.byte(second) != b'\'';
        if opens { second } else { body }
    }

    /// The start of the name of a class.
    fn class_end(&self, at: usize) -> Option<usize> {
        let end = letters_end(self.cursor, at).map(|(_, end)| end);
        end.filter(|_| self.cursor.is(at, is_upper))
    }
}
