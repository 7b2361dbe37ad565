//! Archives: what is in them, without unpacking anything to disk.
//!
//! Numbers in a header are not trusted. Lists end at the first that the file contradicts, and
//! what has to be decompressed to be listed is decompressed up to [`UNPACKED`] bytes. An archive
//! inside of an archive is listed as a file and not opened.

pub mod fields;
mod packed;
mod tape;
mod zip;

use std::{collections::BTreeMap, io};

use super::{binary, shared::ar};
use crate::{
    Findings, Task,
    disclosure::List,
    findings::{cut, grouped},
    input::WHOLE_LIMIT,
};
use fields::{ArchiveFields, Entry};

/// Most bytes that are decompressed of one file; 256 MiB.
const UNPACKED: u64 = 256 << 20;
/// Most entries that are listed.
const ENTRIES: usize = 100_000;

/// What an archive holds.
#[derive(Debug, Default)]
struct Archive {
    format: &'static str,
    entries: Vec<Entry>,
    /// Number of entries as a directory of the archive says, where there are more than are listed.
    promised: Option<u64>,
    /// True if entries may stand behind what was read.
    at_least: bool,
    /// False if the list ends before the archive does.
    complete: bool,
    /// Why a complete list was not made.
    note: Option<String>,
    comment: Option<String>,
    errors: Vec<String>,
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
            archive.entries.extend(members.into_iter().map(|member| Entry {
                path: member.name,
                size: member.size,
                compressed_size: None,
                kind: "file",
                encrypted: false,
            }));
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
    if archive.entries.is_empty() {
        binary::rows(&mut findings, &head);
    }
    findings.facts = facts(archive, task.input.size()).into();
    Ok(findings)
}

/// The kind of archive by its first bytes.
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
    let count = |kind: &str| archive.entries.iter().filter(|entry| entry.kind == kind).count();
    let listed = archive.entries.len() as u64;
    ArchiveFields {
        format: archive.format,
        size_bytes,
        entry_count: archive.promised.unwrap_or(listed).max(listed),
        file_count: count("file"),
        directory_count: count("directory"),
        total_uncompressed_size: unpacked(&archive),
        encrypted_count: archive.entries.iter().filter(|one| one.encrypted).count(),
        extensions: extensions(&archive),
        comment: archive.comment,
        entries: archive.entries,
        entries_complete: archive.complete,
        note: archive.note,
    }
}

/// Bytes of all listed entries when unpacked.
fn unpacked(archive: &Archive) -> u64 {
    archive.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.size))
}

/// How many files have each extension.
fn extensions(archive: &Archive) -> BTreeMap<String, usize> {
    let mut extensions = BTreeMap::new();
    for entry in archive.entries.iter().filter(|entry| entry.kind == "file") {
        let base = entry.path.rsplit('/').next().unwrap_or_default();
        let extension = match base.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() && extension.len() <= 12 => {
                extension.to_lowercase()
            }
            _ => String::new(),
        };
        *extensions.entry(extension).or_default() += 1;
    }
    extensions
}

fn write(findings: &mut Findings, archive: &Archive, size: u64) {
    let parity = findings.summary.profile().is_parity();
    let summary = &mut findings.summary;
    summary.line(&format!("Format: Archive ({})", archive.format));
    summary.line(&format!("Size: {} bytes", grouped(size)));
    let sum = unpacked(archive);
    if !archive.entries.is_empty() {
        summary.line(&format!("Unpacked: {} bytes", grouped(sum)));
        // More than what deflate can reach with honest data.
        if sum / 200 > size {
            summary.line("Warning: it unpacks to more than 200 times its size.");
        }
    }
    if let Some(note) = &archive.note {
        summary.line(&format!("Not complete: {note}"));
    }
    if let Some(comment) = &archive.comment {
        summary.line(&format!("Comment: {}", cut(comment, 200)));
    }
    if archive.entries.is_empty() {
        return;
    }
    let mut extensions: Vec<(String, usize)> = extensions(archive).into_iter().collect();
    extensions.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
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
    if !extensions.is_empty() {
        let list = List::counted("Extensions", "/fields/extensions", 20);
        let line = summary.inline(&list, &extensions);
        summary.line(&format!("Extensions: {line}"));
    }
    let total = archive.promised.unwrap_or(0).max(archive.entries.len() as u64);
    let entries: Vec<String> = archive
        .entries
        .iter()
        .map(|entry| match entry.kind {
            "file" => {
                let secret = if entry.encrypted { ", encrypted" } else { "" };
                format!("{} ({} bytes{secret})", cut(&entry.path, 200), grouped(entry.size))
            }
            kind => format!("{} ({kind})", cut(&entry.path, 200)),
        })
        .collect();
    summary.capped("/fields/entries", entries.len(), total, archive.at_least);
    let list = List::counted("Entries", "/fields/entries", if parity { 50 } else { 100 });
    summary.section(&format!("Entries ({}):", grouped(total)), &list, &entries);
}

#[cfg(test)]
mod tests;
