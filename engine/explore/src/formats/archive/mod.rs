//! Archives: their contents, without unpacking anything to disk.
//!
//! Numbers in a header are not trusted. A list ends at the first entry that the file contradicts,
//! and data that has to be decompressed for a list is decompressed up to [`UNPACKED`] bytes. An
//! archive inside an archive is listed as a file and not opened.

pub mod fields;
mod office;
mod packed;
mod tape;
mod zip;

use std::{collections::BTreeMap, io};

use super::{
    binary,
    shared::{ar, distinct::Distinct},
};
use crate::{Findings, Task, disclosure::List, findings::grouped, input::WHOLE_LIMIT};
use fields::{ArchiveFields, Entry};

/// Maximum number of bytes that are decompressed for one file, 256 MiB.
const UNPACKED: u64 = 256 << 20;
/// Maximum number of entries that are listed.
const ENTRIES: usize = 100_000;

/// The contents of an archive.
#[derive(Debug, Default)]
struct Archive {
    format: &'static str,
    entries: Vec<Entry>,
    /// Totals over all entries, including those that are not listed.
    totals: Totals,
    /// Number of entries according to the archive's directory, if there are more than are listed.
    promised: Option<u64>,
    /// True if there may be more entries after those that were read.
    at_least: bool,
    /// False if the list ends before the archive does.
    complete: bool,
    /// Why there is no complete list, if so.
    note: Option<String>,
    comment: Option<String>,
    errors: Vec<String>,
}

/// Totals over entries.
#[derive(Debug, Default)]
struct Totals {
    entries: u64,
    files: usize,
    directories: usize,
    encrypted: usize,
    /// Bytes when unpacked.
    bytes: u64,
    /// Number of files by extension.
    extensions: BTreeMap<String, usize>,
    /// Extensions that are not counted separately.
    more_extensions: Distinct,
}

impl Archive {
    /// Counts an entry, and lists it if there is room.
    fn add(&mut self, entry: Entry) {
        let totals = &mut self.totals;
        totals.entries += 1;
        totals.files += usize::from(entry.kind == "file");
        totals.directories += usize::from(entry.kind == "directory");
        totals.encrypted += usize::from(entry.encrypted);
        totals.bytes = totals.bytes.saturating_add(entry.size);
        if entry.kind == "file" {
            let extension = extension(&entry.path);
            if let Some(count) = totals.extensions.get_mut(&extension) {
                *count += 1;
            } else if totals.extensions.len() < ENTRIES {
                totals.extensions.insert(extension, 1);
            } else {
                totals.more_extensions.add(extension);
            }
        }
        if self.entries.len() < ENTRIES {
            self.entries.push(entry);
        } else {
            self.complete = false;
            self.note = Some(format!("listed up to {} entries", grouped(ENTRIES)));
        }
    }

    /// Number of entries.
    fn count(&self) -> u64 {
        self.promised.unwrap_or(0).max(self.totals.entries)
    }
}

/// Explores an archive.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let head = task.input.head(1024)?;
    let mut archive = Archive { format: format(&head), complete: true, ..Archive::default() };
    match archive.format {
        "zip" => zip::read(task.input, &mut archive)?,
        "tar" => {
            let reader = task.input.reader();
            tape::read(reader, &mut archive);
        }
        "gzip" | "bzip2" | "xz" | "lzma" => packed::read(task, &mut archive)?,
        "ar" => {
            let bytes = task.input.piece(0, WHOLE_LIMIT)?;
            let (members, error) = ar::members(&bytes);
            archive.complete = bytes.len() as u64 == task.input.size();
            archive.errors.extend(error.filter(|_| archive.complete));
            if ar::is_debian(&members) {
                archive.format = "deb";
            }
            for member in members {
                archive.add(Entry {
                    path: member.name,
                    size: member.size,
                    compressed_size: None,
                    kind: "file",
                    encrypted: false,
                });
            }
        }
        "unknown" => archive.errors.push("no known kind of archive".to_owned()),
        _ => {
            archive.complete = false;
            archive.note = Some("entries of this kind are not listed".to_owned());
        }
    }
    let mut findings = Findings::new(task);
    for error in &archive.errors {
        findings.malformed(error.clone(), None, None);
    }
    write(&mut findings, &archive, task.input.size());
    if archive.format == "zip" && !task.profile.is_parity() {
        for (title, entries) in office::parts(task.input, &archive)? {
            findings.part(task, title, entries);
        }
    }
    if archive.entries.is_empty() {
        binary::rows(&mut findings, &head);
    }
    findings.facts = facts(archive, task.input.size()).into();
    Ok(findings)
}

/// The format of an archive, by its first bytes.
fn format(head: &[u8]) -> &'static str {
    for (magic, format) in [
        (&b"PK\x03\x04"[..], "zip"),
        (b"PK\x05\x06", "zip"),
        (b"PK\x07\x08", "zip"),
        (b"\x1f\x8b", "gzip"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07", "rar"),
        (b"!<arch>\n", "ar"),
        (b"MSCF", "cabinet"),
        (b"\xed\xab\xee\xdb", "rpm"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    ] {
        if head.starts_with(magic) {
            return format;
        }
    }
    if tape::is(head) {
        "tar"
    } else if packed::is_lzma(head) {
        "lzma"
    } else {
        "unknown"
    }
}

fn facts(archive: Archive, size_bytes: u64) -> ArchiveFields {
    ArchiveFields {
        format: archive.format,
        size_bytes,
        entry_count: archive.count(),
        file_count: archive.totals.files,
        directory_count: archive.totals.directories,
        total_uncompressed_size: archive.totals.bytes,
        encrypted_count: archive.totals.encrypted,
        extensions: archive.totals.extensions,
        comment: archive.comment,
        entries: archive.entries,
        entries_complete: archive.complete,
        note: archive.note,
    }
}

/// The extension of a path, in lower case and without its dot; empty if it has none.
fn extension(path: &str) -> String {
    let base = path.rsplit('/').next().unwrap_or_default();
    match base.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 12 => {
            extension.to_lowercase()
        }
        _ => String::new(),
    }
}

fn write(findings: &mut Findings, archive: &Archive, size: u64) {
    let parity = findings.summary.profile().is_parity();
    let summary = &mut findings.summary;
    summary.line(&format!("Format: Archive ({})", archive.format));
    summary.line(&format!("Size: {} bytes", grouped(size)));
    let sum = archive.totals.bytes;
    if !archive.entries.is_empty() {
        summary.line(&format!("Unpacked: {} bytes", grouped(sum)));
        // A higher ratio than deflate can reach with ordinary data.
        if sum / 200 > size {
            summary.line("Warning: it unpacks to more than 200 times its size.");
        }
    }
    if let Some(note) = &archive.note {
        summary.line(&format!("Not complete: {note}"));
    }
    if let Some(comment) = &archive.comment {
        summary.line(&format!("Comment: {}", summary.short(comment, 200)));
    }
    if archive.entries.is_empty() {
        return;
    }
    let totals = &archive.totals;
    let mut extensions: Vec<(&String, &usize)> = totals.extensions.iter().collect();
    extensions.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let extensions: Vec<String> = extensions
        .into_iter()
        .map(|(extension, count)| {
            if extension.is_empty() {
                format!("none ({count})")
            } else {
                format!(".{extension} ({count})")
            }
        })
        .collect();
    let all = extensions.len() as u64 + totals.more_extensions.count();
    let at_least = archive.at_least || totals.more_extensions.at_least();
    summary.capped("/fields/extensions", extensions.len(), all, at_least);
    if !extensions.is_empty() {
        let list = List::counted("Extensions", "/fields/extensions", 20);
        let line = summary.inline(&list, &extensions);
        summary.line(&format!("Extensions: {line}"));
    }
    let total = archive.count();
    let entries: Vec<String> = archive
        .entries
        .iter()
        .map(|entry| match entry.kind {
            "file" => {
                let secret = if entry.encrypted { ", encrypted" } else { "" };
                format!(
                    "{} ({} bytes{secret})",
                    summary.short(&entry.path, 200),
                    grouped(entry.size)
                )
            }
            kind => format!("{} ({kind})", summary.short(&entry.path, 200)),
        })
        .collect();
    summary.capped("/fields/entries", entries.len(), total, archive.at_least);
    let list = List::counted("Entries", "/fields/entries", if parity { 50 } else { 100 });
    summary.section(&format!("Entries ({}):", grouped(total)), &list, &entries);
}

#[cfg(test)]
mod tests;
