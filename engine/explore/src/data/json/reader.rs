//! A tolerant reader of JSON and its dialects: one pass, bounded memory for files of any size, no
//! recursion. It reads JSON5, the widest dialect, and notes what is beyond strict JSON and where.
//!
//! Grammars: RFC 8259 and the JSON5 specification 1.0.0.

use std::io::Read;

use super::super::{
    source::Source,
    tree::{Kind, Tree},
};
use crate::exploration::Malformed;

/// Deeper nesting ends the reading: each open container costs memory.
const MAX_DEPTH: usize = 1_000_000;
/// Longest part of a text or number that is kept, in bytes; the rest is read over.
const KEPT: usize = 4096;

/// Dialects, each of which contains the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// RFC 8259.
    Json,
    /// With comments and trailing commas.
    Jsonc,
    /// JSON5.
    Json5,
}

impl Dialect {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonc => "jsonc",
            Self::Json5 => "json5",
        }
    }
}

/// What was read besides the tree.
#[derive(Debug)]
pub struct Outcome {
    /// The narrowest dialect that allows everything that was read.
    pub dialect: Dialect,
    /// What is beyond what may be, or is no JSON of any dialect.
    pub malformed: Option<Malformed>,
    /// Values at the top level.
    pub documents: u64,
    /// Records that are damaged, where records stand one a line.
    pub broken: u64,
    /// Comments.
    pub comments: u64,
    /// Lines.
    pub lines: u64,
    /// True if there is a line feed or carriage return outside of texts.
    pub multiline: bool,
    /// What went wrong on the disk.
    pub error: Option<std::io::Error>,
}

/// What may stand next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    FirstItem,
    ItemEnd,
    FirstKey,
    Key,
    Colon,
    KeyEnd,
    Document,
}

/// Reads everything. `allowed` is the widest dialect that is not called malformed; `records` says
/// that values may follow one another, as in NDJSON.
pub fn read(reader: impl Read, tree: &mut Tree, allowed: Dialect, records: bool) -> Outcome {
    let mut reader = Reader {
        source: Source::new(reader),
        text: Vec::new(),
        cut: false,
        record_line: 1,
        allowed,
        out: Outcome {
            dialect: Dialect::Json,
            malformed: None,
            documents: 0,
            broken: 0,
            comments: 0,
            lines: 0,
            multiline: false,
            error: None,
        },
    };
    reader.run(tree, records);
    let ends_in_break = reader.source.column == 1;
    reader.out.lines = reader.source.line - u64::from(ends_in_break);
    reader.out.error = reader.source.error.take();
    reader.out
}

struct Reader<R> {
    source: Source<R>,
    text: Vec<u8>,
    cut: bool,
    /// Line on which the last value at the top level begins.
    record_line: u64,
    allowed: Dialect,
    out: Outcome,
}

/// What stops the reading, in words.
type Stop = String;

impl<R: Read> Reader<R> {
    fn run(&mut self, tree: &mut Tree, records: bool) {
        let mut next = Next::Document;
        loop {
            let blank = self.blank();
            if records && next != Next::Document && self.source.line > self.record_line {
                // The next line is the next record.
                let (what, line) = ("the line ends inside a value", self.record_line);
                self.out.malformed.get_or_insert_with(|| Malformed {
                    what: what.to_owned(),
                    line: Some(line),
                    column: None,
                });
                self.out.broken += 1;
                tree.close_all();
                next = Next::Document;
            }
            let step = blank.and_then(|()| self.step(tree, &mut next, records));
            match step {
                Ok(true) => {}
                Ok(false) => break,
                Err(what) => {
                    let (line, column) = (self.source.line, self.source.column);
                    self.malformed(what, line, column);
                    tree.close_all();
                    if !records {
                        break;
                    }
                    // A damaged record costs its line only.
                    self.out.broken += 1;
                    while self.source.peek().is_some_and(|byte| byte != b'\n') {
                        let window = self.source.window();
                        let count = memchr::memchr(b'\n', window).unwrap_or(window.len());
                        self.source.skip(count);
                    }
                    next = Next::Document;
                }
            }
        }
        tree.close_all();
        // Lines behind the place where the reading stopped count as well.
        loop {
            let window = self.source.window();
            if window.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', window);
            let count = end.unwrap_or(window.len());
            self.source.skip(count);
            if end.is_some() {
                self.source.bump();
            }
        }
    }

    fn malformed(&mut self, what: impl Into<String>, line: u64, column: u64) {
        self.out.malformed.get_or_insert_with(|| Malformed {
            what: what.into(),
            line: Some(line),
            column: Some(column),
        });
    }

    /// Notes something beyond strict JSON that begins at a place.
    fn beyond(&mut self, dialect: Dialect, what: &str, line: u64, column: u64) {
        self.out.dialect = self.out.dialect.max(dialect);
        if dialect > self.allowed {
            self.malformed(format!("{what}, which only {} allows", dialect.as_str()), line, column);
        }
    }

    fn here(&mut self, dialect: Dialect, what: &str) {
        let (line, column) = (self.source.line, self.source.column);
        self.beyond(dialect, what, line, column);
    }

    /// One token; false at the end.
    fn step(&mut self, tree: &mut Tree, next: &mut Next, records: bool) -> Result<bool, Stop> {
        let Some(byte) = self.source.peek() else {
            return match next {
                Next::Document if self.out.documents > 0 || self.out.broken > 0 => Ok(false),
                Next::Document => Err("there is no value".to_owned()),
                _ => Err("the text ends inside a value".to_owned()),
            };
        };
        *next = match (*next, byte) {
            (Next::Document, _) => {
                if self.out.documents > 0 && !records {
                    let (line, column) = (self.source.line, self.source.column);
                    let what = "a second value stands behind the first";
                    self.malformed(what, line, column);
                }
                self.out.documents += 1;
                self.record_line = self.source.line;
                self.value(tree, byte)?
            }
            (Next::FirstItem | Next::ItemEnd, b']') | (Next::FirstKey | Next::KeyEnd, b'}') => {
                self.source.bump();
                tree.close();
                after(tree)
            }
            (Next::Value, b']') if !tree.in_object() && tree.depth() > 0 => {
                self.here(Dialect::Jsonc, "a comma before the closing bracket");
                self.source.bump();
                tree.close();
                after(tree)
            }
            (Next::Value | Next::FirstItem, _) => self.value(tree, byte)?,
            (Next::KeyEnd, b',') => {
                self.source.bump();
                Next::Key
            }
            (Next::Key, b'}') => {
                self.here(Dialect::Jsonc, "a comma before the closing brace");
                self.source.bump();
                tree.close();
                after(tree)
            }
            (Next::FirstKey | Next::Key, _) => {
                let line = self.source.line;
                self.name(byte)?;
                tree.key(&String::from_utf8_lossy(&self.text), line);
                Next::Colon
            }
            (Next::ItemEnd, b',') | (Next::Colon, b':') => {
                self.source.bump();
                Next::Value
            }
            (Next::ItemEnd, _) => return Err("a comma or ] should stand here".to_owned()),
            (Next::KeyEnd, _) => return Err("a comma or } should stand here".to_owned()),
            (Next::Colon, _) => return Err("a colon should stand here".to_owned()),
        };
        Ok(true)
    }

    /// White space and comments.
    fn blank(&mut self) -> Result<(), Stop> {
        loop {
            match self.source.peek() {
                Some(b' ' | b'\t') => self.source.bump(),
                Some(b'\n' | b'\r') => {
                    self.out.multiline = true;
                    self.source.bump();
                }
                Some(b'/') => self.comment()?,
                Some(b'\x0b' | b'\x0c') => {
                    self.here(Dialect::Json5, "an unusual white space");
                    self.source.bump();
                }
                Some(0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef) => {
                    let mut bytes = self.source.window().iter().copied();
                    let start = [bytes.next(), bytes.next(), bytes.next()];
                    let length = match start {
                        [Some(0xc2), Some(0xa0), _] => 2,
                        [Some(0xe2), Some(0x80), Some(0x80..=0x8a | 0xa8 | 0xa9 | 0xaf)]
                        | [Some(0xe2), Some(0x81), Some(0x9f)]
                        | [Some(0xe1), Some(0x9a), Some(0x80)]
                        | [Some(0xe3), Some(0x80), Some(0x80)]
                        | [Some(0xef), Some(0xbb), Some(0xbf)] => 3,
                        _ => return Ok(()),
                    };
                    self.here(Dialect::Json5, "an unusual white space");
                    self.source.skip(length);
                }
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Stop> {
        self.here(Dialect::Jsonc, "a comment");
        self.source.bump();
        self.out.comments += 1;
        match self.source.peek() {
            Some(b'/') => {
                while self.source.peek().is_some_and(|byte| byte != b'\n' && byte != b'\r') {
                    let window = self.source.window();
                    let count = memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len());
                    self.source.skip(count);
                }
                Ok(())
            }
            Some(b'*') => {
                self.source.bump();
                let mut star = false;
                while let Some(byte) = self.source.peek() {
                    self.source.bump();
                    if star && byte == b'/' {
                        return Ok(());
                    }
                    star = byte == b'*';
                }
                Err("the text ends inside a comment".to_owned())
            }
            _ => Err("a value should stand here, not /".to_owned()),
        }
    }

    fn value(&mut self, tree: &mut Tree, byte: u8) -> Result<Next, Stop> {
        let line = self.source.line;
        match byte {
            b'{' | b'[' => {
                if tree.depth() >= MAX_DEPTH {
                    return Err(format!("nested more than {MAX_DEPTH} levels deep: not read on"));
                }
                self.source.bump();
                let object = byte == b'{';
                tree.open(if object { Kind::Object } else { Kind::Array }, line);
                Ok(if object { Next::FirstKey } else { Next::FirstItem })
            }
            b'"' | b'\'' => {
                self.string(byte)?;
                let text = &self.text;
                tree.scalar(Kind::String, line, || String::from_utf8_lossy(text).into_owned());
                Ok(after(tree))
            }
            b'0'..=b'9' | b'-' | b'+' | b'.' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                let column = self.source.column;
                self.word();
                let kind = match self.text.as_slice() {
                    b"true" | b"false" => Kind::Boolean,
                    b"null" => Kind::Null,
                    word => match number(word) {
                        Some(Dialect::Json) => Kind::Number,
                        _ if self.cut => Kind::Number,
                        Some(dialect) => {
                            self.beyond(dialect, "a number of another form", line, column);
                            Kind::Number
                        }
                        None => {
                            let word: String =
                                String::from_utf8_lossy(word).chars().take(40).collect();
                            self.malformed(format!("{word} is no value"), line, column);
                            return Err(format!("{word} is no value"));
                        }
                    },
                };
                let text = &self.text;
                tree.scalar(kind, line, || String::from_utf8_lossy(text).into_owned());
                Ok(after(tree))
            }
            _ => Err("a value should stand here".to_owned()),
        }
    }

    /// The name of a key, into `self.text`.
    fn name(&mut self, byte: u8) -> Result<(), Stop> {
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. | b'\\' => {
                self.here(Dialect::Json5, "a key without quotes");
                self.word();
                Ok(())
            }
            _ => Err("a key should stand here".to_owned()),
        }
    }

    /// A run of letters, digits and signs, into `self.text`.
    fn word(&mut self) {
        self.text.clear();
        self.cut = false;
        while let Some(byte) = self.source.peek() {
            if !(byte.is_ascii_alphanumeric() || b"+-._$\\".contains(&byte) || byte >= 0x80) {
                break;
            }
            self.keep(byte);
            self.source.bump();
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.text.len() < KEPT {
            self.text.push(byte);
        } else {
            self.cut = true;
        }
    }

    fn keep_char(&mut self, character: char) {
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            self.keep(byte);
        }
    }

    /// A text in quotes, into `self.text`.
    fn string(&mut self, quote: u8) -> Result<(), Stop> {
        if quote == b'\'' {
            self.here(Dialect::Json5, "a text in single quotes");
        }
        self.source.bump();
        self.text.clear();
        self.cut = false;
        loop {
            let window = self.source.window();
            let plain = window
                .iter()
                .position(|byte| *byte == quote || *byte == b'\\' || *byte < 0x20)
                .unwrap_or(window.len());
            let room = KEPT.saturating_sub(self.text.len());
            let (kept, whole) = (plain.min(room), window.is_empty());
            let bytes = window.get(..kept).unwrap_or_default().to_vec();
            self.text.extend_from_slice(&bytes);
            self.cut |= kept < plain;
            self.source.skip(plain);
            if whole {
                return Err("the text ends inside quotes".to_owned());
            }
            match self.source.peek() {
                Some(byte) if byte == quote => {
                    self.source.bump();
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(b'\n' | b'\r') => return Err("the line ends inside quotes".to_owned()),
                Some(byte) if byte < 0x20 => {
                    let what = "a control character stands in a text";
                    // JSON5 allows all but line ends.
                    self.here(Dialect::Json5, what);
                    self.keep(byte);
                    self.source.bump();
                }
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<(), Stop> {
        self.source.bump();
        let Some(byte) = self.source.peek() else { return Ok(()) };
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.source.bump();
                return self.unicode();
            }
            b'x' => {
                self.here(Dialect::Json5, "an escape with x");
                self.source.bump();
                let unit = self.hex(2)?;
                self.keep_char(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(());
            }
            b'1'..=b'9' => return Err("there is no such escape".to_owned()),
            _ => {
                self.here(Dialect::Json5, "an unknown escape");
                match byte {
                    b'\r' => {
                        self.source.bump();
                        if self.source.peek() == Some(b'\n') {
                            self.source.bump();
                        }
                        return Ok(());
                    }
                    b'\n' => {
                        self.source.bump();
                        return Ok(());
                    }
                    b'v' => '\u{b}',
                    b'0' => '\0',
                    // Other bytes stand for themselves; those of a longer character follow.
                    _ => {
                        self.keep(byte);
                        self.source.bump();
                        return Ok(());
                    }
                }
            }
        };
        self.source.bump();
        self.keep_char(character);
        Ok(())
    }

    /// Four hexadecimal digits, and the second half of a pair of surrogates. Half a pair becomes
    /// the replacement character: RFC 8259 leaves open what it means.
    fn unicode(&mut self) -> Result<(), Stop> {
        let mut high = self.hex(4)?;
        loop {
            if !(0xd800..0xdc00).contains(&high) || self.source.peek() != Some(b'\\') {
                self.keep_char(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(());
            }
            self.source.bump();
            if self.source.peek() != Some(b'u') {
                self.keep_char(char::REPLACEMENT_CHARACTER);
                return self.after_backslash();
            }
            self.source.bump();
            let low = self.hex(4)?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                self.keep_char(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                return Ok(());
            }
            self.keep_char(char::REPLACEMENT_CHARACTER);
            high = low;
        }
    }

    /// The escape whose backslash has been read already.
    fn after_backslash(&mut self) -> Result<(), Stop> {
        let character = match self.source.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err("there is no such escape".to_owned()),
        };
        self.source.bump();
        self.keep_char(character);
        Ok(())
    }

    fn hex(&mut self, digits: usize) -> Result<u32, Stop> {
        let mut number = 0;
        for _ in 0..digits {
            let digit = self.source.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(format!("{digits} hexadecimal digits should stand here"));
            };
            number = number * 16 + digit;
            self.source.bump();
        }
        Ok(number)
    }
}

/// What may stand behind a whole value.
fn after(tree: &Tree) -> Next {
    match (tree.depth(), tree.in_object()) {
        (0, _) => Next::Document,
        (_, true) => Next::KeyEnd,
        (_, false) => Next::ItemEnd,
    }
}

/// The narrowest dialect in which a word is a number.
fn number(word: &[u8]) -> Option<Dialect> {
    let (sign, digits) = match word.split_first()? {
        (sign @ (b'-' | b'+'), rest) => (Some(*sign), rest),
        _ => (None, word),
    };
    if matches!(digits, b"Infinity" | b"NaN") {
        return Some(Dialect::Json5);
    }
    if let Some(hex) = digits.strip_prefix(b"0x").or_else(|| digits.strip_prefix(b"0X")) {
        let whole = !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit);
        return whole.then_some(Dialect::Json5);
    }
    let mut dialect = if sign == Some(b'+') { Dialect::Json5 } else { Dialect::Json };
    let run = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = run(digits);
    if whole > 1 && digits.first() == Some(&b'0') {
        return None;
    }
    let mut rest = digits.get(whole..)?;
    let mut fraction = 0;
    if let Some(behind) = rest.strip_prefix(b".") {
        fraction = run(behind);
        rest = behind.get(fraction..)?;
        if whole == 0 || fraction == 0 {
            dialect = Dialect::Json5;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            _ => exponent,
        };
        if exponent.is_empty() || run(exponent) != exponent.len() {
            return None;
        }
        rest = &[];
    }
    rest.is_empty().then_some(dialect)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, number, read};
    use crate::data::tree::Tree;

    #[test]
    fn numbers_have_the_dialect_that_allows_them() {
        for (word, dialect) in [
            ("0", Some(Dialect::Json)),
            ("-1.5e+3", Some(Dialect::Json)),
            ("1E9", Some(Dialect::Json)),
            (".5", Some(Dialect::Json5)),
            ("5.", Some(Dialect::Json5)),
            ("+1", Some(Dialect::Json5)),
            ("0xFf", Some(Dialect::Json5)),
            ("-Infinity", Some(Dialect::Json5)),
            ("01", None),
            ("1e", None),
            ("-", None),
            ("1.2.3", None),
            ("0x", None),
            ("nul", None),
        ] {
            assert_eq!(number(word.as_bytes()), dialect, "{word}");
        }
    }

    #[test]
    fn dialects_and_defects_are_told_with_their_place() {
        let check = |text: &str, dialect: Dialect, place: Option<(u64, u64)>| {
            let mut tree = Tree::default();
            let out = read(text.as_bytes(), &mut tree, Dialect::Json5, false);
            let found = out.malformed.map(|bad| (bad.line.unwrap_or(0), bad.column.unwrap_or(0)));
            assert_eq!((out.dialect, found), (dialect, place), "{text}");
        };
        check("{\"a\": [1, 2]}", Dialect::Json, None);
        check("{\"a\": 1, // c\n}", Dialect::Jsonc, None);
        check("[/* c */ 1,]", Dialect::Jsonc, None);
        check("{a: 'b', c: +1}", Dialect::Json5, None);
        check("{\"a\": 1,\n  \"b\" 2}", Dialect::Json, Some((2, 7)));
        check("[1,, 2]", Dialect::Json, Some((1, 4)));
        check("{\"\u{e4}\" 1}", Dialect::Json, Some((1, 6)));
        check("[\"a\nb\"]", Dialect::Json, Some((1, 4)));
        check("[\"\\u12g4\"]", Dialect::Json, Some((1, 7)));
        check("[1] [2]", Dialect::Json, Some((1, 5)));
        check("", Dialect::Json, Some((1, 1)));
        check("[tru]", Dialect::Json, Some((1, 2)));
        check("[,]", Dialect::Json, Some((1, 2)));
        check("{,}", Dialect::Json, Some((1, 2)));
        check("[", Dialect::Json, Some((1, 2)));
    }

    #[test]
    fn a_million_levels_are_bounded() {
        let mut tree = Tree::default();
        let text = "[".repeat(3_000_000);
        let out = read(text.as_bytes(), &mut tree, Dialect::Json, false);
        assert_eq!(out.malformed.and_then(|bad| bad.column), Some(1_000_001));
        assert_eq!(tree.totals.max_depth, 999_999);
    }
}
