//! Bytes from a reader of any size, one after the other, with their line and column.

use std::io::{self, Read};

/// Number of bytes that are read at once: if the window of a text in memory is shorter, it is the
/// whole text.
pub const BUFFER: usize = 64 * 1024;

/// A byte source in bounded memory.
pub struct Source<R> {
    reader: R,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    /// The read error, if there was one; the source ends there.
    pub error: Option<io::Error>,
    /// 1-based line of the next byte.
    pub line: u64,
    /// 1-based column of the next byte, in characters of UTF-8.
    pub column: u64,
}

impl<R: Read> Source<R> {
    /// A source at the first byte.
    pub fn new(reader: R) -> Self {
        let buffer = Vec::new();
        Self { reader, buffer, at: 0, ended: false, error: None, line: 1, column: 1 }
    }

    /// The bytes that were read but not yet consumed; empty only at the end.
    pub fn window(&mut self) -> &[u8] {
        if self.at >= self.buffer.len() && !self.ended {
            self.buffer.resize(BUFFER, 0);
            let count = loop {
                match self.reader.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        self.error = Some(error);
                        break 0;
                    }
                    Ok(count) => break count,
                }
            };
            self.buffer.truncate(count);
            self.at = 0;
            self.ended = count == 0;
        }
        self.buffer.get(self.at..).unwrap_or_default()
    }

    /// The next byte, without consuming it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        match self.buffer.get(self.at) {
            Some(byte) => Some(*byte),
            None => self.window().first().copied(),
        }
    }

    /// Consumes the next byte.
    #[inline]
    pub fn bump(&mut self) {
        if let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.column = 1;
            } else if byte & 0xc0 != 0x80 {
                self.column += 1;
            }
        }
    }

    /// Consumes `count` bytes of the window, none of which is a line feed.
    pub fn skip(&mut self, count: usize) {
        let end = self.at.saturating_add(count).min(self.buffer.len());
        let bytes = self.buffer.get(self.at..end).unwrap_or_default();
        self.column += bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
        self.at = end;
    }
}

impl<R: Read> Source<R> {
    /// Reads the next line into `line`, without its line feed or CR LF. At most `keep` bytes are
    /// kept. False at the end.
    pub fn read_line(&mut self, line: &mut Vec<u8>, keep: usize) -> bool {
        line.clear();
        if self.peek().is_none() {
            return false;
        }
        loop {
            let window = self.window();
            let end = memchr::memchr(b'\n', window);
            let piece = window.get(..end.unwrap_or(window.len())).unwrap_or_default();
            let room = keep.saturating_sub(line.len()).min(piece.len());
            line.extend_from_slice(piece.get(..room).unwrap_or_default());
            let count = piece.len();
            self.skip(count);
            if end.is_some() {
                self.bump();
            }
            if end.is_some() || self.peek().is_none() {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return true;
            }
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let window = self.window();
        let count = window.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), window.get(..count)) {
            to.copy_from_slice(from);
        }
        self.advance(count);
        self.error.take().map_or(Ok(count), Err)
    }
}

impl<R: Read> Source<R> {
    /// Consumes `count` bytes of the window without counting lines.
    pub fn advance(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.buffer.len());
    }
}
