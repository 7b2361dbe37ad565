//! Scanner for Perl, the code inside Mason templates.
//!
//! Names are variables and the sigils before them, functions, packages, and every other word that
//! is not a keyword.

mod delimited;
mod number;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use self::{
    delimited::{exclaimed_end, slashed_end, twice_slashed_end},
    number::number_end,
    words::{WORDS, Word},
};
use crate::{
    cursor::{Cursor, Searched, is_space, is_word, starts_identifier},
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Root,
    /// Where a pattern may begin, according to its delimiter.
    Pattern,
    /// After the sigil of a variable.
    Variable,
    /// After `sub`.
    Function,
    /// Between two brackets, which nest.
    Nested(u8, u8),
}

/// Searches that failed, and the lines that may end a here-document.
#[derive(Default)]
struct Memory {
    /// Delimiters that do not occur any more.
    missing: BTreeSet<char>,
    /// A stretch without the end of a file handle in angle brackets.
    handle: Searched,
    /// A stretch without a slash that closes a pattern on its line.
    slash: Searched,
    /// The starts of the lines that consist of one word, filled in when first needed.
    lines: Option<BTreeMap<String, Vec<usize>>>,
}

type Perl<'t, 'n> = Scanner<'t, 'n, State, Memory>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Perl::new(text, names).run(Perl::step);
}

/// Letters after a pattern.
fn flags_end(cursor: Cursor, at: usize) -> usize {
    cursor.ascii_run(at, |byte| b"egimosx".contains(&byte))
}

/// End of the words with double colons between them at `at`.
fn path_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut end = cursor.identifier_end(at)?;
    while cursor.starts(end, "::")
        && let Some(next) = cursor.identifier_end(end + 2)
    {
        end = next;
    }
    Some(end)
}

/// The byte that closes what a byte opens: the same byte, except for brackets.
const fn closing(open: u8) -> u8 {
    match open {
        b'{' => b'}',
        b'<' => b'>',
        b'[' => b']',
        b'(' => b')',
        _ => open,
    }
}

impl Perl<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Root => self.root(),
            State::Pattern => self.pattern(),
            State::Variable => self.variable(),
            State::Function => self.function(),
            State::Nested(open, close) => self.nested(open, close),
        }
    }

    fn root(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.tested() || self.space() {
            return;
        }
        let byte = self.byte();
        if cursor.is(at, is_word) {
            return self.word();
        }
        match byte {
            b'#' => self.at = self.hash_end(),
            b'=' if let Some(end) = self.documentation_end() => self.at = end,
            b'/' => self.at = self.match_end(at).unwrap_or_else(|| cursor.optional(at + 1, b"=")),
            b'<' => match self.document_end().or_else(|| self.handle_end()) {
                Some(end) => self.at = end,
                None => self.at = self.operator_end(),
            },
            b'$' => self.global(),
            b'@' | b'%' => self.sign(),
            b'\'' | b'"' | b'`' => match self.quoted_end(at, byte) {
                Some(end) => self.at = end,
                None => self.skip(),
            },
            b'.' => self.at = number_end(cursor, at).unwrap_or_else(|| self.operator_end()),
            b'[' | b'*' | b':' | b'>' | b'=' | b'!' | b'&' | b'|' | b'-' | b'+' | b'^' | b'\\'
            | b'~' => self.at = self.operator_end(),
            _ => self.at = cursor.after(at),
        }
    }

    /// A pattern that follows a match operator or is passed to a function.
    fn tested(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let tested = matches!(cursor.before(at), Some('('))
            || at.checked_sub(2).is_some_and(|sign| cursor.starts(sign, "=~"));
        if !tested {
            return false;
        }
        let slash = cursor.space_end(at);
        if cursor.byte(slash) != b'/' {
            return false;
        }
        // A pattern on a single line has other letters after it.
        let end = if slash == at { self.match_end(at) } else { None };
        let end = end.or_else(|| self.quoted_end(slash, b'/').map(|end| flags_end(cursor, end)));
        self.at = end.unwrap_or(at);
        end.is_some()
    }

    /// End of a comment.
    fn hash_end(&self) -> usize {
        let (cursor, at) = (self.cursor, self.at);
        // The line that names the interpreter has at least one character, which may be its line
        // break.
        if at == 0 && cursor.byte(1) == b'!' && cursor.len() > 2 {
            return cursor.line_end(cursor.after(2));
        }
        cursor.line_end(at)
    }

    /// End of a section of documentation.
    fn documentation_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        let word = cursor.ascii_run(at + 1, |byte| byte.is_ascii_alphanumeric());
        let headed = word > at + 1 && cursor.is(word, is_space);
        if !cursor.at_line_start(at) || !headed {
            return None;
        }
        self.ending(cursor.after(word), "\n=cut")
    }

    /// End of a pattern on one line whose opening slash is at `at`.
    fn match_end(&mut self, at: usize) -> Option<usize> {
        if self.memory.slash.end(at).is_some() {
            return None;
        }
        let cursor = self.cursor;
        let mut end = at + 1;
        loop {
            end = cursor.ascii_run(end, |byte| !matches!(byte, b'/' | b'\\' | b'\n'));
            match cursor.byte(end) {
                b'/' => {
                    let letters = |byte: u8| b"gcimosx".contains(&byte);
                    return Some(cursor.ascii_run(end + 1, letters));
                }
                b'\\' if end + 1 < cursor.len() => end = cursor.after(end + 1),
                _ => break,
            }
        }
        self.memory.slash.set(at, end);
        None
    }

    /// End of the here-document at `<<`: it extends to the line that consists of its word.
    fn document_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        let start = cursor.optional(at + 2, b"'\"");
        let end = cursor.identifier_end(start).filter(|_| cursor.starts(at, "<<"))?;
        let close = if start > at + 2 {
            (cursor.byte(end) == cursor.byte(at + 2)).then_some(end + 1)?
        } else {
            end
        };
        let close = cursor.optional(close, b";");
        if cursor.byte(close) != b'\n' {
            return None;
        }
        let lines = self.memory.lines.get_or_insert_with(|| word_lines(cursor));
        let word = cursor.slice(start..end);
        let starts = lines.get(word)?;
        // The document has at least one line.
        let line = starts.get(starts.partition_point(|line| *line < close + 2))?;
        Some(line + word.len() + 1)
    }

    /// End of a file handle or a file name pattern in angle brackets.
    fn handle_end(&mut self) -> Option<usize> {
        let (cursor, at) = (self.cursor, self.at);
        if self.memory.handle.end(at).is_some() {
            return None;
        }
        let end = cursor.run(at + 1, |c| c != '>' && !is_space(c));
        if cursor.byte(end) == b'>' && end > at + 1 {
            return Some(end + 1);
        }
        if cursor.byte(end) != b'>' {
            self.memory.handle.set(at, end);
        }
        None
    }

    /// End of the operator or punctuation at the current position.
    fn operator_end(&self) -> usize {
        let (cursor, at) = (self.cursor, self.at);
        let pairs = ["[]", "**", "::", "<<", ">>", ">=", "<=", "!=", "=~", "!~", "&&", "||"];
        if let Some(end) = cursor.any(at, &["<=>", "===", "..."]).or_else(|| cursor.any(at, &pairs))
        {
            return end;
        }
        match self.byte() {
            b'.' => cursor.optional(at + 1, b"."),
            b'[' | b':' => at + 1,
            _ => cursor.optional(at + 1, b"="),
        }
    }

    /// A dollar sign: a built-in variable, or the sigil of another one.
    fn global(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let special = b"\\\"[]'&`+*.,;=%~?@$!<>(^|/-".contains(&next) && next != 0;
        if next == b'^' && b"ADEFHILMOPSTWX".contains(&cursor.byte(at + 2)) {
            self.name_to(at + 3);
        } else if special && !cursor.is(at + 2, is_word) {
            self.name_to(at + 2);
        } else {
            self.sign();
        }
    }

    /// The sigils of a variable.
    fn sign(&mut self) {
        let end = self.cursor.ascii_run(self.at, |byte| b"$@%#".contains(&byte));
        self.note(self.at..end);
        self.enter(end, State::Variable);
    }

    fn variable(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let word = cursor.word_end(at);
        let path = cursor.run(at, |c| c == ':' || is_word(c));
        if matches!(self.byte(), b'{' | b')' | b',') {
            self.leave(at + 1);
        } else if word > at && cursor.starts(word, "::") {
            self.name_to(word + 2);
        } else if path > at {
            self.note(at..path);
            self.leave(path);
        } else {
            self.at = cursor.after(at);
        }
    }

    fn function(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        if let Some(end) = cursor.identifier_end(at) {
            return self.name_to(cursor.optional(end, b"!?"));
        }
        if self.byte() == b'(' {
            let end = cursor.ascii_run(at + 1, |byte| b"$@%".contains(&byte));
            if cursor.byte(end) == b')' {
                self.at = end + 1;
                return;
            }
        }
        if self.byte() == b';' {
            return self.leave(at + 1);
        }
        match self.ending(at, "{") {
            Some(end) => self.leave(end),
            None => self.at = cursor.after(at),
        }
    }

    /// Text between brackets. A backslash escapes a bracket only at the start of a stretch of text,
    /// but always between braces.
    fn nested(&mut self, open: u8, close: u8) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = self.byte();
        if byte == b'\\' {
            let next = cursor.byte(at + 1);
            let hides = next == open || next == close || next == b'\\';
            self.at = at + 1 + usize::from(hides);
        } else if byte == open {
            self.enter(at + 1, self.state);
        } else if byte == close {
            self.leave(at + 1);
        } else {
            let ends = |byte| byte == open || byte == close || (open == b'{' && byte == b'\\');
            self.at = cursor.ascii_run(at, |byte| !ends(byte));
        }
    }

    /// A pattern with a delimiter of its own choice.
    fn pattern(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = self.byte();
        let end = match byte {
            b'\\' => slashed_end(cursor, at + 1),
            b'/' | b'!' | b'{' | b'<' | b'[' | b'(' | b'@' | b'%' | b'$' => {
                self.quoted_end(at, closing(byte))
            }
            _ => None,
        };
        match end {
            Some(end) => self.leave(flags_end(cursor, end)),
            None => self.skip(),
        }
    }

    /// A token that starts with a letter, a digit or an underscore.
    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        let word = cursor.slice(at..end);
        let meaning = WORDS.get(word);
        if meaning == Some(Word::Keyword) {
            self.at = end;
        } else if word == "format"
            && let Some((name, end)) = self.format()
        {
            self.note(name);
            self.at = end;
        } else if self.substitution() || self.matching() {
        } else if meaning == Some(Word::Builtin) {
            self.name_to(end);
        } else if word.starts_with("__END__") {
            self.at = cursor.len();
        } else if let Some(end) = number_end(cursor, at) {
            self.at = end;
        } else if !self.quote() && !self.declaration(word, end) {
            self.plain_name();
        }
    }

    /// The name of a format, and the end of its lines.
    fn format(&self) -> Option<(Range<usize>, usize)> {
        let cursor = self.cursor;
        let word = self.at + "format".len();
        let start = cursor.spaced(word)?;
        let end = cursor.word_end(start);
        let sign = cursor.space_end(end);
        if end == start || cursor.byte(sign) != b'=' {
            return None;
        }
        let blank = sign + 1..cursor.space_end(sign + 1);
        let mut line = blank.start + cursor.slice(blank).rfind('\n')? + 1;
        // It ends with a line that consists of a dot; the last line of a text counts even without a
        // line break.
        while line < cursor.len() {
            let next = cursor.next_line(line);
            if cursor.slice(line..next) == ".\n" {
                return Some((start..end, next));
            }
            line = next;
        }
        Some((start..end, line))
    }

    /// `s` with its pattern and its replacement.
    fn substitution(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() != b's' {
            return false;
        }
        let open = cursor.byte(at + 1);
        let end = match open {
            b'/' | b'@' | b'%' => {
                self.quoted_end(at + 1, open).and_then(|middle| self.quoted_end(middle - 1, open))
            }
            b'!' => exclaimed_end(cursor, at + 2),
            b'\\' => twice_slashed_end(cursor, at + 2),
            b'{' | b'<' | b'[' | b'(' => {
                let Some(middle) = self.quoted_end(at + 1, closing(open)) else { return false };
                self.enter(cursor.space_end(middle), State::Pattern);
                return true;
            }
            _ => None,
        };
        if let Some(end) = end {
            self.at = flags_end(cursor, end);
        }
        end.is_some()
    }

    /// `m` with its pattern.
    fn matching(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() != b'm' {
            return false;
        }
        if cursor.byte(at + 1) == b'/'
            && let Some(end) = self.match_end(at + 1)
        {
            self.at = end;
            return true;
        }
        let opens = b"/!\\{<[(@%$".contains(&cursor.byte(at + 1));
        if opens {
            self.enter(at + 1, State::Pattern);
        }
        opens
    }

    /// `q` and similar operators, with the quoted text.
    fn quote(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.byte() != b'q' {
            return false;
        }
        // The second letter of a longer operator cannot be the delimiter of `q`.
        let open = at + 1 + usize::from(matches!(cursor.byte(at + 1), b'q' | b'w' | b'r' | b'x'));
        let byte = cursor.byte(open);
        if matches!(byte, b'{' | b'(' | b'[' | b'<') {
            self.enter(open + 1, State::Nested(byte, closing(byte)));
            return true;
        }
        let Some(delimiter) = cursor.character(open) else { return false };
        if is_word(delimiter) && delimiter != '_' || self.memory.missing.contains(&delimiter) {
            return false;
        }
        let inside = cursor.after(open);
        let found = cursor.rest(inside).find(delimiter);
        match found {
            Some(length) => self.at = cursor.after(inside + length),
            None => drop(self.memory.missing.insert(delimiter)),
        }
        found.is_some()
    }

    /// A keyword that a package or a function follows; it ends at `end`.
    fn declaration(&mut self, word: &str, end: usize) -> bool {
        let cursor = self.cursor;
        let start = cursor.space_end(end);
        match word {
            "package" | "use" | "require" | "no" => {
                match path_end(cursor, start).filter(|_| start > end) {
                    Some(path) => self.name(start..path),
                    None => self.at = end,
                }
                true
            }
            "sub" if start > end => {
                self.enter(start, State::Function);
                true
            }
            _ => false,
        }
    }

    /// Any other word: a package, or a name with the colons around it. An empty name comes first.
    fn plain_name(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        self.note(at..at);
        if let Some(end) = path_end(cursor, at) {
            let colons = if cursor.starts(end, "::") { end + 2 } else { end };
            let called = |end: usize| cursor.starts(cursor.space_end(end), "->");
            if colons > end || called(end) {
                return self.name_to(colons);
            }
            // All words of a path except the last.
            if let Some(length) = cursor.slice(at..end).rfind("::") {
                return self.name_to(at + length + 2);
            }
        }
        self.name_to(cursor.run(at, |c| c == ':' || is_word(c)));
    }
}

/// The starts of the lines that consist of one word and a line break.
fn word_lines(cursor: Cursor) -> BTreeMap<String, Vec<usize>> {
    let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut at = 0;
    while at < cursor.len() {
        let end = cursor.line_end(at);
        if starts_identifier(cursor.byte(at)) && cursor.word_end(at) == end && end < cursor.len() {
            lines.entry(cursor.slice(at..end).to_owned()).or_default().push(at);
        }
        at = end + 1;
    }
    lines
}
