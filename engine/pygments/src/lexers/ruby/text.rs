//! Strings and regular expressions of Ruby.

use super::{Ruby, State};
use crate::cursor::{Cursor, is_space, is_word};

/// Maximum nesting of strings with free delimiters; deeper ones are skipped. Only artificial texts
/// nest them at all.
const DEPTH: usize = 64;

/// The brackets of a `%` string, and what has a special meaning in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Braces {
    open: u8,
    close: u8,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Code is interpolated, and the usual escapes are known.
    Inserting,
    /// No code is interpolated.
    Plain,
    /// A regular expression: code is interpolated, and flags follow.
    Expression,
}

impl Ruby<'_, '_> {
    /// A slash that opens a regular expression, with optional white space before it.
    pub fn slash(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let slash = cursor.space_end(at);
        if cursor.byte(slash) != b'/' {
            return false;
        }
        let opens = if slash > at {
            opens_expression(cursor, at) || !cursor.is(slash + 1, |c| c == '=' || is_space(c))
        } else {
            let before = at.checked_sub(1).map_or(0, |before| cursor.byte(before));
            opens_expression(cursor, at) || matches!(before, b'(' | b',' | b'[')
        };
        if opens {
            self.enter(slash + 1, State::Slashes);
        }
        opens
    }

    /// `% text ` after an operator or at a line start: white space may precede it, and the string
    /// ends at the next blank.
    pub fn spaced_percent(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let percent = cursor.space_end(at);
        if cursor.byte(percent) != b'%' || !matches!(cursor.byte(percent + 1), b' ' | b'\t') {
            return false;
        }
        let before = at.checked_sub(1).map_or(0, |before| cursor.byte(before));
        if !cursor.at_line_start(at) && !b"-+/*%=<>&!^|~,(".contains(&before) {
            return false;
        }
        let end = delimited_end(cursor, percent + 1);
        self.at = end.unwrap_or(at);
        end.is_some()
    }

    /// A string that starts with the current `%`.
    pub fn percent(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let letter = cursor.byte(at + 1);
        let kind = match letter {
            b'q' | b's' | b'w' => Kind::Plain,
            b'r' => Kind::Expression,
            _ => Kind::Inserting,
        };
        let lettered = matches!(letter, b'Q' | b'W' | b'x' | b'q' | b's' | b'w' | b'r');
        let delimiter = at + 1 + usize::from(lettered);
        let open = cursor.byte(delimiter);
        let close = match open {
            b'{' => b'}',
            b'[' => b']',
            b'(' => b')',
            b'<' => b'>',
            _ => return self.delimited(delimiter, kind, lettered),
        };
        self.enter(delimiter + 1, State::Braced(Braces { open, close, kind }));
        true
    }

    /// A string between two equal characters.
    fn delimited(&mut self, delimiter: usize, kind: Kind, lettered: bool) -> bool {
        let cursor = self.cursor;
        let fits = |c: char| {
            if lettered {
                c == '_' || !is_word(c)
            } else {
                !c.is_ascii_alphanumeric() && !is_space(c)
            }
        };
        if !cursor.is(delimiter, fits) {
            return false;
        }
        let Some(end) = delimited_end(cursor, delimiter) else {
            return false;
        };
        let start = cursor.after(delimiter);
        let content = start..end - (start - delimiter);
        let flags = if kind == Kind::Expression { flags_end(cursor, end) } else { end };
        self.at = flags;
        if kind != Kind::Plain && self.memory.outer.len() < DEPTH {
            self.enter_part(content, State::Content);
        }
        true
    }

    /// One step in a string.
    pub fn text(&mut self, state: State) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = self.byte();
        let inserts = !matches!(state, State::Braced(Braces { kind: Kind::Plain, .. }));
        match (state, byte) {
            (_, b'#') if inserts && cursor.byte(at + 1) == b'{' => {
                self.enter(at + 2, State::Insert);
            }
            (_, b'\\') => self.at += escape_length(state, cursor.byte(at + 1)),
            (State::Braced(braces), _) if byte == braces.open => self.enter(at + 1, state),
            (State::Braced(braces), _) if byte == braces.close => {
                let expression = braces.kind == Kind::Expression;
                self.leave(if expression { flags_end(cursor, at + 1) } else { at + 1 });
            }
            (State::Quoted(quote), _) if byte == quote => self.leave(at + 1),
            (State::Slashes, b'/') => self.leave(flags_end(cursor, at + 1)),
            _ => {
                let ends = |byte: u8| match state {
                    State::Braced(braces) => byte == braces.open || byte == braces.close,
                    State::Quoted(quote) => byte == quote,
                    State::Slashes => byte == b'/',
                    _ => false,
                };
                let plain = |byte| !matches!(byte, b'#' | b'\\') && !ends(byte);
                self.at = cursor.ascii_run(at + 1, plain);
            }
        }
    }
}

/// Number of characters of an escape, including the backslash.
fn escape_length(state: State, next: u8) -> usize {
    let common = b"\\abefnrstv#\"'".contains(&next);
    let takes_next = match state {
        State::Quoted(_) => common,
        State::Slashes => matches!(next, b'\\' | b'/'),
        State::Braced(braces) => {
            let bracket = next == b'\\' || next == braces.open || next == braces.close;
            bracket || braces.kind == Kind::Inserting && common
        }
        _ => false,
    };
    1 + usize::from(takes_next)
}

fn flags_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| b"mixounse".contains(&byte))
}

/// End of the string whose delimiter is at `at`. A backslash escapes the delimiter, but if no
/// unescaped one follows, the last escaped one counts.
fn delimited_end(cursor: Cursor, at: usize) -> Option<usize> {
    let delimiter = cursor.character(at)?;
    let width = delimiter.len_utf8();
    let mut hidden = None;
    let mut from = at + width;
    loop {
        let rest = cursor.rest(from);
        let Some(offset) = rest.find(delimiter) else {
            return hidden;
        };
        let place = from + offset;
        let doubled = delimiter == '\\' && cursor.byte(place + 1) == b'\\';
        if delimiter == '\\' && !doubled {
            return Some(place + 1);
        }
        if !doubled && (offset == 0 || cursor.byte(place - 1) != b'\\') {
            return Some(place + width);
        }
        hidden = Some(place + width);
        from = place + width + usize::from(doubled);
    }
}

/// Whether the text before `at` makes an expression likely: a line start, an operator, or one of a
/// few words followed by one blank.
fn opens_expression(cursor: Cursor, at: usize) -> bool {
    if cursor.at_line_start(at) {
        return true;
    }
    let Some(before) = cursor.before(at) else {
        return true;
    };
    if matches!(before, '=' | '<' | '>' | '~' | '!' | ':') {
        return true;
    }
    if !is_space(before) {
        return false;
    }
    let head = cursor.slice(0..at - before.len_utf8());
    let keywords = ["when", "or", "and", "if", "elsif"];
    let methods = ["index", "scan", "sub", "sub!", "gsub", "gsub!", "match"];
    let follows = |word: &&str, line_start: bool, separator: &dyn Fn(char) -> bool| {
        head.strip_suffix(*word).is_some_and(|rest| {
            let at_line_start = rest.is_empty() || rest.ends_with('\n');
            line_start && at_line_start || rest.ends_with(separator)
        })
    };
    let space = |c: char| c == ';' || is_space(c);
    keywords.iter().any(|word| follows(word, !matches!(*word, "or" | "and"), &space))
        || methods.iter().any(|word| follows(word, true, &|c| c == '.'))
}
