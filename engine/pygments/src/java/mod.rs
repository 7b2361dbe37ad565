//! Scanner for Java.
//!
//! Identifiers that are no keyword are names. Annotations count with their
//! `@`, import paths as a whole, what stands behind a dot whatever it is. A
//! method header is recognised by words in front of `name (`; the words are
//! scanned on their own, because even keywords may be among them.

mod literals;

use std::ops::Range;
use std::sync::LazyLock;

use self::literals::{character_end, number_end, text_block_end};
use crate::cursor::{Cursor, Once, is_digit, is_word};
use crate::words::Words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A keyword that can start no method header.
    Control,
    /// Any other keyword, also in front of a method name.
    Plain,
    /// `class` and `interface`.
    Type,
    /// `package` and `import`, before white space.
    Import,
    /// `var`, before white space.
    Var,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let control = "assert break case catch continue default do else finally for if goto instanceof \
        new return switch this throw try while";
    let plain = "abstract const enum extends final implements native private protected public \
        sealed static strictfp super synchronized throws transient volatile yield boolean byte \
        char double float int long short void true false null";
    Words::new(&[
        (Word::Control, control),
        (Word::Plain, plain),
        (Word::Type, "class interface"),
        (Word::Import, "package import"),
        (Word::Var, "var"),
    ])
});

/// What the scanner waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    TypeName,
    Variable,
    Path,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    state: State,
    base: usize,
    names: &'n mut Vec<Range<usize>>,
    /// Positions up to here are known to start no record and no label.
    no_line: Option<usize>,
    /// Positions up to here are known to start no record.
    no_record: usize,
    /// Positions before this one are known to start no method header.
    no_method: usize,
    comment: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    scan_part(text, 0, names);
}

fn scan_part(text: &str, base: usize, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        state: State::Code,
        base,
        names,
        no_line: None,
        no_record: 0,
        no_method: 0,
        comment: Once::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.state {
            State::Code => scanner.code(),
            _ => scanner.awaited(),
        }
    }
}

impl Scanner<'_, '_> {
    fn byte(&self) -> u8 {
        self.cursor.byte(self.at)
    }

    /// Goes on at `at`, where a name is awaited.
    fn announce(&mut self, at: usize, state: State) {
        self.at = at;
        self.state = state;
    }

    fn name(&mut self, end: usize) {
        self.names.push(self.base + self.at..self.base + end);
        self.at = end;
    }

    /// End of the identifier at `at`.
    fn identifier(&self, at: usize) -> Option<usize> {
        let starts = |c: char| c == '$' || is_word(c) && !is_digit(c);
        let part = |c: char| c == '$' || is_word(c);
        self.cursor.is(at, starts).then(|| self.cursor.run(at, part))
    }

    /// The name that a keyword has announced; anything else is passed over,
    /// and a line break gives up.
    fn awaited(&mut self) {
        let space = self.cursor.space_end(self.at);
        if self.state == State::TypeName && space > self.at {
            self.at = space;
            return;
        }
        let end = match self.state {
            State::Path => {
                let end = self.cursor.run(self.at, |c| c == '.' || is_word(c));
                let star = usize::from(self.cursor.byte(end) == b'*');
                (end > self.at).then_some(end + star)
            }
            _ => self.identifier(self.at),
        };
        if let Some(end) = end {
            self.name(end);
            self.state = State::Code;
        } else {
            if self.byte() == b'\n' {
                self.state = State::Code;
            }
            self.at = self.cursor.after(self.at);
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.at_line_start(at) && self.line() {
            return;
        }
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'/' if next == b'/' => match cursor.find(at, b'\n') {
                Some(line_break) => self.at = line_break + 1,
                None => self.at += 1,
            },
            b'/' if next == b'*' => {
                let close = self.comment.search(|| cursor.find_text(at + 2, "*/"));
                self.at = close.map_or(at + 1, |close| close + 2);
            }
            b'@' if cursor.is(at + 1, |c| is_word(c) && !is_digit(c)) => {
                self.name(cursor.run(at + 1, |c| c == '.' || is_word(c)));
            }
            b'"' if cursor.starts(at, "\"\"\"\n") => self.at = text_block_end(cursor, at + 4),
            b'"' => self.at = cursor.quoted_end(at, b'"').unwrap_or(cursor.len()),
            b'\'' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'.' => match self.identifier(at + 1) {
                Some(end) => {
                    self.at += 1;
                    self.name(end);
                }
                None => self.at = number_end(cursor, at).unwrap_or(at + 1),
            },
            b'0'..=b'9' => self.at = number_end(cursor, at).unwrap_or(at + 1),
            _ => match self.identifier(at) {
                Some(end) => self.word(end),
                None => self.at = cursor.after(at),
            },
        }
    }

    fn word(&mut self, end: usize) {
        let cursor = self.cursor;
        let word_end = cursor.word_end(self.at);
        let kind = WORDS.get(cursor.slice(self.at..word_end));
        if kind == Some(Word::Control) {
            self.at = word_end;
            return;
        }
        if self.method() {
            return;
        }
        let space = cursor.space_end(word_end);
        match kind {
            Some(Word::Plain) => self.at = word_end,
            Some(Word::Type) => self.announce(word_end, State::TypeName),
            Some(Word::Var) if space > word_end => self.announce(space, State::Variable),
            Some(Word::Import) if space > word_end => {
                let second = cursor.space_end(space + 6);
                let is_import = cursor.byte(self.at) == b'i';
                let is_static = is_import && cursor.starts(space, "static") && second > space + 6;
                self.announce(if is_static { second } else { space }, State::Path);
            }
            _ => self.name(end),
        }
    }

    /// `type name (`: at least one word in front of the name.
    fn method(&mut self) -> bool {
        if self.at < self.no_method {
            return false;
        }
        let cursor = self.cursor;
        let in_type = |c: char| matches!(c, '.' | '[' | ']' | '$' | '<' | '>' | '?') || is_word(c);
        let mut word = self.at;
        loop {
            let end = cursor.run(word, in_type);
            let name = cursor.space_end(end);
            let name_end = self.identifier(name).filter(|_| name > end);
            let Some(name_end) = name_end else {
                self.no_method = end;
                return false;
            };
            let open = cursor.space_end(name_end);
            if cursor.byte(open) == b'(' {
                // The words hold no parenthesis, so the nesting ends there.
                scan_part(cursor.slice(self.at..name), self.base + self.at, self.names);
                self.at = name;
                self.name(name_end);
                self.at = open + 1;
                return true;
            }
            word = name;
        }
    }

    /// A record or, behind an empty line, a label.
    fn line(&mut self) -> bool {
        if self.no_line.is_some_and(|known| self.at <= known) {
            return false;
        }
        let cursor = self.cursor;
        let start = cursor.space_end(self.at);
        self.no_line = Some(start);
        let mut word = start;
        while start >= self.no_record {
            let end = cursor.word_end(word);
            let next = cursor.space_end(end);
            match cursor.slice(word..end) {
                "record" => {
                    self.at = end;
                    self.state = State::TypeName;
                    return true;
                }
                "public" | "private" | "protected" | "static" | "strictfp" if next > end => {
                    word = next;
                }
                _ => {
                    self.no_record = word + 1;
                    break;
                }
            }
        }
        let label = self.identifier(start).filter(|end| cursor.byte(*end) == b':');
        match label {
            Some(end) if self.byte() == b'\n' => {
                self.at = start;
                if cursor.slice(start..end) != "default" {
                    self.name(end);
                }
                self.at = end + 1;
                true
            }
            _ => false,
        }
    }
}
