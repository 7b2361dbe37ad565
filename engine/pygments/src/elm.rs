//! Scanner for Elm.
//!
//! Values and operators are names, types are not. The path behind `module` or
//! `import` is one, and so is each line of a shader.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, is_digit, is_word};
use super::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "alias as case else if import in let module of port then type where";
    Words::new(&[((), words)])
});

/// Operators, longer ones before their beginnings.
#[rustfmt::skip]
static OPERATORS: &[&str] = &[
    "||", "|>", "|", "~", "`", "^", "\\", "'", ">>", ">=", ">", "==", "=", "<~", "<|", "<=", "<<",
    "<-", "<", "::", ":", "/=", "//", "/", "..", ".", "->", "-", "++", "+", "*", "&&", "%",
];

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut at = 0;
    while at < cursor.len() {
        at = step(cursor, at, names);
    }
}

fn step(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let byte = cursor.byte(at);
    if cursor.starts(at, "{-") {
        return comment_end(cursor, at + 2);
    }
    if cursor.starts(at, "--") {
        return cursor.line_end(at);
    }
    if byte == b'"' {
        return string_end(cursor, at + 1);
    }
    if cursor.at_line_start(at) {
        let keyword = ["module", "import"].iter().any(|word| cursor.starts(at, word));
        if keyword {
            return path(cursor, cursor.space_end(at + 6), names);
        }
    }
    if cursor.starts(at, "[glsl|") {
        let end = cursor.line_end(at);
        names.push(at..end);
        return shader(cursor, end, names);
    }
    let digits = at + usize::from(byte == b'_');
    if cursor.is(digits, is_digit) {
        let end = cursor.run(digits, is_digit);
        let dotted = cursor.byte(end) == b'.' && cursor.is(end + 1, is_digit);
        return end + usize::from(dotted);
    }
    if byte.is_ascii_alphabetic() || byte == b'_' {
        return word(cursor, at, names);
    }
    let section = if byte == b'(' { operator_end(cursor, at + 1) } else { None };
    if let Some(end) = section
        && cursor.byte(end) == b')'
    {
        names.push(at..end + 1);
        return end + 1;
    }
    match operator_end(cursor, at) {
        Some(end) => {
            names.push(at..end);
            end
        }
        None => cursor.after(at),
    }
}

fn operator_end(cursor: Cursor, at: usize) -> Option<usize> {
    let operator = OPERATORS.iter().find(|operator| cursor.starts(at, operator));
    operator.map(|operator| at + operator.len())
}

fn word(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let end = cursor.ascii_run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_keyword = WORDS.has(cursor.slice(at..end)) && !cursor.is(end, is_word);
    if is_keyword || cursor.byte(at).is_ascii_uppercase() {
        return end;
    }
    if cursor.at_line_start(at) && cursor.starts(at, "main ") {
        return at + 5;
    }
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
    let end = cursor.ascii_run(at, part);
    names.push(at..end);
    end
}

/// The path that a module or an import has, past anything else on the line.
fn path(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let mut start = at;
    while start < cursor.len() && !cursor.is(start, is_word) {
        if cursor.byte(start) == b'\n' {
            return start + 1;
        }
        start = cursor.after(start);
    }
    let mut end = cursor.word_end(start);
    while cursor.byte(end) == b'.' && cursor.is(end + 1, is_word) {
        end = cursor.word_end(end + 1);
    }
    if end > start {
        names.push(start..end);
    }
    end
}

/// The lines of a shader up to the end that stands at the start of what is
/// left of a line.
fn shader(cursor: Cursor, at: usize, names: &mut Vec<Range<usize>>) -> usize {
    let mut at = at;
    while at < cursor.len() {
        let closed = cursor.starts(at, "|]");
        let end = match cursor.byte(at) {
            b'|' => at + 1 + usize::from(closed),
            _ => cursor.line_end(at),
        };
        if end > at {
            names.push(at..end);
        }
        if closed {
            return end;
        }
        at = if cursor.byte(at) == b'|' { end } else { end + 1 };
    }
    at
}

/// Position behind the comment whose body starts at `at`; comments nest.
fn comment_end(cursor: Cursor, at: usize) -> usize {
    let (mut at, mut depth) = (at, 1_usize);
    while at < cursor.len() && depth > 0 {
        if cursor.starts(at, "{-") {
            depth += 1;
            at += 2;
        } else if cursor.starts(at, "-}") {
            depth -= 1;
            at += 2;
        } else {
            at = cursor.ascii_run(at + 1, |byte| !matches!(byte, b'{' | b'-'));
        }
    }
    at
}

/// Position behind the string whose content starts at `at`.
fn string_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    loop {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\'));
        if cursor.byte(at) != b'\\' {
            return at + 1;
        }
        let hides = matches!(cursor.byte(at + 1), b'\\' | b'"');
        at += 1 + usize::from(hides);
    }
}
