//! Scanner for Elm.
//!
//! Values and operators are names, types are not. The path after `module` or
//! `import` is one, and so is each line of a shader.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_digit, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "alias as case else if import in let module of port then type where";
    Words::new(&[((), words)])
});

/// Operators, longer ones before those that are their prefixes.
#[rustfmt::skip]
static OPERATORS: &[&str] = &[
    "||", "|>", "|", "~", "`", "^", "\\", "'", ">>", ">=", ">", "==", "=", "<~", "<|", "<=", "<<",
    "<-", "<", "::", ":", "/=", "//", "/", "..", ".", "->", "-", "++", "+", "*", "&&", "%",
];

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Elm<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Elm::new(text, names).run(Elm::step);
}

impl Elm<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let byte = cursor.byte(at);
        if cursor.starts(at, "{-") {
            self.at = cursor.nested_end(at, *b"{-", *b"-}");
            return;
        }
        if cursor.starts(at, "--") {
            self.at = cursor.line_end(at);
            return;
        }
        if byte == b'"' {
            self.at = string_end(cursor, at + 1);
            return;
        }
        if cursor.at_line_start(at)
            && let Some(end) = cursor.any(at, &["module", "import"])
        {
            return self.path(cursor.space_end(end));
        }
        if cursor.starts(at, "[glsl|") {
            self.name_to(cursor.line_end(at));
            return self.shader();
        }
        let digits = cursor.optional(at, b"_");
        if cursor.is(digits, is_digit) {
            let end = cursor.run(digits, is_digit);
            let dotted = cursor.byte(end) == b'.' && cursor.is(end + 1, is_digit);
            self.at = end + usize::from(dotted);
            return;
        }
        if starts_identifier(byte) {
            return self.word();
        }
        let section = if byte == b'(' { cursor.any(at + 1, OPERATORS) } else { None };
        if let Some(end) = section
            && cursor.byte(end) == b')'
        {
            return self.name(at..end + 1);
        }
        match cursor.any(at, OPERATORS) {
            Some(end) => self.name(at..end),
            None => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.ascii_run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_keyword = WORDS.has(cursor.slice(at..end)) && !cursor.is(end, is_word);
        if is_keyword || cursor.byte(at).is_ascii_uppercase() {
            self.at = end;
        } else if cursor.at_line_start(at) && cursor.starts(at, "main ") {
            self.at = at + 5;
        } else {
            let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
            self.name(at..cursor.ascii_run(at, part));
        }
    }

    /// The path after `module` or `import`; anything else on the line before it is skipped.
    fn path(&mut self, at: usize) {
        let (cursor, mut start) = (self.cursor, at);
        while start < cursor.len() && !cursor.is(start, is_word) {
            if cursor.byte(start) == b'\n' {
                self.at = start + 1;
                return;
            }
            start = cursor.after(start);
        }
        let mut end = cursor.word_end(start);
        while cursor.byte(end) == b'.' && cursor.is(end + 1, is_word) {
            end = cursor.word_end(end + 1);
        }
        self.at = end;
        if end > start {
            self.note(start..end);
        }
    }

    /// The lines of a shader, up to the end mark at the start of the rest of a line.
    fn shader(&mut self) {
        let cursor = self.cursor;
        while self.at < cursor.len() {
            let at = self.at;
            let closed = cursor.starts(at, "|]");
            let bar = cursor.byte(at) == b'|';
            let end = if bar { at + 1 + usize::from(closed) } else { cursor.line_end(at) };
            if end > at {
                self.note(at..end);
            }
            self.at = if bar { end } else { end + 1 };
            if closed {
                return;
            }
        }
    }
}

/// Position after the string whose content starts at `at`.
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
