//! Scanner for Dart.
//!
//! Identifiers that are no keyword are names, labels and named arguments with
//! their colon, annotations with their `@`. Code inserted in a string is
//! scanned on its own; it holds no closing brace, so it holds no such code.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, is_digit, is_word};
use super::words::Words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    Import,
    /// Before white space, the name of a type follows.
    Type,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "library source part as assert break case catch const continue default do else \
        finally for if in is new rethrow return super switch this throw try while abstract async \
        await covariant extends external factory final get implements late native on operator \
        required set static sync typedef var with yield bool double dynamic int num Function Never \
        Null Object String void false null true";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Import, "import export"),
        (Word::Type, "class extension mixin"),
    ])
});

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Import,
    TypeName,
    /// A string with its quote, in three or in one.
    Text(u8, bool),
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    /// Offset of the scanned text in the whole file.
    base: usize,
    stack: Vec<State>,
    names: &'n mut Vec<Range<usize>>,
    brace: Once,
    line: Once,
    comment: Once,
    /// The ends of raw strings: `"""`, `'''`, `"` and `'`.
    raw: [Once; 4],
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    scan_part(text, 0, names);
}

fn scan_part(text: &str, base: usize, names: &mut Vec<Range<usize>>) {
    let mut scanner = Scanner {
        cursor: Cursor::new(text),
        at: 0,
        base,
        stack: vec![State::Code],
        names,
        brace: Once::default(),
        line: Once::default(),
        comment: Once::default(),
        raw: [Once::default(); 4],
    };
    while scanner.at < text.len() {
        match scanner.stack.last().copied().unwrap_or(State::Code) {
            State::Text(quote, triple) => scanner.text(quote, triple),
            State::TypeName => scanner.type_name(),
            state => scanner.code(state),
        }
    }
}

fn starts_identifier(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(self.base + range.start..self.base + range.end);
    }

    fn enter(&mut self, at: usize, state: State) {
        self.at = at;
        self.stack.push(state);
    }

    /// Moves over one character that means nothing here. A line break that no
    /// rule takes closes everything that is open.
    fn skip(&mut self) {
        if self.cursor.byte(self.at) == b'\n' {
            self.stack.clear();
            self.stack.push(State::Code);
        }
        self.at = self.cursor.after(self.at);
    }

    fn type_name(&mut self) {
        if starts_identifier(self.cursor.byte(self.at)) {
            self.name(self.at..self.cursor.word_end(self.at + 1));
            self.stack.pop();
        } else {
            self.skip();
        }
    }

    fn code(&mut self, state: State) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let importing = state == State::Import;
        match cursor.byte(at) {
            b'r' if matches!(next, b'"' | b'\'') && self.raw_string(next) => {}
            quote @ (b'"' | b'\'') => {
                let triple = next == quote && cursor.byte(at + 2) == quote;
                self.enter(at + if triple { 3 } else { 1 }, State::Text(quote, triple));
            }
            b';' if importing => {
                self.at += 1;
                self.stack.pop();
            }
            b'#' if next == b'!' && !importing => self.at = cursor.line_end(at),
            b'/' if next == b'/' && !importing => {
                let line_break = self.line.search(|| cursor.find(at, b'\n'));
                self.at = line_break.unwrap_or(at) + 1;
            }
            b'/' if next == b'*' && !importing => {
                let close = self.comment.search(|| cursor.find_text(at + 2, "*/"));
                self.at = close.map_or(at + 1, |close| close + 2);
            }
            b'@' if starts_identifier(next) && !importing => {
                self.name(at..cursor.word_end(at + 2));
            }
            byte if starts_identifier(byte) => self.word(importing),
            _ if !importing && cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self, importing: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at + 1);
        let whole = !cursor.before(at).is_some_and(is_word);
        let text = cursor.slice(at..end);
        if importing {
            if whole && matches!(text, "as" | "deferred" | "show" | "hide") {
                self.at = end;
            } else {
                self.name(at..end);
            }
            return;
        }
        let space = cursor.space_end(end);
        match WORDS.get(text).filter(|_| whole) {
            Some(Word::Plain) => {
                let part_of = text == "part" && cursor.starts(end, " of");
                let of_end = end + 3;
                self.at = if part_of && cursor.word_end(of_end) == of_end { of_end } else { end };
            }
            Some(Word::Import) => self.enter(end, State::Import),
            Some(Word::Type) if space > end => self.enter(space, State::TypeName),
            // The operator counts also right behind a digit.
            _ if text == "as" => self.at = end,
            _ => self.name(at..end + usize::from(cursor.byte(end) == b':')),
        }
    }

    /// A raw string, which knows no escapes.
    fn raw_string(&mut self, quote: u8) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let (triple, single) = if quote == b'"' { ("\"\"\"", "\"") } else { ("'''", "'") };
        let first = usize::from(quote == b'\'');
        for (index, ending) in [(first, triple), (first + 2, single)] {
            let start = at + 1 + ending.len();
            let Some(once) = self.raw.get_mut(index) else {
                continue;
            };
            if cursor.starts(at + 1, ending)
                && let Some(close) = once.search(|| cursor.find_text(start, ending))
            {
                self.at = close + ending.len();
                return true;
            }
        }
        false
    }

    fn text(&mut self, quote: u8, triple: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            byte if byte == quote && !triple => {
                self.at += 1;
                self.stack.pop();
            }
            byte if byte == quote && next == quote && cursor.byte(at + 2) == quote => {
                self.at += 3;
                self.stack.pop();
            }
            b'\\' => self.at = escape_end(cursor, at + 1).unwrap_or(at + 1),
            b'$' if starts_identifier(next) && next != b'$' => {
                self.name(at + 1..cursor.word_end(at + 1));
            }
            b'$' if next == b'{' && self.inserted() => {}
            byte if byte == b'$' || byte == quote => {
                self.at = cursor.ascii_run(at, |byte| byte == b'$' || triple && byte == quote);
            }
            b'\n' if !triple => self.skip(),
            _ => {
                let ends = |byte: u8| matches!(byte, b'$' | b'\\') || byte == quote;
                let breaks = |byte: u8| !triple && byte == b'\n';
                self.at = cursor.ascii_run(at, |byte| !ends(byte) && !breaks(byte));
            }
        }
    }

    /// Code between `${` and the next closing brace.
    fn inserted(&mut self) -> bool {
        let (cursor, start) = (self.cursor, self.at + 2);
        let Some(close) = self.brace.search(|| cursor.find(start, b'}')) else {
            return false;
        };
        scan_part(cursor.slice(start..close), self.base + start, self.names);
        self.at = close + 1;
        true
    }
}

/// End of an escape whose backslash is in front of `at`.
fn escape_end(cursor: Cursor, at: usize) -> Option<usize> {
    let hex = |count: usize| cursor.hex_digits(at + 1, count).then_some(at + 1 + count);
    let simple = matches!(cursor.byte(at), b'a'..=b'z' | b'\'' | b'"' | b'$' | b'\\');
    let end = match cursor.byte(at) {
        b'x' => hex(2),
        b'u' if cursor.byte(at + 1) == b'{' => {
            let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
            (cursor.byte(end) == b'}').then_some(end + 1)
        }
        b'u' => hex(4),
        _ => None,
    };
    end.or(simple.then_some(at + 1))
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    if cursor.starts(at, "0x") || cursor.starts(at, "0X") {
        let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
        if end > at + 2 {
            return end;
        }
    }
    let whole = cursor.run(at, is_digit);
    let end = if cursor.byte(whole) == b'.' { cursor.run(whole + 1, is_digit) } else { whole };
    let sign = usize::from(matches!(cursor.byte(end + 1), b'+' | b'-'));
    let power = cursor.run(end + 1 + sign, is_digit);
    let has_power = matches!(cursor.byte(end), b'e' | b'E') && power > end + 1 + sign;
    if has_power { power } else { end }
}
