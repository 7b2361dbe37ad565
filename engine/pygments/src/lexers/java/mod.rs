//! Scanner for Java.
//!
//! Identifiers that are not keywords are names. Annotations include their `@`, import paths count
//! as a whole, and any word after a dot is a name. A method header is recognised by words before
//! `name (`; the words are scanned on their own, because there may be keywords among them.

mod literals;

use std::{ops::Range, sync::LazyLock};

use self::literals::{character_end, number_end, text_block_end};
use crate::{
    cursor::{Searched, is_digit, is_word},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A keyword that cannot start a method header.
    Control,
    /// Any other keyword, also before a method name.
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

/// What the scanner expects.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    TypeName,
    Variable,
    Path,
}

type Java<'t, 'n> = Scanner<'t, 'n, State, Memory>;

/// Where certain constructs are known not to start.
#[derive(Default)]
struct Memory {
    /// White space at the start of lines that are neither records nor labels.
    line: Searched,
    /// Positions up to here are known to start no record.
    record: usize,
    /// Positions before this one are known to start no method header.
    method: usize,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Java::new(text, names).run(Java::step);
}

impl Java<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Code => self.code(),
            _ => self.awaited(),
        }
    }

    /// Moves to `at`, where a name is expected.
    fn announce(&mut self, at: usize, state: State) {
        self.at = at;
        self.state = state;
    }

    /// End of the identifier at `at`.
    fn identifier(&self, at: usize) -> Option<usize> {
        let starts = |c: char| c == '$' || is_word(c) && !is_digit(c);
        self.cursor.is(at, starts).then(|| {
            let mut end = self.cursor.word_end(at);
            while self.cursor.byte(end) == b'$' {
                end = self.cursor.word_end(end + 1);
            }
            end
        })
    }

    /// The name after the keyword that announced it. Other characters are skipped, and at a line
    /// break no name is expected any more.
    fn awaited(&mut self) {
        if self.state == State::TypeName && self.space() {
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
            self.name_to(end);
            self.state = State::Code;
        } else {
            self.skip();
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.at_line_start(at) && self.line() {
            return;
        }
        let next = cursor.byte(at + 1);
        match self.byte() {
            b'/' if next == b'/' => self.at = self.ending(at, "\n").unwrap_or(at + 1),
            b'/' if next == b'*' => {
                self.at = self.ending(at + 2, "*/").unwrap_or(at + 1);
            }
            b'@' if cursor.is(at + 1, |c| is_word(c) && !is_digit(c)) => {
                self.name_to(cursor.run(at + 1, |c| c == '.' || is_word(c)));
            }
            b'"' if cursor.starts(at, "\"\"\"\n") => self.at = text_block_end(cursor, at + 4),
            b'"' => self.at = cursor.quoted_end(at, b'"').unwrap_or(cursor.len()),
            b'\'' => self.at = character_end(cursor, at).unwrap_or(at + 1),
            b'.' => match self.identifier(at + 1) {
                Some(end) => {
                    self.at += 1;
                    self.name_to(end);
                }
                None => self.at = number_end(cursor, at).unwrap_or(at + 1),
            },
            b'0'..=b'9' => self.at = number_end(cursor, at).unwrap_or(at + 1),
            _ => match self.identifier(at) {
                Some(end) => self.word(end),
                None => self.at = usize::max(cursor.blank_end(at), cursor.after(at)),
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
            _ => self.name_to(end),
        }
    }

    /// `type name (`: at least one word before the name.
    fn method(&mut self) -> bool {
        if self.at < self.memory.method {
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
                self.memory.method = end;
                return false;
            };
            let open = cursor.space_end(name_end);
            if cursor.byte(open) == b'(' {
                // The words contain no parenthesis, so the nesting ends there.
                self.inner(self.at..name, Memory::default()).run(Java::step);
                self.name(name..name_end);
                self.at = open + 1;
                return true;
            }
            word = name;
        }
    }

    /// A record or, after an empty line, a label.
    fn line(&mut self) -> bool {
        if self.memory.line.end(self.at).is_some() {
            return false;
        }
        let cursor = self.cursor;
        let start = cursor.space_end(self.at);
        self.memory.line.set(self.at, start + 1);
        let mut word = start;
        while start >= self.memory.record {
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
                    self.memory.record = word + 1;
                    break;
                }
            }
        }
        let label = self.identifier(start).filter(|end| cursor.byte(*end) == b':');
        match label {
            Some(end) if self.byte() == b'\n' => {
                self.at = start;
                if cursor.slice(start..end) != "default" {
                    self.name_to(end);
                }
                self.at = end + 1;
                true
            }
            _ => false,
        }
    }
}
