//! Scanner for Java.
//!
//! Identifiers that are no keyword are names. Annotations count with their
//! `@`, import paths as a whole, what stands behind a dot whatever it is. A
//! method header is recognised by words in front of `name (`; the words are
//! scanned on their own, because even keywords may be among them.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, is_digit, is_word};
use super::words::Words;

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
        loop {
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
                _ => break,
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

/// End of a text block whose content starts at `at`.
fn text_block_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    loop {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\'));
        if cursor.starts(at, "\"\"\"") {
            return at + 3;
        }
        if at >= cursor.len() {
            return at;
        }
        let escapes = cursor.byte(at) == b'\\' && matches!(cursor.byte(at + 1), b'"' | b'\\');
        at += if escapes { 2 } else { 1 };
    }
}

/// End of the character literal at `at`.
fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let escaped = cursor.byte(body) == b'\\';
    let end = cursor.after(body + usize::from(escaped));
    if cursor.byte(end) == b'\'' && end < cursor.len() {
        return Some(end + 1);
    }
    let unicode = cursor.starts(body, "\\u") && cursor.hex_digits(body + 2, 4);
    (unicode && cursor.byte(body + 6) == b'\'').then_some(body + 7)
}

/// End of the number at `at`, or `None` for a dot without digits.
///
/// Exponents and type letters bind to one digit only: `1e5` and `1f` are
/// numbers, but `10f` is the number `10` and the name `f`.
fn number_end(cursor: Cursor, at: usize) -> Option<usize> {
    let digits = |from: usize| {
        let starts = cursor.byte(from).is_ascii_digit();
        starts.then(|| cursor.ascii_run(from, |byte| byte.is_ascii_digit() || byte == b'_'))
    };
    let one_of = |at: usize, bytes: &[u8]| at + usize::from(bytes.contains(&cursor.byte(at)));
    let exponent = |at: usize, letters: &[u8]| {
        let start = one_of(at, letters);
        if start > at { digits(one_of(start, b"+-")) } else { None }
    };
    let whole = digits(at);
    let dot = whole.unwrap_or(at);
    if cursor.byte(dot) == b'.' {
        let fraction = digits(dot + 1);
        if let Some(mantissa) = fraction.or(whole.map(|_| dot + 1)) {
            let end = exponent(mantissa, b"eE").unwrap_or(mantissa);
            return Some(one_of(end, b"fFdD"));
        }
    }
    let whole = whole?;
    if let Some(end) = exponent(at + 1, b"eE") {
        return Some(one_of(end, b"fFdD"));
    }
    if one_of(at + 1, b"fFdD") > at + 1 {
        return Some(at + 2);
    }
    let run = |from: usize, first: fn(u8) -> bool| {
        let starts = first(cursor.byte(from));
        starts.then(|| cursor.ascii_run(from, |byte| first(byte) || byte == b'_'))
    };
    if cursor.byte(at) != b'0' {
        return Some(one_of(whole, b"lL"));
    }
    let end = match cursor.byte(at + 1) {
        b'x' | b'X' => {
            let hex = |from: usize| run(from, |byte| byte.is_ascii_hexdigit());
            let whole = hex(at + 2);
            let dot = whole.unwrap_or(at + 2);
            let has_dot = cursor.byte(dot) == b'.';
            let mantissa = match hex(dot + 1) {
                Some(fraction) if has_dot => Some(fraction),
                _ => whole.map(|whole| whole + usize::from(has_dot)),
            };
            if let Some(end) = mantissa.and_then(|end| exponent(end, b"pP")) {
                return Some(one_of(end, b"fFdD"));
            }
            whole
        }
        b'b' | b'B' => run(at + 2, |byte| matches!(byte, b'0' | b'1')),
        _ => run(at + 1, |byte| matches!(byte, b'0'..=b'7' | b'_')),
    };
    Some(end.map_or(at + 1, |end| one_of(end, b"lL")))
}
