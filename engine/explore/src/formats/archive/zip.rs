//! Zip: the central directory at the end of the file or, if that is missing or wrong, the headers
//! before each file. The layout is described in PKWARE's APPNOTE, sections 4.3 and 4.5.

use std::io::{self, Read};

use flate2::read::DeflateDecoder;

use super::{Archive, fields::Entry};
use crate::{
    findings::{cut, grouped},
    formats::shared::bytes::{le16, le32, le64},
    input::Input,
};

/// Number of bytes at the end that contain the directory's end record: the record and the longest
/// comment.
const TAIL: u64 = 22 + 65_535;
/// Maximum number of bytes that are read of the directory, or of a file without one; 64 MiB.
const READ: u64 = 64 << 20;

/// Maximum number of bytes that are read of the directory to find one file, 4 MiB.
const SMALL: u64 = 4 << 20;

/// Signature of an entry of the central directory.
const CENTRAL: &[u8] = b"PK\x01\x02";

/// Where the central directory is, according to its end record.
struct Directory {
    offset: u64,
    size: u64,
    count: u64,
    /// Offset of the end record itself.
    end: u64,
    comment: Option<String>,
}

/// Reads an archive.
pub fn read(input: &Input, archive: &mut Archive) -> io::Result<()> {
    if let Some(directory) = directory(input)? {
        archive.comment = directory.comment;
        // Something may precede the archive, such as a self-extractor, or a part of it may be
        // missing: then the directory is not where it should be, but still directly before its end
        // record.
        let offset = if directory.count > 0 && input.piece(directory.offset, 4)? != CENTRAL {
            directory.end.saturating_sub(directory.size)
        } else {
            directory.offset
        };
        let bytes = input.piece(offset, directory.size.min(READ))?;
        central(&bytes, archive);
        let held = archive.totals.entries;
        if held == directory.count {
            return Ok(());
        }
        if directory.size > READ {
            archive.complete = false;
            archive.promised = Some(directory.count);
            archive.note = Some(format!("its directory was read up to {} entries", grouped(held)));
            return Ok(());
        }
        archive
            .errors
            .push(format!("its directory promises {} entries and holds {held}", directory.count));
        if held > 0 {
            return Ok(());
        }
    } else {
        archive.errors.push("it has no directory at its end: it is cut off".to_owned());
    }
    archive.complete = false;
    local(&input.piece(0, READ)?, archive);
    Ok(())
}

/// The first bytes of a file in an archive, decompressed; `None` if there is no such file that is
/// stored or deflated and not encrypted.
pub fn content(input: &Input, path: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(directory) = directory(input)? else { return Ok(None) };
    let bytes = input.piece(directory.offset, directory.size.min(SMALL))?;
    let mut at = 0;
    while bytes.get(at..at + 4) == Some(CENTRAL) {
        let one = (|| {
            let name = le16(&bytes, at + 28)? as usize;
            let length =
                46 + name + le16(&bytes, at + 30)? as usize + le16(&bytes, at + 32)? as usize;
            let is_it = bytes.get(at + 46..at + 46 + name)? == path.as_bytes();
            let (flags, method) = (le16(&bytes, at + 8)?, le16(&bytes, at + 10)?);
            let (packed, offset) = (le32(&bytes, at + 20)?, le32(&bytes, at + 42)?);
            Some((length, is_it.then_some((flags, method, u64::from(packed), u64::from(offset)))))
        })();
        let Some((length, found)) = one else { return Ok(None) };
        at += length;
        let Some((flags, method, packed, offset)) = found else { continue };
        let header = input.piece(offset, 30)?;
        let (Some(name), Some(extra)) = (le16(&header, 26), le16(&header, 28)) else {
            return Ok(None);
        };
        let start = offset + 30 + u64::from(name) + u64::from(extra);
        if flags & 1 == 1 || packed == 0xffff_ffff {
            return Ok(None);
        }
        let raw = input.piece(start, packed.min(most))?;
        let mut content = Vec::new();
        match method {
            0 => content = raw,
            // Whatever comes before a defect is used.
            8 => drop(DeflateDecoder::new(raw.as_slice()).take(most).read_to_end(&mut content)),
            _ => return Ok(None),
        }
        return Ok(Some(content));
    }
    Ok(None)
}

/// Finds the end record, and its extension for large archives (Zip64).
fn directory(input: &Input) -> io::Result<Option<Directory>> {
    let start = input.size().saturating_sub(TAIL);
    let tail = input.piece(start, TAIL)?;
    let Some(at) = memchr::memmem::rfind(&tail, b"PK\x05\x06") else { return Ok(None) };
    let small = (|| {
        let length = le16(&tail, at + 20)? as usize;
        let comment = tail.get(at + 22..)?;
        let comment = comment.get(..length.min(comment.len()))?;
        Some(Directory {
            count: u64::from(le16(&tail, at + 10)?),
            size: u64::from(le32(&tail, at + 12)?),
            offset: u64::from(le32(&tail, at + 16)?),
            end: start + at as u64,
            comment: (length > 0).then(|| cut(&String::from_utf8_lossy(comment), 1_000)),
        })
    })();
    let Some(mut found) = small else { return Ok(None) };
    let large = found.count == 0xffff || found.size == 0xffff_ffff || found.offset == 0xffff_ffff;
    let locator = at.checked_sub(20).filter(|at| tail.get(*at..*at + 4) == Some(b"PK\x06\x07"));
    if large && let Some(locator) = locator {
        let place = le64(&tail, locator + 8).unwrap_or(u64::MAX);
        let record = if place < input.size() { input.piece(place, 56)? } else { Vec::new() };
        if record.starts_with(b"PK\x06\x06")
            && let (Some(count), Some(size), Some(offset)) =
                (le64(&record, 32), le64(&record, 40), le64(&record, 48))
        {
            (found.count, found.size, found.offset) = (count, size, offset);
            found.end = place;
        }
    }
    Ok(Some(found))
}

/// Reads the entries of the central directory up to the first invalid one.
fn central(bytes: &[u8], archive: &mut Archive) {
    let mut at = 0;
    while bytes.get(at..at + 4) == Some(CENTRAL) {
        let entry = (|| {
            let name = le16(bytes, at + 28)? as usize;
            let extra = le16(bytes, at + 30)? as usize;
            let comment = le16(bytes, at + 32)? as usize;
            let mut sizes = [u64::from(le32(bytes, at + 24)?), u64::from(le32(bytes, at + 20)?)];
            let fields = bytes.get(at + 46 + name..at + 46 + name + extra)?;
            widen(fields, &mut sizes);
            // The upper half of the attributes is the Unix mode, if Unix made the entry.
            let unix = bytes.get(at + 5) == Some(&3);
            let mode = le32(bytes, at + 38)? >> 16;
            let entry = entry(
                bytes.get(at + 46..at + 46 + name)?,
                sizes,
                le16(bytes, at + 8)?,
                unix && mode & 0o170_000 == 0o120_000,
            );
            Some((entry, 46 + name + extra + comment))
        })();
        let Some((entry, length)) = entry else { return };
        archive.add(entry);
        at += length;
    }
}

/// Takes sizes that do not fit into 32 bits from the Zip64 extra field.
fn widen(mut fields: &[u8], sizes: &mut [u64; 2]) {
    while let (Some(id), Some(length)) = (le16(fields, 0), le16(fields, 2)) {
        let length = length as usize;
        if id == 1 {
            let mut at = 4;
            for size in sizes.iter_mut().filter(|size| **size == 0xffff_ffff) {
                if at + 8 > 4 + length {
                    return;
                }
                *size = le64(fields, at).unwrap_or(*size);
                at += 8;
            }
            return;
        }
        fields = fields.get(4 + length..).unwrap_or_default();
    }
}

/// Lists the entries from the header before each file.
fn local(bytes: &[u8], archive: &mut Archive) {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = memchr::memmem::find(rest, b"PK\x03\x04") else { return };
        at += found;
        let one = (|| {
            let name = le16(bytes, at + 26)? as usize;
            let extra = le16(bytes, at + 28)? as usize;
            let sizes = [u64::from(le32(bytes, at + 22)?), u64::from(le32(bytes, at + 18)?)];
            let text = bytes.get(at + 30..at + 30 + name)?;
            let entry = entry(text, sizes, le16(bytes, at + 6)?, false);
            Some((entry, 30 + name + extra + sizes[1] as usize))
        })();
        let Some((entry, length)) = one else { return };
        archive.add(entry);
        at = at.saturating_add(length);
    }
}

fn entry(name: &[u8], [size, compressed]: [u64; 2], flags: u32, link: bool) -> Entry {
    let path = String::from_utf8_lossy(name).into_owned();
    let kind = if link {
        "link"
    } else if path.ends_with('/') {
        "directory"
    } else {
        "file"
    };
    Entry { path, size, compressed_size: Some(compressed), kind, encrypted: flags & 1 == 1 }
}
