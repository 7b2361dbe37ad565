//! Tar: headers of 512 bytes, each before its file. The reader returns headers as they are; long
//! names are in entries of their own before the file that they name.

use std::io::{self, Read};

use tar::{EntryType, Header};

use super::{Archive, UNPACKED, fields::Entry};
use crate::findings::grouped;

/// Longest name that is read from an entry of its own, in bytes.
const NAME: u64 = 64 * 1024;

/// Whether a block is a header: by its magic number or, in the oldest format, by its checksum.
pub fn is(block: &[u8]) -> bool {
    let Some(header) = block.get(..512) else { return false };
    if header.get(257..262) == Some(b"ustar") {
        return true;
    }
    let mut bytes = [0; 512];
    bytes.copy_from_slice(header);
    let sum: u32 = bytes
        .iter()
        .enumerate()
        .map(|(index, byte)| if (148..156).contains(&index) { 32 } else { u32::from(*byte) })
        .sum();
    let header = Header::from_byte_slice(&bytes);
    bytes.first() != Some(&0) && header.cksum().is_ok_and(|claimed| claimed == sum)
}

/// Lists the entries.
pub fn read(reader: Box<dyn Read + '_>, archive: &mut Archive) {
    let mut counted = Counted { inner: reader.take(UNPACKED), read: 0 };
    let error = list(&mut counted, archive).err();
    if counted.read >= UNPACKED {
        archive.complete = false;
        archive.at_least = true;
        archive.note = Some(format!("read up to {} bytes", grouped(UNPACKED)));
    } else if let Some(error) = error {
        archive.complete = false;
        archive.errors.push(format!("the list of entries ends at byte {}: {error}", counted.read));
    }
}

fn list(reader: &mut dyn Read, archive: &mut Archive) -> io::Result<()> {
    let mut tape = tar::Archive::new(reader);
    let mut long_name: Option<String> = None;
    for entry in tape.entries()?.raw(true) {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::GNULongName | EntryType::XHeader) {
            let mut text = Vec::new();
            entry.by_ref().take(NAME).read_to_end(&mut text)?;
            let name =
                if kind == EntryType::XHeader { extended(&text) } else { Some(plain(&text)) };
            long_name = name.or(long_name);
            continue;
        }
        if matches!(kind, EntryType::GNULongLink | EntryType::XGlobalHeader) {
            continue;
        }
        let path = long_name.take().unwrap_or_else(|| plain(&entry.path_bytes()));
        archive.add(Entry {
            path,
            size: entry.header().entry_size()?,
            compressed_size: None,
            kind: match kind {
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => "file",
                EntryType::Directory => "directory",
                EntryType::Link | EntryType::Symlink => "link",
                _ => "other",
            },
            encrypted: false,
        });
    }
    Ok(())
}

fn plain(name: &[u8]) -> String {
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}

/// The path in the records of an extended header: `<length> path=<name>` and a line feed.
fn extended(records: &[u8]) -> Option<String> {
    let mut rest = records;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let length: usize = std::str::from_utf8(rest.get(..space)?).ok()?.parse().ok()?;
        let record = rest.get(space + 1..length)?;
        if let Some(path) = record.strip_prefix(b"path=") {
            return Some(plain(path.strip_suffix(b"\n").unwrap_or(path)));
        }
        rest = rest.get(length..)?;
    }
    None
}

/// A reader that counts bytes.
struct Counted<R> {
    inner: R,
    read: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        Ok(count)
    }
}
