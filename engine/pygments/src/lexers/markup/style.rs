//! Scanner for style sheets inside HTML.
//!
//! In a selector each word is a name. In a block, properties and parts of values are names unless
//! they are known. In a word with dashes, the longest known prefix counts, in the order of the
//! tables.

use std::{ops::Range, sync::LazyLock};

use super::style_words::{COLOURS, OTHER_VALUES, PROPERTIES, VALUES};
use crate::{
    cursor::{Searched, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

/// The tables in the order in which a value is looked up; the last one does not apply to arguments
/// of functions.
static TABLES: LazyLock<[Words<()>; 4]> = LazyLock::new(|| {
    [VALUES, OTHER_VALUES, COLOURS, PROPERTIES].map(|words| Words::new(&[((), words)]))
});

/// Vendor prefixes, in the order in which they are tried.
const PREFIXES: [&str; 15] = [
    "-ms-", "mso-", "-moz-", "-o-", "-xv-", "-atsc-", "-wap-", "-khtml-", "-webkit-", "prince-",
    "-ah-", "-hp-", "-ro-", "-rim-", "-tc-",
];

static UNITS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "deg grad rad turn Hz kHz em ex ch rem vh vw vmin vmax px mm cm in pt pc q dpi dpcm \
        dppx s ms";
    Words::new(&[((), words)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Selectors,
    /// After `@` and a word.
    Rule,
    /// In the braces of such a rule.
    RuleBlock,
    Block,
    Value,
    Function,
}

type Style<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    word: Searched,
    /// Stretches of a line without the end of a URL, for three kinds of quotes.
    no_close: [Searched; 3],
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Style::new(text, names).run(Style::step);
}

/// A character of a word with dashes.
fn is_part(character: char) -> bool {
    character == '-' || is_word(character)
}

impl Style<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at, state) = (self.cursor, self.at, self.state);
        if self.space() {
            return;
        }
        if cursor.starts(at, "/*")
            && let Some(end) = self.ending(at + 2, "*/")
        {
            self.at = end;
            return;
        }
        let byte = cursor.byte(at);
        match (state, byte) {
            (State::Rule, b'{') => self.enter(at + 1, State::RuleBlock),
            (State::Rule | State::Value, b';') | (State::Block, b'}') | (State::Function, b')') => {
                self.leave(at + 1);
            }
            (State::RuleBlock | State::Value, b'}') => {
                self.leave(at + 1);
                self.leave(at + 1);
            }
            (State::Block, _) => self.property(),
            (_, quote @ (b'"' | b'\'')) => {
                self.at = self.quoted_end(at, quote).unwrap_or(at + 1);
            }
            (State::Value | State::Function, _) => self.value(state == State::Function),
            _ => self.selector(),
        }
    }

    fn selector(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = cursor.byte(at);
        let double = usize::from(byte == b':' && cursor.byte(at + 1) == b':');
        let start = at + 1 + double;
        let end = cursor.run(start, is_part);
        match byte {
            b'{' => self.enter(at + 1, State::Block),
            b':' | b'.' | b'#' if end > start => self.name(start..end),
            b'@' if end > start => self.enter(end, State::Rule),
            _ if cursor.is(at, is_part) => self.name(at..cursor.run(at, is_part)),
            _ => self.at = cursor.after(at),
        }
    }

    /// A property of a block, if a colon follows it.
    fn property(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.byte(at) == b'@' && cursor.at_line_start(at) {
            self.at = cursor.line_end(at);
            return;
        }
        if let Some(end) = cursor.any(at, &PREFIXES) {
            self.at = end;
            return;
        }
        let end = self.memory.word.search(at, || cursor.run(at, is_part));
        let dashes = cursor.ascii_run(at, |byte| byte == b'-');
        let colon = cursor.space_end(end);
        let starts = starts_identifier(cursor.byte(dashes));
        if end == at || cursor.byte(colon) != b':' || !starts {
            self.at = cursor.after(at);
            return;
        }
        let known = TABLES.last().is_some_and(|words| words.has(cursor.slice(at..end)));
        if !known {
            self.note(at..end);
        }
        self.enter(colon + 1, State::Value);
    }

    /// A part of a value or an argument of a function.
    fn value(&mut self, function: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let first = cursor.byte(at);
        if function && self.variable() || self.prefix(function) || self.address() {
            return;
        }
        let starts = starts_identifier(first);
        let end = self.memory.word.search(at, || cursor.run(at, is_part));
        if !function && self.call(end) || self.known(end, if function { 3 } else { 4 }) {
            return;
        }
        if function && self.call(end) || self.number() {
            return;
        }
        if function && (starts || first == b'-') {
            // A single dash is an operator here.
            let end = cursor.word_end(at + 1);
            return if first == b'-' { self.at += 1 } else { self.name(at..end) };
        }
        if starts {
            return self.name(at..end);
        }
        let operator = |byte| b"~^*!%&<>|+=@:./?-".contains(&byte);
        let run = if function { at } else { cursor.ascii_run(at, operator) };
        let important = !function && cursor.starts(at, "!important");
        self.at = if important { at + 10 } else { run.max(cursor.after(at)) };
    }

    /// A variable with dashes in front, in an argument.
    fn variable(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let mut end = cursor.ascii_run(at, |byte| byte == b'-');
        if end == at || !cursor.byte(end).is_ascii_alphabetic() {
            return false;
        }
        while cursor.byte(end).is_ascii_alphabetic() {
            end = cursor.run(end, |c| c == '+' || is_word(c));
            end = cursor.ascii_run(end, |byte| byte == b'-');
        }
        self.name(at..end);
        true
    }

    /// A vendor prefix, which is a name only in a value.
    fn prefix(&mut self, function: bool) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = cursor.any(at, &PREFIXES) else {
            return false;
        };
        if !function {
            self.note(at..end);
        }
        self.at = end;
        true
    }

    /// `url(...)` on one line; a quoted URL may contain parentheses.
    fn address(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.starts(at, "url(") {
            return false;
        }
        let start = at + 4;
        let ways = [("\"", "\")"), ("'", "')"), ("", ")")];
        let end = ways.iter().zip(&mut self.memory.no_close).find_map(|((open, close), memory)| {
            if !cursor.starts(start, open) || memory.end(start).is_some() {
                return None;
            }
            let line_end = cursor.line_end(start);
            let from = start + open.len();
            if let Some(offset) = cursor.slice(from..line_end).find(close) {
                return Some(from + offset + close.len());
            }
            memory.set(start, line_end);
            None
        });
        let Some(end) = end else {
            return false;
        };
        self.note(at..at + 3);
        self.at = end;
        true
    }

    /// A word of at least two characters that ends before a parenthesis.
    fn call(&mut self, end: usize) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if !starts_identifier(cursor.byte(at)) || cursor.byte(end) != b'(' || end < at + 2 {
            return false;
        }
        self.name(at..end);
        self.enter(end + 1, State::Function);
        true
    }

    /// The longest prefix of a word that is in one of the first `count` tables.
    fn known(&mut self, end: usize, count: usize) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        // No known word is longer or contains other characters.
        let limit = cursor.ascii_run(at, |byte| byte == b'-' || byte.is_ascii_alphanumeric());
        let limit = limit.min(at + 64);
        let cut = cursor.slice(at..limit).rfind('-').map_or(at, |offset| at + offset);
        for words in TABLES.iter().take(count) {
            let mut part = if limit == end { end } else { cut };
            while part > at {
                if words.has(cursor.slice(at..part)) {
                    self.at = part;
                    return true;
                }
                part = cursor.slice(at..part).rfind('-').map_or(at, |offset| at + offset);
            }
        }
        false
    }

    /// A colour in digits or a number with its units.
    fn number(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.byte(at) == b'#' {
            let end = cursor.ascii_run(at + 1, |byte| byte.is_ascii_alphanumeric());
            self.at = end.min(at + 7);
            return end > at + 1;
        }
        let start = cursor.optional(at, b"+-");
        let whole = cursor.digits_end(start);
        let dot = cursor.byte(whole) == b'.';
        let fraction = if dot { cursor.digits_end(whole + 1) } else { whole };
        let mut end = if fraction > whole + 1 { fraction } else { whole };
        if end == start {
            return false;
        }
        loop {
            let letter = cursor.byte(end).is_ascii_alphabetic();
            let unit = if letter { cursor.word_end(end) } else { end };
            if cursor.byte(end) == b'%' {
                end += 1;
            } else if UNITS.has(cursor.slice(end..unit)) {
                end = unit;
            } else {
                break;
            }
        }
        self.at = end;
        true
    }
}
