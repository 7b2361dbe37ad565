//! Scanner for C#.
//!
//! Identifiers that are not keywords are names, and so are whole attributes and the dotted path
//! after `using` or `namespace`. A line that starts with two or more words and an opening
//! parenthesis is taken for a method, whatever its last word is: `else if (` gives the name `if`.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, Searched},
    identifiers::{continues_cased_name, starts_cased_name},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Keyword,
    /// A keyword only before certain keywords.
    File,
    /// The next word is a name, whatever it is.
    Class,
    /// A dotted path follows.
    Path,
}

/// `class`, `struct`, `namespace` and `using` are keywords only before white space, and `file` only
/// before another keyword.
static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let keywords = "abstract as async await base break by case catch checked const continue default \
        delegate do else enum event explicit extern false finally fixed for foreach goto if \
        implicit in interface internal is let lock new null on operator out override params \
        private protected public readonly ref return sealed sizeof stackalloc static switch this \
        throw true try typeof unchecked unsafe virtual void while get set partial yield add remove \
        value alias ascending descending from group into orderby select thenby where join equals \
        record allows and init managed nameof nint not notnull nuint or scoped unmanaged when with \
        bool byte char decimal double dynamic float int long object sbyte short string uint ulong \
        ushort var";
    Words::new(&[
        (Word::Keyword, keywords),
        (Word::File, "file"),
        (Word::Class, "class struct"),
        (Word::Path, "namespace using"),
    ])
});

/// The keywords that turn a `file` before them into a keyword.
static BEHIND_FILE: LazyLock<Words<()>> =
    LazyLock::new(|| Words::new(&[((), "record class abstract enum new sealed static")]));

/// The directives whose lines are skipped; other directives are read as code.
static DIRECTIVES: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "if endif else elif define undef line error warning region endregion pragma";
    Words::new(&[((), words)])
});

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// After `using` or `namespace`. Text that is not a path is skipped up to the end of the line.
    Path,
}

type CSharp<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    /// Stretches of words and of white space that start neither a method nor an attribute.
    words: Searched,
    spaces: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    CSharp::new(text, names).run(CSharp::step);
}

impl CSharp<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Code => self.code(),
            State::Path => self.path(),
        }
    }

    /// End of an identifier at `at`, with the `@` that it may start with.
    fn identifier(&self, at: usize) -> Option<usize> {
        let start = at + usize::from(self.cursor.byte(at) == b'@');
        let starts = self.cursor.is(start, starts_cased_name);
        starts.then(|| self.cursor.word_run(start, continues_cased_name))
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.at_line_start(at) && (self.method() || self.attribute()) {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'.' if next.is_ascii_digit() => self.at = number_end(cursor, at),
            b'\n' => self.at += 1,
            b'/' if next == b'/' => self.at = cursor.next_line(at),
            b'/' if next == b'*' => {
                self.at = self.ending(at + 2, "*/").unwrap_or(at + 1);
            }
            b'@' if next == b'"' => self.at = cursor.doubled_end(at + 1, b'"').unwrap_or(at + 1),
            b'"' => self.at = string_end(cursor, at + 1).unwrap_or(at + 1),
            b'\'' => self.at = character_end(cursor, at),
            b'#' => {
                let word = cursor.ascii_run(at + 1, |byte| matches!(byte, b' ' | b'\t'));
                let known = DIRECTIVES.has(cursor.slice(word..cursor.word_end(word)));
                self.at = if known { cursor.next_line(word) } else { at + 1 };
            }
            _ => match cursor.blank_end(at) {
                end if end > at => self.at = end,
                _ => self.word(),
            },
        }
    }

    /// A word, or one character without a meaning.
    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = self.identifier(at) else {
            self.at = cursor.after(at);
            return;
        };
        let word_end = cursor.word_end(at);
        let space = cursor.space_end(word_end);
        match WORDS.get(cursor.slice(at..word_end)) {
            Some(Word::Keyword) => self.at = word_end,
            Some(Word::File) if space > word_end => {
                let behind = cursor.word_end(space);
                if BEHIND_FILE.has(cursor.slice(space..behind)) {
                    self.at = behind;
                } else {
                    self.name(at..end);
                }
            }
            Some(Word::Class) if space > word_end => match self.identifier(space) {
                Some(name_end) => self.name(space..name_end),
                None => self.at = space,
            },
            Some(Word::Path) if space > word_end => {
                self.at = space;
                self.state = State::Path;
            }
            _ if cursor.slice(at..at + 8) == "global::" => self.at = at + 8,
            _ => self.name(at..end),
        }
    }

    /// The path after `using`, unless a parenthesis follows, which opens a resource.
    fn path(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let mut end = at;
        loop {
            end = match self.identifier(end) {
                Some(behind) => behind,
                None if cursor.byte(end) == b'.' => end + 1,
                None => break,
            };
        }
        if end > at {
            self.state = State::Code;
            self.name(at..end);
        } else if matches!(cursor.byte(at), b'(' | b'\n') {
            self.state = State::Code;
            self.at += usize::from(cursor.byte(at) == b'\n');
        } else {
            self.at = cursor.after(at);
        }
    }

    /// A line that starts like a method: words, a name and a parenthesis.
    fn method(&mut self) -> bool {
        let (cursor, start) = (self.cursor, self.at);
        let first = cursor.ascii_run(start, |byte| matches!(byte, b' ' | b'\t'));
        if self.memory.words.end(first).is_some() {
            return false;
        }
        let mut at = first;
        while let Some(end) = self.identifier(at) {
            let space = cursor.space_end(end);
            if at > first && cursor.byte(space) == b'(' {
                // The words before the name are scanned on their own.
                self.inner(first..at, Memory::default()).run(CSharp::step);
                self.name(at..end);
                self.at = space + 1;
                return true;
            }
            let behind = if cursor.starts(end, "[]") { end + 2 } else { end };
            let next = cursor.space_end(behind);
            if next == behind {
                break;
            }
            at = next;
        }
        // No later line of this stretch starts a method, because all its words were examined.
        self.memory.words.set(first, at);
        false
    }

    /// White space over any number of lines, and a bracket up to the first closing one.
    fn attribute(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.memory.spaces.end(at).is_some() {
            return false;
        }
        let open = cursor.space_end(at);
        if cursor.byte(open) == b'['
            && let Some(end) = self.ending(open + 1, "]")
        {
            self.name(open..end);
            return true;
        }
        self.memory.spaces.set(at, open);
        false
    }
}

/// End of a number. An `e` is part of it only after a fraction or in an exponent.
fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |at: usize| cursor.digits_end(at);
    let exponent = |at: usize| cursor.exponent_end(at, b"eE", digits);
    let marked = |at: usize| cursor.optional(at, b"fFdDmM");
    let whole = digits(at);
    if cursor.byte(whole) == b'.' && cursor.byte(whole + 1).is_ascii_digit() {
        let fraction = digits(whole + 1);
        return marked(exponent(fraction).unwrap_or(fraction));
    }
    if let Some(end) = exponent(whole) {
        return marked(end);
    }
    if marked(whole) > whole {
        return marked(whole);
    }
    let based = |test: fn(u8) -> bool| {
        let end = cursor.ascii_run(at + 2, test);
        (end > at + 2).then_some(end)
    };
    let body = match (cursor.byte(at), cursor.byte(at + 1)) {
        (b'0', b'x' | b'X') => based(|byte| byte.is_ascii_hexdigit()),
        (b'0', b'b' | b'B') => based(|byte| matches!(byte, b'0' | b'1')),
        _ => None,
    };
    let end = body.unwrap_or(whole);
    match (cursor.byte(end), cursor.byte(end + 1)) {
        (b'u' | b'U', b'l' | b'L') | (b'l' | b'L', b'u' | b'U') => end + 2,
        (b'u' | b'U' | b'l' | b'L', _) => end + 1,
        _ => end,
    }
}

/// End of a string that ends at its quote or at the line's end.
fn string_end(cursor: Cursor, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let rest = cursor.text.as_bytes().get(at..)?;
        at += memchr::memchr3(b'"', b'\\', b'\n', rest)?;
        if cursor.byte(at) != b'\\' {
            return Some(at + 1);
        }
        at = cursor.after(at + 1);
    }
}

/// End of a character literal, or of its quote if it is not closed.
fn character_end(cursor: Cursor, at: usize) -> usize {
    let content = at + 1 + usize::from(cursor.byte(at + 1) == b'\\');
    let end = cursor.after(content);
    if content < cursor.len() && cursor.byte(end) == b'\'' { end + 1 } else { at + 1 }
}
