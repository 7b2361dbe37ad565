//! Scanner for PHP.
//!
//! Text outside `<?` and `?>` belongs to another language. Inside, every identifier that is not a
//! keyword is a name, including its backslashes, and every variable is one, including its dollar
//! sign. After a class without a name everything is lost: the line break after it ends the PHP
//! part.

mod text;
mod words;

use std::{collections::BTreeMap, ops::Range};

use self::words::{METHODS, WORDS, Word, fold};
use super::templates::{Layers, Outside};
use crate::{
    cursor::{Cursor, Searched, is_digit, is_space},
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Text of the other language.
    #[default]
    Outside,
    Code,
    /// A variable with a computed name, in `${` and `}`.
    Variable,
    /// After `class`, up to the name.
    Class,
    /// After `function`, at the name, if there is one.
    Function,
    Text,
    Attribute,
    /// The parameters of an attribute.
    Parameters,
}

type Php<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    outside: Outside,
    dollars: Searched,
    no_bracket: Searched,
    no_brace: Searched,
    /// Lines that may end a heredoc, by their word: the position of the line break before each, and
    /// its end.
    closers: Option<BTreeMap<String, Vec<(usize, usize)>>>,
}

/// Splits a text into PHP and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut names = Vec::new();
    let mut php = Php::new(text, &mut names);
    php.run(Php::step);
    let outside = php.memory.outside;
    Layers { names, outside }
}

/// Appends the names of a text that starts inside PHP; returns the parts outside PHP.
pub(super) fn split_inside(text: &str, names: &mut Vec<Range<usize>>) -> Outside {
    let mut php = Php::new(text, names);
    php.enter(0, State::Code);
    php.run(Php::step);
    php.memory.outside
}

/// Appends the names in the PHP parts of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Php::new(text, names).run(Php::step);
}

impl Php<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match (self.state, cursor.byte(at)) {
            (State::Outside, _) => self.outside(),
            (State::Text, _) => self.text(),
            (State::Variable, b'}') => {
                self.name(at..at + 1);
                self.leave(at + 1);
            }
            (State::Attribute, b']') | (State::Parameters, b')') => self.leave(at + 1),
            (State::Attribute, b'(') => self.enter(at + 1, State::Parameters),
            (State::Attribute, byte) if starts_name(byte) => self.name(at..name_end(cursor, at)),
            (State::Class, byte) if starts_name(byte) => {
                self.name(at..name_end(cursor, at));
                self.leave(self.at);
            }
            (State::Class, _) => self.skip(),
            (State::Function, _) => self.function_name(),
            _ => self.code(),
        }
    }

    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.starts(at, "<?") {
            let end = cursor.find_text(at, "<?").unwrap_or(cursor.len());
            let stretch = self.whole(at..end);
            self.memory.outside.add(stretch);
            self.at = end;
            return;
        }
        let named = cursor.slice(at + 2..at + 5).eq_ignore_ascii_case("php");
        self.enter(at + if named { 5 } else { 2 }, State::Code);
    }

    fn function_name(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let word = cursor.word_end(at);
        if METHODS.has(&fold(cursor.slice(at..word))) {
            self.name(at..word);
        } else if starts_name(cursor.byte(at)) {
            self.name(at..name_end(cursor, at));
            self.leave(self.at);
        } else {
            self.leave(at);
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'?' if next == b'>' => self.leave(at + 2),
            b'?' => self.at += 1,
            b'<' if cursor.starts(at, "<<<") && self.heredoc() => {}
            b'#' if next == b'[' => self.enter(at + 2, State::Attribute),
            b'#' => self.at = self.comment_end().unwrap_or(at + 1),
            b'-' if next == b'>' => self.member(),
            b':' if next == b':' => self.member(),
            b'/' => self.at = self.comment_end().unwrap_or_else(|| operator_end(cursor, at)),
            byte if is_operator(byte) => self.at = operator_end(cursor, at),
            byte if is_punctuation(byte) => self.at = cursor.ascii_run(at, is_punctuation),
            b'$' if next == b'{' => {
                self.name(at..at + 2);
                self.enter(at + 2, State::Variable);
            }
            b'$' => {
                let start =
                    self.memory.dollars.search(at, || cursor.ascii_run(at, |byte| byte == b'$'));
                if starts_name(cursor.byte(start)) {
                    self.name(at..name_end(cursor, start));
                } else {
                    self.at += 1;
                }
            }
            b'0'..=b'9' => self.at = number_end(cursor, at),
            quote @ (b'\'' | b'`') => {
                self.at = self.quoted_end(at, quote).unwrap_or(at + 1);
            }
            b'"' => self.enter(at + 1, State::Text),
            byte if starts_name(byte) => self.word(),
            _ => self.skip(),
        }
    }

    /// End of a comment, if one starts and ends here.
    fn comment_end(&mut self) -> Option<usize> {
        let at = self.at;
        match (self.cursor.byte(at), self.cursor.byte(at + 1)) {
            (b'#', _) | (_, b'/') => self.ending(at, "\n"),
            (_, b'*') => self.ending(at + 2, "*/"),
            _ => None,
        }
    }

    /// The name after an arrow or two colons.
    fn member(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let starts = |byte| byte != b'\\' && starts_name(byte);
        match spaced(cursor, at + 2, at + 2, starts) {
            Some(start) => self.name(start..plain_end(cursor, start)),
            None => self.at = operator_end(cursor, at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        let word = fold(cursor.slice(at..end));
        let space = cursor.space_end(end);
        match &*word {
            "new" if space > end => {
                let next = cursor.word_end(space);
                self.at = if fold(cursor.slice(space..next)) == "class" { next } else { end };
            }
            "class" if space > end => self.enter(space, State::Class),
            "function" if cursor.byte(space) == b'(' => self.at = space,
            "function" if space > end => {
                let mark = space + usize::from(cursor.byte(space) == b'&');
                self.enter(cursor.space_end(mark), State::Function);
            }
            "const" if let Some(start) = spaced(cursor, end, end + 1, starts_name) => {
                self.name(start..name_end(cursor, start));
            }
            word => match WORDS.get(word) {
                Some(Word::Plain) => self.at = end,
                Some(Word::Magic) => self.name(at..end),
                None => self.name(at..name_end(cursor, at)),
            },
        }
    }

    /// The text between `<<<` and a line that starts with the same word.
    fn heredoc(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let quote = cursor.byte(at + 3);
        let quoted = matches!(quote, b'\'' | b'"');
        let start = at + 3 + usize::from(quoted);
        if !starts_name(cursor.byte(start)) || cursor.byte(start) == b'\\' {
            return false;
        }
        let end = plain_end(cursor, start);
        let line_break = end + usize::from(quoted && cursor.byte(end) == quote);
        if cursor.byte(line_break) != b'\n' || quoted && line_break == end {
            return false;
        }
        let closers = self.memory.closers.get_or_insert_with(|| closers(cursor));
        let same = closers.get(&cursor.slice(start..end).to_lowercase());
        let same = same.map_or(&[][..], Vec::as_slice);
        let index = same.partition_point(|(before, _)| *before <= line_break);
        let Some((_, end)) = same.get(index) else {
            return false;
        };
        self.at = *end;
        true
    }
}

/// The lines that consist of one word, optionally with a semicolon.
fn closers(cursor: Cursor) -> BTreeMap<String, Vec<(usize, usize)>> {
    let mut found: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    let mut at = 0;
    while let Some(first) = cursor.find(at, b'\n') {
        let start = cursor.space_end(first);
        let last = cursor.slice(first..start).rfind('\n').map_or(first, |offset| first + offset);
        let end = plain_end(cursor, start);
        let line_break = end + usize::from(cursor.byte(end) == b';');
        if end > start && cursor.byte(line_break) == b'\n' {
            let word = cursor.slice(start..end).to_lowercase();
            found.entry(word).or_default().push((last, line_break + 1));
        }
        at = end;
    }
    found
}

fn starts_name(byte: u8) -> bool {
    byte >= 0x80 || byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'\\')
}

/// End of a name, which may contain backslashes.
fn name_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| starts_name(byte) || byte.is_ascii_digit())
}

/// End of a name without backslashes.
fn plain_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| byte != b'\\' && (starts_name(byte) || byte.is_ascii_digit()))
}

/// The start of a name after white space, not before `least`. Non-ASCII white space can be part of
/// a name, and is if no other character starts one.
fn spaced(cursor: Cursor, at: usize, least: usize, starts: fn(u8) -> bool) -> Option<usize> {
    let end = cursor.space_end(at);
    if end >= least && starts(cursor.byte(end)) {
        return Some(end);
    }
    let wide = cursor.slice(at..end).char_indices().rfind(|(_, character)| !character.is_ascii());
    wide.map(|(offset, _)| at + offset).filter(|start| *start >= least)
}

fn is_operator(byte: u8) -> bool {
    b"~!%^&*+=|:.<>/@-".contains(&byte)
}

fn is_punctuation(byte: u8) -> bool {
    b"[]{}();,".contains(&byte)
}

fn operator_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, is_operator)
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let exponent = |from: usize| cursor.exponent_end(from, b"eE", |at| cursor.digits_end(at));
    let whole = cursor.run(at, is_digit);
    if cursor.byte(whole) == b'.' {
        let fraction = cursor.run(whole + 1, is_digit);
        return exponent(fraction).unwrap_or(fraction);
    }
    if let Some(end) = exponent(whole) {
        return end;
    }
    let octal = cursor.ascii_run(at + 1, |byte| matches!(byte, b'0'..=b'7'));
    let hex = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
    match (cursor.byte(at), cursor.byte(at + 1)) {
        (b'0', _) if octal > at + 1 => octal,
        (b'0', b'x' | b'X') if hex > at + 2 => hex,
        _ => whole,
    }
}
