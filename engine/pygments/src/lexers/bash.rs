//! Scanner for shell scripts, for files such as `bash_profile.py`, and for the recipes of
//! makefiles.
//!
//! Names are variables, where they are used and where they are assigned, and builtins followed by
//! white space.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{is_digit, is_space, is_word, starts_identifier},
    scanner::Scanner,
    words::Words,
};

/// The words of the shell, and whether they are names.
static WORDS: LazyLock<Words<bool>> = LazyLock::new(|| {
    let keywords = "if fi else while in do done for then return function case select break continue \
        until esac elif";
    let builtins = "alias bg bind builtin caller cd command compgen complete declare dirs disown echo \
        enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout \
        popd printf pushd pwd read readonly set shift shopt source suspend test time times trap true \
        type typeset ulimit umask unalias unset wait";
    Words::new(&[(false, keywords), (true, builtins)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Root,
    /// A string in double quotes that holds a dollar sign.
    Quoted,
    /// `${…}`
    Curly,
    /// `$(…)`
    Paren,
    /// `$((…))`
    Math,
    Backticks,
}

type Bash<'t, 'n> = Scanner<'t, 'n, State>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Bash::new(text, names).run(Bash::step);
}

impl Bash<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let taken = match (self.state, self.byte()) {
            (State::Quoted, _) => return self.quoted(),
            (State::Curly, _) => self.curly(),
            (State::Math, _) => self.math(),
            (State::Paren, b')') | (State::Backticks, b'`') => {
                self.leave(self.at + 1);
                true
            }
            _ => false,
        };
        if !taken {
            self.root();
        }
    }

    /// One token outside double-quoted strings.
    fn root(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.word() {
            return;
        }
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'#' if cursor.find(at, b'\n').is_some() => self.at = cursor.next_line(at),
            b'\\' if at + 1 < cursor.len() => self.at = cursor.after(at + 1),
            b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'=' | b';' | b'&' | b'|' => {
                self.at = at + 1;
            }
            b'<' => self.at = self.document().unwrap_or(at + 1),
            b'`' => self.enter(at + 1, State::Backticks),
            b'"' => match self.plain_end(at) {
                Some(end) => self.at = end,
                None => self.enter(at + 1, State::Quoted),
            },
            b'$' if next == b'"' => self.at = self.plain_end(at + 1).unwrap_or(at + 1),
            b'$' if next == b'\'' => self.at = self.quoted_end(at + 1, b'\'').unwrap_or(at + 1),
            b'$' => self.interpolation(),
            b'\'' => match self.ending(at + 1, "'") {
                Some(end) => self.at = end,
                None => self.skip(),
            },
            _ if self.space() => {}
            _ => self.text(),
        }
    }

    /// A keyword, a builtin, or a variable in an assignment.
    fn word(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if end == at || cursor.before(at).is_some_and(is_word) {
            return false;
        }
        match WORDS.get(cursor.slice(at..end)) {
            Some(false) => {
                self.at = end;
                return true;
            }
            Some(true) if cursor.is(end, |c| is_space(c) || matches!(c, ')' | '`')) => {
                self.name(at..end);
                return true;
            }
            _ => {}
        }
        let sign = cursor.space_end(end);
        let sign = cursor.optional(sign, b"+");
        let assigned = cursor.byte(sign) == b'=';
        if assigned {
            self.note(at..end);
            self.at = sign + 1;
        }
        assigned
    }

    /// Ordinary text; a character that is not text is skipped.
    fn text(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let digits = cursor.run(at, is_digit);
        if digits > at && !cursor.is(digits, is_word) {
            self.at = digits;
            return;
        }
        let plain = |c: char| !is_space(c) && !"=[]{}()$\"'`\\<&|;".contains(c);
        let end = cursor.run(at, plain);
        if end > at { self.at = end } else { self.skip() }
    }

    /// End of a double-quoted string without a dollar sign, whose opening quote is at `at`.
    fn plain_end(&self, at: usize) -> Option<usize> {
        let cursor = self.cursor;
        let mut at = at + 1;
        loop {
            at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'$' | b'\\'));
            match cursor.byte(at) {
                b'"' => return Some(at + 1),
                b'\\' if at + 1 < cursor.len() => at = cursor.after(at + 1),
                _ => return None,
            }
        }
    }

    /// The expansion after a dollar sign.
    fn interpolation(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let inside = at + 1;
        match cursor.byte(inside) {
            b'(' if cursor.byte(at + 2) == b'(' => self.enter(at + 3, State::Math),
            b'(' => self.enter(at + 2, State::Paren),
            b'{' => self.enter(cursor.optional(at + 2, b"#"), State::Curly),
            byte if starts_identifier(byte) => self.name_to(cursor.word_end(inside)),
            b'#' | b'$' | b'?' | b'!' | b'*' | b'@' | b'-' => self.name_to(at + 2),
            _ => {
                let digits = cursor.run(inside, is_digit);
                if digits > inside { self.name_to(digits) } else { self.at = inside }
            }
        }
    }

    /// End of a here-document or a here-string at `at`. The document extends to the next repetition
    /// of its word or, if there is none, of the longest beginning of the word that is repeated.
    fn document(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.starts(at, "<<") {
            return None;
        }
        if cursor.byte(at + 2) == b'<' {
            return Some(at + 3);
        }
        let start = cursor.space_end(cursor.optional(at + 2, b"-"));
        let start = cursor.optional(cursor.optional(start, b"'"), b"\\");
        let word = cursor.slice(start..cursor.word_end(start));
        let repeated = |length: usize| {
            let part = word.get(..length).filter(|part| !part.is_empty())?;
            // At least one character must be in between.
            let from = cursor.after(start + length);
            Some(cursor.find_text(from, part)? + length)
        };
        // If a word is repeated, so are its beginnings; therefore a binary search finds the longest
        // one.
        let ends: Vec<usize> = word.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        let count = ends.partition_point(|end| repeated(*end).is_some());
        repeated(*ends.get(count.checked_sub(1)?)?)
    }

    fn quoted(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match self.byte() {
            b'"' => self.leave(at + 1),
            b'$' => self.interpolation(),
            b'\\' if at + 1 < cursor.len() => self.at = cursor.after(at + 1),
            b'\\' => self.skip(),
            _ => self.at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'$' | b'\\')),
        }
    }

    fn curly(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let word = cursor.word_end(at);
        match self.byte() {
            b'}' => self.leave(at + 1),
            _ if word > at => self.name_to(word),
            b':' => self.at = cursor.optional(at + 1, b"-"),
            b'"' | b'\'' | b'`' | b'$' | b'\\' => return false,
            _ => self.at = cursor.run(at, |c| !"}:\"'`$\\".contains(c)),
        }
        true
    }

    fn math(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let digits = cursor.run(at, is_digit);
        match self.byte() {
            b')' if cursor.byte(at + 1) == b')' => self.leave(at + 2),
            b'-' | b'+' | b'*' | b'/' | b'%' | b'^' | b'|' | b'&' | b'<' | b'>' => self.at = at + 1,
            _ if digits > at => self.at = self.number(digits),
            byte if starts_identifier(byte) => self.name_to(cursor.word_end(at)),
            _ => return false,
        }
        true
    }

    /// End of a number in an arithmetic expression. Its first digits, which may be a base, end at
    /// `digits`.
    fn number(&self, digits: usize) -> usize {
        let (cursor, at) = (self.cursor, self.at);
        let of_base = |c: char| c.is_ascii_alphabetic() || is_digit(c);
        if cursor.byte(digits) == b'#' {
            let end = cursor.run(digits + 1, of_base);
            if end > digits + 1 || cursor.byte(end) != b' ' {
                return end;
            }
        }
        let hex = |c: char| c.is_ascii_hexdigit() || is_digit(c);
        if cursor.byte(at) == b'0' && matches!(cursor.byte(at + 1), b'x' | b'X') {
            let end = cursor.run(at + 2, hex);
            if end > at + 2 {
                return end;
            }
        }
        digits
    }
}
