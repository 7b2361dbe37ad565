//! Scanner for PHP.
//!
//! Outside `<?` and `?>` everything belongs to another language. Inside, every
//! identifier that is no keyword is a name, with its backslashes, and every
//! variable is one with its dollar sign. A class without a name loses the
//! rest: the line break behind it closes the PHP part.

mod text;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use self::words::{METHODS, WORDS, Word, fold};
use super::cursor::{Cursor, Once, Searched, is_digit, is_space};
use super::templates::Layers;

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The other language.
    Outside,
    Code,
    /// A variable whose name is computed, in `${` and `}`.
    Variable,
    /// Behind `class`: up to the name.
    Class,
    /// Behind `function`: at the name, if there is one.
    Function,
    Text,
    Attribute,
    /// The parameters of an attribute.
    Parameters,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    /// Where the scanned part starts in the whole text.
    base: usize,
    at: usize,
    stack: Vec<State>,
    layers: &'n mut Layers,
    comment: Once,
    line: Once,
    single: Once,
    backtick: Once,
    brace: Once,
    braces: Once,
    dollars: Searched,
    no_bracket: Searched,
    no_brace: Searched,
    /// Lines that may end a heredoc: by their word, the line break in front and
    /// the end.
    closers: Option<BTreeMap<String, Vec<(usize, usize)>>>,
}

/// Splits a text into PHP and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut layers = Layers::default();
    scan_part(text, 0, vec![State::Outside], &mut layers);
    layers
}

/// Appends the names of `text` outside the other language, in order of
/// appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    names.append(&mut split(text).names);
}

fn scan_part(text: &str, base: usize, stack: Vec<State>, layers: &mut Layers) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        base,
        at: 0,
        stack,
        layers,
        comment: Once::default(),
        line: Once::default(),
        single: Once::default(),
        backtick: Once::default(),
        brace: Once::default(),
        braces: Once::default(),
        dollars: Searched::default(),
        no_bracket: Searched::default(),
        no_brace: Searched::default(),
        closers: None,
    };
    while scanner.at < cursor.len() {
        scanner.step();
    }
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.layers.names.push(self.base + range.start..self.base + range.end);
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

    /// Drops a character that no rule takes; a line break closes everything.
    fn drop(&mut self) {
        if self.cursor.byte(self.at) == b'\n' {
            self.stack.truncate(1);
        }
        self.at = self.cursor.after(self.at);
    }

    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let state = self.stack.last().copied().unwrap_or(State::Outside);
        match (state, cursor.byte(at)) {
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
            (State::Class, _) => self.drop(),
            (State::Function, _) => self.function_name(),
            _ => self.code(),
        }
    }

    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.starts(at, "<?") {
            let end = cursor.find_text(at, "<?").unwrap_or(cursor.len());
            self.layers.leave(self.base + at..self.base + end);
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
        let space = cursor.space_end(at);
        if space > at {
            self.at = space;
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
                self.stack.push(State::Variable);
            }
            b'$' => {
                let start = self.dollars.search(at, || cursor.ascii_run(at, |byte| byte == b'$'));
                if starts_name(cursor.byte(start)) {
                    self.name(at..name_end(cursor, start));
                } else {
                    self.at += 1;
                }
            }
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'\'' => {
                let end = self.single.search(|| cursor.quoted_end(at, b'\''));
                self.at = end.unwrap_or(at + 1);
            }
            b'`' => {
                let end = self.backtick.search(|| cursor.quoted_end(at, b'`'));
                self.at = end.unwrap_or(at + 1);
            }
            b'"' => self.enter(at + 1, State::Text),
            byte if starts_name(byte) => self.word(),
            _ => self.drop(),
        }
    }

    /// End of a comment, if one starts and ends here.
    fn comment_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        match (cursor.byte(at), cursor.byte(at + 1)) {
            (b'#', _) | (_, b'/') => {
                self.line.search(|| cursor.find(at, b'\n')).map(|line_break| line_break + 1)
            }
            (_, b'*') => {
                self.comment.search(|| cursor.find_text(at + 2, "*/")).map(|close| close + 2)
            }
            _ => None,
        }
    }

    /// The name behind an arrow or two colons.
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

    /// A text between `<<<` and a line that starts with the same word.
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
        let closers = self.closers.get_or_insert_with(|| closers(cursor));
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

/// The lines of one word, with a semicolon or without.
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

/// End of a name that may hold backslashes.
fn name_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| starts_name(byte) || byte.is_ascii_digit())
}

/// End of a name without backslashes.
fn plain_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| byte != b'\\' && (starts_name(byte) || byte.is_ascii_digit()))
}

/// Where a name starts behind white space, not before `least`. White space
/// beyond ASCII can be part of a name, and is if nothing else starts one.
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
    let digits = |from: usize| cursor.ascii_run(from, |byte| byte.is_ascii_digit());
    let exponent = |from: usize| {
        let sign = usize::from(matches!(cursor.byte(from + 1), b'+' | b'-'));
        let end = digits(from + 1 + sign);
        let fits = matches!(cursor.byte(from), b'e' | b'E') && end > from + 1 + sign;
        fits.then_some(end)
    };
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
