//! Strings, names and words, and the escapes in them.

use std::io::Read;

use super::{Reader, Stop};
use crate::formats::json::dialect::Dialect;

/// Longest part of a string or number that is kept, in bytes; the rest is skipped.
const KEPT: usize = 4096;

impl<R: Read> Reader<R> {
    /// Reads the name of a key into `self.text`.
    pub(super) fn name(&mut self, byte: u8) -> Result<(), Stop> {
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

    /// Reads a run of letters, digits and signs into `self.text`.
    pub(super) fn word(&mut self) {
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

    /// Reads a quoted string into `self.text`.
    pub(super) fn string(&mut self, quote: u8) -> Result<(), Stop> {
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
                    // JSON5 allows everything but line ends.
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
                    // Other bytes stand for themselves; continuation bytes of a longer character
                    // follow.
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

    /// Reads four hexadecimal digits, and the second half of a surrogate pair. An unpaired half
    /// becomes the replacement character: RFC 8259 does not say what it means.
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

    /// Reads an escape after its backslash.
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
