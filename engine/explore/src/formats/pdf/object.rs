//! Objects of a PDF, and the parser that reads one from bytes.

use std::collections::BTreeMap;

/// Maximum nesting of arrays and dictionaries; no real object comes near it.
const DEPTH: usize = 64;

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    Null,
    Boolean(bool),
    Number(f64),
    Name(String),
    Bytes(Vec<u8>),
    Array(Vec<Object>),
    Dictionary(BTreeMap<String, Object>),
    /// A reference to another object, by its number.
    Reference(u64),
}

impl Object {
    /// The value of a key, if the object is a dictionary that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dictionary(entries) => entries.get(key),
            _ => None,
        }
    }

    /// The items of an array; empty for other objects.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The value of a whole number.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Number(number) if number.fract() == 0.0 => Some(*number as i64),
            _ => None,
        }
    }

    /// The text of a name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The text of a string: UTF-16 or UTF-8 with a byte order mark, UTF-16 in which the writer
    /// forgot the mark, or PDFDocEncoding.
    pub fn text(&self) -> Option<String> {
        let Self::Bytes(bytes) = self else { return None };
        Some(match bytes.as_slice() {
            [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
            [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
            bytes if is_unmarked_utf16(bytes) => utf16(bytes, u16::from_be_bytes),
            bytes => bytes.iter().copied().map(of_document).collect(),
        })
    }
}

/// Accents from 0x18 on, and signs from 0x80 on, in which PDFDocEncoding differs from Latin-1 (ISO
/// 32000-1, annex D.2).
const ACCENTS: &str = "\u{2d8}\u{2c7}\u{2c6}\u{2d9}\u{2dd}\u{2db}\u{2da}\u{2dc}";
const SIGNS: &str = "\u{2022}\u{2020}\u{2021}\u{2026}\u{2014}\u{2013}\u{192}\u{2044}\u{2039}\u{203a}\u{2212}\u{2030}\
                     \u{201e}\u{201c}\u{201d}\u{2018}\u{2019}\u{201a}\u{2122}\u{fb01}\u{fb02}\u{141}\u{152}\u{160}\
                     \u{178}\u{17d}\u{131}\u{142}\u{153}\u{161}\u{17e}";

/// The character of a byte in PDFDocEncoding.
fn of_document(byte: u8) -> char {
    let (signs, index) = match byte {
        0x18..=0x1f => (ACCENTS, byte - 0x18),
        0x80..=0x9e => (SIGNS, byte - 0x80),
        0xa0 => return '\u{20ac}',
        _ => return char::from(byte),
    };
    signs.chars().nth(index.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Whether every other byte is zero, beginning with the first: no text in a single-byte encoding
/// looks like that.
fn is_unmarked_utf16(bytes: &[u8]) -> bool {
    let pairs = bytes.chunks_exact(2);
    !bytes.is_empty()
        && pairs.remainder().is_empty()
        && pairs.clone().all(|pair| pair.first() == Some(&0))
        && pairs.clone().any(|pair| pair.get(1) != Some(&0))
}

fn utf16(bytes: &[u8], number: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| number([pair[0], pair[1]]));
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// A position in the bytes.
#[derive(Debug, Clone, Copy)]
pub struct Parser<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Parser<'a> {
    /// A parser at an offset.
    pub const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and comments.
    pub fn space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() || byte == 0 {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Skips a word if it is next; returns whether it was.
    pub fn word(&mut self, word: &str) -> bool {
        self.space();
        let here = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        if here {
            self.at += word.len();
        }
        here
    }

    /// An unsigned whole number.
    pub fn number(&mut self) -> Option<u64> {
        self.space();
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().take(20).take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(rest.get(..length)?).ok()?.parse().ok()?;
        self.at += length;
        Some(number)
    }

    /// The next object.
    pub fn object(&mut self) -> Option<Object> {
        self.nested(0)
    }

    /// Recursion is bounded, because the depth is counted and limited.
    fn nested(&mut self, depth: usize) -> Option<Object> {
        if depth > DEPTH {
            return None;
        }
        self.space();
        match self.peek()? {
            b'/' => {
                self.at += 1;
                Some(Object::Name(self.name()))
            }
            b'(' => self.literal(),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => {
                self.at += 2;
                let mut entries = BTreeMap::new();
                loop {
                    self.space();
                    if self.word(">>") {
                        return Some(Object::Dictionary(entries));
                    }
                    if self.peek()? != b'/' {
                        return None;
                    }
                    self.at += 1;
                    let key = self.name();
                    let value = self.nested(depth + 1)?;
                    entries.insert(key, value);
                }
            }
            b'<' => self.hexadecimal(),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                loop {
                    self.space();
                    if self.peek()? == b']' {
                        self.at += 1;
                        return Some(Object::Array(items));
                    }
                    items.push(self.nested(depth + 1)?);
                }
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.numeric(),
            _ => {
                for (word, object) in [
                    ("true", Object::Boolean(true)),
                    ("false", Object::Boolean(false)),
                    ("null", Object::Null),
                ] {
                    if self.word(word) {
                        return Some(object);
                    }
                }
                None
            }
        }
    }

    /// A number, or a reference: two numbers and an `R`.
    fn numeric(&mut self) -> Option<Object> {
        let mut ahead = *self;
        if let Some(number) = ahead.number()
            && ahead.number().is_some()
            && ahead.word("R")
        {
            self.at = ahead.at;
            return Some(Object::Reference(number));
        }
        let rest = self.bytes.get(self.at..)?;
        let length =
            rest.iter().take(40).take_while(|byte| b"+-.0123456789".contains(byte)).count();
        let text = std::str::from_utf8(rest.get(..length)?).ok()?;
        self.at += length;
        Some(Object::Number(text.parse().unwrap_or(0.0)))
    }

    fn name(&mut self) -> String {
        let mut name = Vec::new();
        while let Some(byte) = self.peek() {
            if byte.is_ascii_whitespace() || byte == 0 || b"()<>[]{}/%".contains(&byte) {
                break;
            }
            self.at += 1;
            let code = self.bytes.get(self.at..self.at + 2);
            let code = code.and_then(|code| std::str::from_utf8(code).ok());
            match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                Some(code) if byte == b'#' => {
                    name.push(code);
                    self.at += 2;
                }
                _ => name.push(byte),
            }
        }
        String::from_utf8_lossy(&name).into_owned()
    }

    fn literal(&mut self) -> Option<Object> {
        self.at += 1;
        let mut text = Vec::new();
        let mut depth = 0_usize;
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => return Some(Object::Bytes(text)),
                b')' => depth -= 1,
                b'\\' => {
                    self.escape(&mut text)?;
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'\n' => {}
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.at += 1;
                }
            }
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            code = code * 8 + u32::from(digit - b'0');
                            self.at += 1;
                        }
                        _ => break,
                    }
                }
                text.push(code as u8);
            }
            other => text.push(other),
        }
        Some(())
    }

    fn hexadecimal(&mut self) -> Option<Object> {
        let rest = self.bytes.get(self.at + 1..)?;
        let end = memchr::memchr(b'>', rest)?;
        let digits: Vec<u8> = rest
            .get(..end)?
            .iter()
            .filter_map(|byte| char::from(*byte).to_digit(16))
            .map(|digit| digit as u8)
            .collect();
        self.at += end + 2;
        let pair = |pair: &[u8]| pair.first().unwrap_or(&0) << 4 | pair.get(1).unwrap_or(&0);
        Some(Object::Bytes(digits.chunks(2).map(pair).collect()))
    }
}
