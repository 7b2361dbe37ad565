//! A tolerant reader of JSON and its dialects: one pass, bounded memory for files of any size, no
//! recursion. It reads JSON5, the widest dialect, and records what goes beyond strict JSON, and
//! where.
//!
//! Grammars: RFC 8259 and the JSON5 specification 1.0.0.

mod text;

use std::io::Read;

use super::dialect::{Dialect, number};
use crate::{
    exploration::Malformed,
    formats::shared::{
        source::Source,
        tree::{Kind, Tree},
    },
};

/// Reading ends at a deeper nesting: each open container needs memory.
const MAX_DEPTH: usize = 1_000_000;

/// The result of reading, apart from the tree.
#[derive(Debug)]
pub struct Outcome {
    /// The narrowest dialect that allows everything that was read.
    pub dialect: Dialect,
    /// What goes beyond the allowed dialect, or is not JSON in any dialect.
    pub malformed: Option<Malformed>,
    /// Number of top-level values.
    pub documents: u64,
    /// Number of damaged records, if there is one record per line.
    pub broken: u64,
    /// Number of comments.
    pub comments: u64,
    /// Number of lines.
    pub lines: u64,
    /// True if there is a line feed or carriage return outside strings.
    pub multiline: bool,
    /// The read error, if there was one.
    pub error: Option<std::io::Error>,
}

/// What may come next.
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

/// Reads everything. A text beyond the dialect `allowed` is malformed; `records` says that values
/// may follow one another, as in NDJSON.
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
    /// The line where the last top-level value begins.
    record_line: u64,
    allowed: Dialect,
    out: Outcome,
}

/// Why the reading stops, in words.
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
                    // Only the line of a damaged record is lost.
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
        // Lines after the place where the reading stopped count as well.
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

    /// Records something beyond strict JSON, and where it begins.
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

    /// Reads one token; false at the end.
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

    /// Skips white space and comments.
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
}

/// What may come after a complete value.
fn after(tree: &Tree) -> Next {
    match (tree.depth(), tree.in_object()) {
        (0, _) => Next::Document,
        (_, true) => Next::KeyEnd,
        (_, false) => Next::ItemEnd,
    }
}

#[cfg(test)]
mod tests;
