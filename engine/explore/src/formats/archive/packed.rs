//! Packed streams: gzip, bzip2, xz and lzma. Each contains one file, which may be a tar archive.
//!
//! The unpacked size is counted while unpacking, up to [`UNPACKED`] bytes, and never taken from a
//! header. An xz or lzma header may ask for a dictionary of up to [`DICTIONARY`].

use std::io::{self, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::{LzmaReader, XzReader};

use super::{Archive, UNPACKED, fields::Entry, tape};
use crate::{
    Task,
    findings::{cut, grouped},
    formats::shared::bytes::{le16, le32, le64},
};

/// Maximum memory that a stream may ask for, in KiB: four times the dictionary of `xz -9`, and what
/// the decoder itself needs.
const DICTIONARY: u32 = 257 * 1024;
/// Bytes of the header of an lzma stream: properties, dictionary and size.
const LZMA_HEADER: usize = 13;
/// A valid lzma header gives a size below this, as in liblzma, or none.
const LZMA_SIZE: u64 = 1 << 38;

/// Endings of the names of packed files, with the name of the format if they contain a tar archive.
const KINDS: &[(&str, &str, &str)] = &[
    ("gzip", ".gz", "tar.gz"),
    ("bzip2", ".bz2", "tar.bz2"),
    ("xz", ".xz", "tar.xz"),
    ("lzma", ".lzma", "tar.lzma"),
];

/// Whether bytes begin like an lzma stream, which has no magic number: its properties are in range,
/// its dictionary is a power of two or one and a half of one, and its size is unknown or plausible.
/// These are the rules by which liblzma recognises such a stream.
pub fn is_lzma(head: &[u8]) -> bool {
    let (Some(properties), Some(dictionary), Some(size)) =
        (head.first(), le32(head, 1), le64(head, 5))
    else {
        return false;
    };
    let lowest = dictionary & dictionary.wrapping_neg();
    let round = dictionary == u32::MAX
        || dictionary >= 4096
            && (dictionary == lowest || u64::from(dictionary) == 3 * u64::from(lowest));
    // The first byte after the header is always zero, because of the range coder.
    let start = head.get(LZMA_HEADER).is_some_and(|byte| *byte == 0);
    *properties < 225 && round && (size == u64::MAX || size < LZMA_SIZE) && start
}

/// Lists the contents of a packed stream: the entries of a tar archive, or the one file.
pub fn read(task: &Task, archive: &mut Archive) -> io::Result<()> {
    let Some((format, end, tape_format)) =
        KINDS.iter().find(|(format, ..)| *format == archive.format)
    else {
        return Ok(());
    };
    let raw = task.input.reader();
    let mut first = Vec::new();
    let mut opened = open(format, raw).map(|stream| stream.take(UNPACKED));
    let mut error = match &mut opened {
        Ok(stream) => stream.by_ref().take(512).read_to_end(&mut first).err(),
        Err(error) => Some(io::Error::new(error.kind(), error.to_string())),
    };
    if tape::is(&first)
        && let Ok(stream) = opened
    {
        archive.format = *tape_format;
        tape::read(Box::new(Cursor::new(first).chain(stream)), archive);
        return Ok(());
    }
    let mut size = first.len() as u64;
    let mut buffer = vec![0; 64 * 1024];
    while let (None, Ok(stream)) = (&error, &mut opened) {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => size += count as u64,
            Err(found) => error = Some(found),
        }
    }
    match error {
        Some(error) if error.kind() == io::ErrorKind::OutOfMemory => {
            archive.complete = false;
            archive.note = Some(format!("unpacking it needs more than {DICTIONARY} KiB of memory"));
        }
        Some(error) => {
            archive.errors.push(format!("it cannot be unpacked behind byte {size}: {error}"));
        }
        None if size >= UNPACKED => {
            archive.complete = false;
            archive.note = Some(format!("unpacked up to {} bytes", grouped(size)));
        }
        None => {}
    }
    let base = task.input.base_name();
    let name = if *format == "gzip" { gzip_name(&task.input.head(1024)?) } else { None };
    archive.add(Entry {
        path: name.unwrap_or_else(|| base.strip_suffix(end).unwrap_or(base).to_owned()),
        size,
        compressed_size: Some(task.input.size()),
        kind: "file",
        encrypted: false,
    });
    Ok(())
}

/// A reader of the unpacked data of a stream.
fn open<'a>(format: &str, raw: Box<dyn Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
    Ok(match format {
        "gzip" => Box::new(MultiGzDecoder::new(raw)),
        "bzip2" => Box::new(MultiBzDecoder::new(raw)),
        "xz" => Box::new(XzReader::new_mem_limit(BufReader::new(raw), true, DICTIONARY)),
        _ => Box::new(LzmaReader::new_mem_limit(BufReader::new(raw), DICTIONARY, None)?),
    })
}

/// The name of the file in a gzip header.
fn gzip_name(head: &[u8]) -> Option<String> {
    let flags = *head.get(3)?;
    if flags & 8 == 0 {
        return None;
    }
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + le16(head, at)? as usize;
    }
    let name = head.get(at..)?.split(|byte| *byte == 0).next()?;
    Some(cut(&String::from_utf8_lossy(name), 200))
}
