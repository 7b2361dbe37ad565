//! The facts of an archive.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// What is in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveFields {
    /// Such as `zip`, `tar.gz`, `deb` or `7z`; `unknown` if it is none that is known.
    pub format: &'static str,
    /// Size of the archive in bytes.
    pub size_bytes: u64,
    /// Entries; what its directory claims where more are claimed than are listed.
    pub entry_count: u64,
    /// Files among the entries. This and the four below count those that are not listed as well, as far as the
    /// archive was read.
    pub file_count: usize,
    /// Folders among them.
    pub directory_count: usize,
    /// Bytes of all of them when unpacked.
    pub total_uncompressed_size: u64,
    /// Those that are encrypted.
    pub encrypted_count: usize,
    /// Files by extension, in lower case and without its dot; those without one are at `""`. At most
    /// 100,000 extensions.
    pub extensions: BTreeMap<String, usize>,
    /// The archive's own comment.
    pub comment: Option<String>,
    /// Entries in the order of the archive; at most 100,000.
    pub entries: Vec<Entry>,
    /// False if the list ends before the archive does.
    pub entries_complete: bool,
    /// Why that is so.
    pub note: Option<String>,
}

/// One file in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its path, with `/`.
    pub path: String,
    /// Size in bytes when unpacked, as its header says.
    pub size: u64,
    /// Size in bytes in the archive, where each entry is packed by itself.
    pub compressed_size: Option<u64>,
    /// `file`, `directory`, `link` or `other`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether a password is needed to read it.
    pub encrypted: bool,
}

masked! {
    ArchiveFields {
        format, size_bytes, entry_count, file_count, directory_count, total_uncompressed_size,
        encrypted_count, extensions, comment, entries, entries_complete, note,
    }
    Entry { path, size, compressed_size, kind, encrypted }
}
