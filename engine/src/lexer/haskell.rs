//! Scanner for Haskell.
//!
//! Lower-case identifiers that are no keyword are names, and so are module
//! names, the backslash of a lambda and `()`. Upper-case identifiers are
//! types, which are none.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, is_digit, is_space, is_word};
use super::identifiers::{is_lower, is_upper};
use super::words::Words;

static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "case class data default deriving do else family if in infix infixl infixr instance \
        let newtype of then type where _";
    Words::new(&[((), words)])
});

/// Names of control characters, as they stand behind a backslash. An earlier
/// one is preferred.
const CONTROLS: &[&str] = &[
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US", "SP", "DEL",
];

/// What the scanner is inside of; the top of the stack decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Import,
    Module,
    /// A list of what is imported or exported.
    List,
    Character,
    Text,
    Escape,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    at: usize,
    stack: Vec<State>,
    names: &'n mut Vec<Range<usize>>,
    /// The file is a test of Hspec, whose descriptions are no names.
    hspec: bool,
    quote: Once,
    bracket: Once,
    parenthesis: Once,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, hspec: bool, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        at: 0,
        stack: vec![State::Code],
        names,
        hspec,
        quote: Once::default(),
        bracket: Once::default(),
        parenthesis: Once::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.stack.last().copied().unwrap_or(State::Code) {
            State::Code => scanner.code(),
            State::Import => scanner.import(),
            State::Module => scanner.module(),
            State::List => scanner.list(),
            State::Character => scanner.character(),
            State::Text => scanner.text(),
            State::Escape => scanner.escape(),
        }
    }
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(range);
    }

    fn enter(&mut self, at: usize, state: State) {
        self.at = at;
        self.stack.push(state);
    }

    fn leave(&mut self, at: usize) {
        self.at = at;
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Moves over one character that means nothing here. A line break that
    /// no rule takes closes everything that is open.
    fn skip(&mut self) {
        if self.cursor.byte(self.at) == b'\n' {
            self.stack.truncate(1);
        }
        self.at = self.cursor.after(self.at);
    }

    fn space(&mut self) -> bool {
        let end = self.cursor.space_end(self.at);
        let moved = end > self.at;
        self.at = end;
        moved
    }

    /// A comment of a line or of a block; blocks nest.
    fn comment(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "--") {
            let next = cursor.byte(at + 2);
            if next != 0 && b"!#$%&*+./<=>?@^|_~:\\".contains(&next) {
                return false;
            }
            self.at = cursor.line_end(at);
            return true;
        }
        if !cursor.starts(at, "{-") {
            return false;
        }
        let mut depth = 0usize;
        while self.at < cursor.len() {
            if cursor.starts(self.at, "{-") {
                depth += 1;
                self.at += 2;
            } else if cursor.starts(self.at, "-}") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at = cursor.ascii_run(self.at + 1, |byte| !matches!(byte, b'{' | b'-'));
            }
        }
        true
    }

    fn code(&mut self) {
        if self.hspec && self.description() || self.space() || self.comment() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'\'' => self.quoted(),
            b'"' => self.enter(at + 1, State::Text),
            b'\\' if !is_symbol(next) => self.name(at..at + 1),
            b'(' if next == b')' => self.name(at..at + 2),
            byte if is_symbol(byte) => self.at = cursor.ascii_run(at, is_symbol),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ if cursor.is(at, is_word) => self.word(),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        if !cursor.before(at).is_some_and(is_word) {
            match cursor.slice(at..end) {
                "import" => return self.enter(end, State::Import),
                "module" => return self.enter(end, State::Module),
                "error" => return self.name(at..end),
                word if cursor.byte(end) != b'\'' && WORDS.has(word) => {
                    self.at = end;
                    return;
                }
                _ => {}
            }
        }
        if cursor.is(at, starts_variable) {
            self.name(at..identifier_end(cursor, at));
        } else if cursor.is(at, is_upper) {
            self.at = identifier_end(cursor, at);
        } else {
            self.at = cursor.after(at);
        }
    }

    /// A character, a quoted name or a promoted type.
    fn quoted(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        let end = cursor.after(at + 1);
        if next != b'\\' && at + 1 < cursor.len() && cursor.byte(end) == b'\'' {
            self.at = end + 1;
            return;
        }
        if cursor.is(at + 1, starts_variable) {
            return self.name(at..identifier_end(cursor, at + 1));
        }
        let start = if next == b'\'' { at + 2 } else { at + 1 };
        if cursor.is(start, is_upper) {
            self.at = identifier_end(cursor, start);
            return;
        }
        let close = match next {
            b'[' => self.bracket.search(|| cursor.find(at + 2, b']')),
            b'(' => self.parenthesis.search(|| cursor.find(at + 2, b')')),
            _ => None,
        };
        match close {
            Some(close) => self.at = close + 1,
            None if is_symbol(next) => self.at = cursor.ascii_run(at + 1, is_symbol),
            None => self.enter(at + 1, State::Character),
        }
    }

    /// `it`, `describe` or `context` with its text.
    fn description(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let words = ["it", "describe", "context"];
        let Some(word) = words.iter().find(|word| cursor.starts(at, word)) else {
            return false;
        };
        let quote = cursor.space_end(at + word.len());
        if cursor.byte(quote) != b'"' {
            return false;
        }
        let close = self.quote.search(|| cursor.find(quote + 1, b'"'));
        self.at = close.map_or(at, |close| close + 1);
        close.is_some()
    }

    /// End of a module name at `at`.
    fn module_end(&self, at: usize) -> Option<usize> {
        let in_path = |c: char| c == '.' || is_word(c);
        self.cursor.is(at, is_upper).then(|| self.cursor.run(at, in_path))
    }

    fn import(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'"' => return self.enter(at + 1, State::Text),
            b')' => return self.leave(at + 1),
            _ => {}
        }
        let word_end = cursor.word_end(at);
        if cursor.slice(at..word_end) == "qualified" {
            self.at = word_end;
            return;
        }
        let spaced = |from: usize| {
            let end = cursor.space_end(from);
            (end > from).then_some(end)
        };
        if let Some(end) = self.module_end(at)
            && let Some(next) = spaced(end)
        {
            let renamed = spaced(next + 2)
                .filter(|_| cursor.starts(next, "as"))
                .and_then(|start| self.module_end(start).map(|end| start..end));
            if let Some(new) = renamed {
                self.name(at..end);
                self.name(new);
                return self.leave(self.at);
            }
            let hiding = spaced(next + 6).filter(|_| cursor.starts(next, "hiding"));
            let open = hiding.filter(|open| cursor.byte(*open) == b'(').unwrap_or(next);
            if cursor.byte(open) == b'(' {
                self.name(at..end);
                return self.enter(open + 1, State::List);
            }
        }
        let end = cursor.run(at, |c| c == '.' || is_word(c));
        if end > at {
            self.name(at..end);
            self.leave(end);
        } else {
            self.skip();
        }
    }

    fn module(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = self.module_end(at) else {
            return self.skip();
        };
        self.name(at..end);
        let open = cursor.space_end(end);
        if open > end && cursor.byte(open) == b'(' {
            self.enter(open + 1, State::List);
        } else {
            self.leave(end);
        }
    }

    fn list(&mut self) {
        if self.space() || self.comment() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let end = identifier_end(cursor, at);
        match cursor.byte(at) {
            b'(' => {
                self.enter(at + 1, State::List);
                self.stack.push(State::List);
            }
            b')' => {
                self.leave(at + 1);
                self.leave(at + 1);
            }
            byte if is_symbol(byte) => self.at = cursor.ascii_run(at, is_symbol),
            b'_' if end > at + 1 => self.name(at..end),
            _ if cursor.is(at, is_lower) => self.name(at..end),
            _ if cursor.is(at, is_upper) => self.at = cursor.word_end(at),
            _ => self.skip(),
        }
    }

    fn character(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.after(at);
        match cursor.byte(at) {
            b'\\' => self.enter(at + 1, State::Escape),
            b'\'' => self.leave(at + 1),
            _ if cursor.byte(end) == b'\'' => self.leave(end + 1),
            _ => self.skip(),
        }
    }

    fn text(&mut self) {
        match self.cursor.byte(self.at) {
            b'\\' => self.enter(self.at + 1, State::Escape),
            b'"' => self.leave(self.at + 1),
            _ => {
                let plain = |byte| !matches!(byte, b'"' | b'\\');
                self.at = self.cursor.ascii_run(self.at, plain);
            }
        }
    }

    /// What stands behind a backslash; what does not fit is passed over.
    fn escape(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let byte = cursor.byte(at);
        if byte != 0 && b"abfnrtv\"'&\\".contains(&byte) {
            return self.leave(at + 1);
        }
        let next = |c: char| matches!(c, '[' | ']' | '@' | '^' | '_') || is_upper(c);
        if byte == b'^' && cursor.is(at + 1, next) {
            return self.leave(cursor.after(at + 1));
        }
        if let Some(control) = CONTROLS.iter().find(|control| cursor.starts(at, control)) {
            return self.leave(at + control.len());
        }
        let digits = match byte {
            b'o' => cursor.ascii_run(at + 1, |byte| matches!(byte, b'0'..=b'7')),
            b'x' => cursor.run(at + 1, |c| c.is_ascii_hexdigit() || is_digit(c)),
            _ => cursor.run(at, is_digit),
        };
        if digits > at + usize::from(matches!(byte, b'o' | b'x')) {
            return self.leave(digits);
        }
        let gap = cursor.run(at, is_space);
        if gap > at && cursor.byte(gap) == b'\\' {
            return self.leave(gap + 1);
        }
        self.skip();
    }
}

fn starts_variable(character: char) -> bool {
    character == '_' || is_lower(character)
}

fn identifier_end(cursor: Cursor, at: usize) -> usize {
    cursor.run(at, |character| character == '\'' || is_word(character))
}

fn is_symbol(byte: u8) -> bool {
    byte != 0 && b":!#$%&*+.\\/<=>?@^|~-".contains(&byte)
}

/// End of the number at `at`; underscores may stand between its digits.
fn number_end(cursor: Cursor, at: usize) -> usize {
    let underscores = |from: usize| cursor.ascii_run(from, |byte| byte == b'_');
    let digits = |start: usize, test: &dyn Fn(char) -> bool| {
        let mut end = start;
        loop {
            let next = if end > start { underscores(end) } else { start };
            if !cursor.is(next, test) {
                return (end > start).then_some(end);
            }
            end = cursor.after(next);
        }
    };
    let exponent = |from: usize, letter: u8| {
        let at = underscores(from);
        let start = at + 1 + usize::from(matches!(cursor.byte(at + 1), b'+' | b'-'));
        if cursor.byte(at).eq_ignore_ascii_case(&letter) { digits(start, &is_digit) } else { None }
    };
    let float = |whole: usize, letter: u8, test: &dyn Fn(char) -> bool| {
        let fraction = digits(whole + 1, test).filter(|_| cursor.byte(whole) == b'.');
        exponent(whole, letter)
            .or_else(|| fraction.map(|end| exponent(end, letter).unwrap_or(end)))
            .unwrap_or(whole)
    };
    if cursor.byte(at) == b'0' {
        let start = underscores(at + 2);
        let based = match cursor.byte(at + 1) {
            b'x' | b'X' => {
                let hex = |c: char| c.is_ascii_hexdigit() || is_digit(c);
                digits(start, &hex).map(|whole| float(whole, b'p', &hex))
            }
            b'b' | b'B' => digits(start, &|c| matches!(c, '0' | '1')),
            b'o' | b'O' => digits(start, &|c| matches!(c, '0'..='7')),
            _ => None,
        };
        if let Some(end) = based {
            return end;
        }
    }
    let whole = digits(at, &is_digit).unwrap_or(at + 1);
    float(whole, b'e', &is_digit)
}
