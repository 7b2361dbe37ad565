//! Scanner for C#.
//!
//! Identifiers that are no keyword are names, and so are whole attributes and
//! the dotted path behind `using` or `namespace`. A line that starts with two
//! or more words and an opening parenthesis is taken for a method, whatever
//! its last word is: `else if (` gives the name `if`.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, Searched};
use super::identifiers::{continues_cased_name, starts_cased_name};
use super::words::Words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Keyword,
    /// Only in front of certain keywords.
    File,
    /// The next word is a name, whatever it is.
    Class,
    /// A dotted path follows.
    Path,
}

/// `class`, `struct`, `namespace` and `using` are keywords only in front of
/// white space, `file` only in front of another keyword.
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

/// The keywords that make a `file` in front of them one, too.
static BEHIND_FILE: LazyLock<Words<()>> =
    LazyLock::new(|| Words::new(&[((), "record class abstract enum new sealed static")]));

/// The directives whose line is left out; any other is read as code.
static DIRECTIVES: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "if endif else elif define undef line error warning region endregion pragma";
    Words::new(&[((), words)])
});

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    /// Behind `using` or `namespace`. What is no path there is dropped, up to
    /// the line's end.
    Path,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    /// Where `cursor`'s text starts in the text of the names.
    offset: usize,
    at: usize,
    state: State,
    names: &'n mut Vec<Range<usize>>,
    /// Stretches of words, and of white space, that start no method and no attribute.
    words: Searched,
    spaces: Searched,
    bracket: Once,
    comment: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    scan_part(text, 0, names);
}

/// Scans a text that lies `offset` bytes inside of another.
fn scan_part(text: &str, offset: usize, names: &mut Vec<Range<usize>>) {
    let mut scanner = Scanner {
        cursor: Cursor::new(text),
        offset,
        at: 0,
        state: State::Code,
        names,
        words: Searched::default(),
        spaces: Searched::default(),
        bracket: Once::default(),
        comment: Once::default(),
    };
    while scanner.at < text.len() {
        match scanner.state {
            State::Code => scanner.code(),
            State::Path => scanner.path(),
        }
    }
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(self.offset + range.start..self.offset + range.end);
    }

    /// End of an identifier at `at`, with the `@` that it may start with.
    fn identifier(&self, at: usize) -> Option<usize> {
        let start = at + usize::from(self.cursor.byte(at) == b'@');
        let starts = self.cursor.is(start, starts_cased_name);
        starts.then(|| self.cursor.run(start, continues_cased_name))
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
                let close = self.comment.search(|| cursor.find_text(at + 2, "*/"));
                self.at = close.map_or(at + 1, |close| close + 2);
            }
            b'@' if next == b'"' => self.at = verbatim_end(cursor, at + 2).unwrap_or(at + 1),
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

    /// A word, or one character that means nothing here.
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

    /// The path behind `using`, unless a parenthesis opens a resource.
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
        if self.words.end(first).is_some() {
            return false;
        }
        let mut at = first;
        while let Some(end) = self.identifier(at) {
            let space = cursor.space_end(end);
            if at > first && cursor.byte(space) == b'(' {
                // The words in front are scanned by themselves.
                scan_part(cursor.slice(first..at), self.offset + first, self.names);
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
        // No later line of this stretch starts a method: all its words have been seen.
        self.words = Searched::default();
        self.words.search(first, || at);
        false
    }

    /// White space over any lines and a bracket, up to the first that closes.
    fn attribute(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.spaces.end(at).is_some() {
            return false;
        }
        let open = cursor.space_end(at);
        if cursor.byte(open) == b'['
            && let Some(close) = self.bracket.search(|| cursor.find(open + 1, b']'))
        {
            self.name(open..close + 1);
            return true;
        }
        self.spaces = Searched::default();
        self.spaces.search(at, || open);
        false
    }
}

/// End of a number. Only a fraction or an exponent makes `e` a part of it.
fn number_end(cursor: Cursor<'_>, at: usize) -> usize {
    let digits = |at: usize| cursor.ascii_run(at, |byte| byte.is_ascii_digit());
    let exponent = |at: usize| {
        let sign = usize::from(matches!(cursor.byte(at + 1), b'+' | b'-'));
        let marked = matches!(cursor.byte(at), b'e' | b'E');
        (marked && cursor.byte(at + 1 + sign).is_ascii_digit()).then(|| digits(at + 1 + sign))
    };
    let is_float_mark = |byte: u8| matches!(byte, b'f' | b'F' | b'd' | b'D' | b'm' | b'M');
    let marked = |at: usize| at + usize::from(is_float_mark(cursor.byte(at)));
    let whole = digits(at);
    if cursor.byte(whole) == b'.' && cursor.byte(whole + 1).is_ascii_digit() {
        let fraction = digits(whole + 1);
        return marked(exponent(fraction).unwrap_or(fraction));
    }
    if let Some(end) = exponent(whole) {
        return marked(end);
    }
    if is_float_mark(cursor.byte(whole)) {
        return whole + 1;
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
fn string_end(cursor: Cursor<'_>, start: usize) -> Option<usize> {
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

/// End of a string in which only two quotes stand for one.
fn verbatim_end(cursor: Cursor<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    let mut last_pair = None;
    while let Some(quote) = cursor.find(at, b'"') {
        if cursor.byte(quote + 1) != b'"' {
            return Some(quote + 1);
        }
        last_pair = Some(quote + 1);
        at = quote + 2;
    }
    // Never closed: then the last pair is taken apart.
    last_pair
}

/// End of a character literal, or of its quote alone.
fn character_end(cursor: Cursor<'_>, at: usize) -> usize {
    let content = at + 1 + usize::from(cursor.byte(at + 1) == b'\\');
    let end = cursor.after(content);
    if content < cursor.len() && cursor.byte(end) == b'\'' { end + 1 } else { at + 1 }
}
