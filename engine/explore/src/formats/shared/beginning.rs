//! Common steps of the explorers of text formats: reading the text, reporting its encoding, and
//! showing some lines of a malformed file.

use std::{
    borrow::Cow,
    io::{self, Cursor, Read},
};

use crate::{
    Findings, Task,
    hidden::is_hidden,
    input::{HEAD, WHOLE_LIMIT},
    plain,
    text::{Encoding, Text, utf16},
};

/// The bytes of a file. If it is larger than `limit`, whole lines of its beginning, and true.
pub fn bytes(task: &Task, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let limit = limit.min(WHOLE_LIMIT);
    let mut bytes = task.input.piece(0, limit)?;
    let sampled = task.input.size() > limit;
    if sampled && let Some(last) = memchr::memrchr(b'\n', &bytes) {
        // In little-endian UTF-16 a line feed has a second byte.
        bytes.truncate(last + 1 + usize::from(utf16(&bytes).is_some() && last % 2 == 0));
    }
    Ok((bytes, sampled))
}

/// A stream over the UTF-8 text of a file of any size.
pub struct Stream<'a> {
    /// Its bytes, without a byte order mark.
    pub reader: Box<dyn Read + 'a>,
    /// How the file is encoded.
    pub encoding: Encoding,
    /// True if something could not be decoded.
    pub damaged: bool,
    /// True if the file continues after the end of the stream.
    pub sampled: bool,
}

/// Opens a stream. Files up to the limit for whole files are decoded from any encoding. Larger
/// files are read as UTF-8; of larger UTF-16 files only the beginning is read.
pub fn stream<'a>(task: &'a Task) -> io::Result<Stream<'a>> {
    let head = task.input.head(HEAD)?;
    if task.input.size() <= WHOLE_LIMIT || utf16(&head).is_some() {
        let (bytes, sampled) = bytes(task, WHOLE_LIMIT)?;
        let Text { text, encoding, damaged } = Text::decode(&bytes);
        let skip = bytes.len() - text.len().min(bytes.len());
        let decoded = match text {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        };
        let reader: Box<dyn Read> = if let Some(text) = decoded {
            Box::new(Cursor::new(text))
        } else {
            let mut reader = Cursor::new(bytes);
            reader.set_position(skip as u64);
            Box::new(reader)
        };
        return Ok(Stream { reader, encoding, damaged, sampled });
    }
    let mut reader = task.input.reader();
    let mut encoding = Encoding::Utf8;
    if head.starts_with(b"\xef\xbb\xbf") {
        encoding = Encoding::Utf8Bom;
        reader.read_exact(&mut [0; 3])?;
    }
    Ok(Stream { reader, encoding, damaged: false, sampled: false })
}

/// Marks a text as malformed if parts of it could not be decoded.
pub fn whole_only(findings: &mut Findings, damaged: bool) {
    if damaged {
        findings.malformed("parts of it are not valid in its encoding", None, None);
    }
}

/// Marks a text as malformed if its encoding is not one of Unicode and the format allows no other.
pub fn unicode_only(findings: &mut Findings, encoding: Encoding) {
    if !encoding.is_unicode() {
        findings.malformed("it is not encoded in Unicode, as the format demands", None, None);
    }
}

/// Adds lines to a summary that report what is unusual about the text.
pub fn unusual(findings: &mut Findings, encoding: Encoding, sampled: bool, title: &str) {
    if sampled {
        findings.summary.line(&format!("[SAMPLED - Large {title} File]"));
    }
    if encoding != Encoding::Utf8 {
        findings.summary.line(&format!("Encoding: {}", encoding.name()));
    }
}

/// Shows some lines of a malformed file.
pub fn preview(findings: &mut Findings, task: &Task) -> io::Result<()> {
    if findings.malformed.is_none() {
        return Ok(());
    }
    let (bytes, _) = bytes(task, 64 * 1024)?;
    let text = Text::decode(&bytes);
    if is_hidden(task, &text.text) {
        findings.summary.blank();
        findings.summary.line("Text: not shown, its lines may hold secrets");
        return Ok(());
    }
    let lines: Vec<&str> = text.text.lines().collect();
    plain::preview(findings, task, &lines);
    Ok(())
}

/// 1-based line and column, in characters, of a byte offset.
pub fn place(text: &str, offset: usize) -> (u64, u64) {
    let offset = text.floor_char_boundary(offset);
    let before = text.get(..offset).unwrap_or(text);
    let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() as u64 + 1;
    (line, before.get(start..).unwrap_or_default().chars().count() as u64 + 1)
}
