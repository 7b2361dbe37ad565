//! The facts of an archive.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The contents of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveFields {
    /// The format, such as `zip`, `tar.gz`, `deb` or `7z`; `unknown` if it is not recognised.
    pub format: &'static str,
    /// Size of the archive in bytes.
    pub size_bytes: u64,
    /// Number of entries; if more are claimed than are listed, the number that the archive's
    /// directory claims.
    pub entry_count: u64,
    /// Number of files. This and the next four fields include entries that are not listed, as far
    /// as the archive was read.
    pub file_count: usize,
    /// Number of folders.
    pub directory_count: usize,
    /// Size in bytes of all entries when unpacked.
    pub total_uncompressed_size: u64,
    /// Number of encrypted entries.
    pub encrypted_count: usize,
    /// Number of files by extension, in lower case and without its dot; files without one are under
    /// `""`. At most 100,000 extensions.
    pub extensions: BTreeMap<String, usize>,
    /// The archive's own comment.
    pub comment: Option<String>,
    /// Entries in the order of the archive; at most 100,000.
    pub entries: Vec<Entry>,
    /// False if the list ends before the archive does.
    pub entries_complete: bool,
    /// Why the list is not complete, if so.
    pub note: Option<String>,
}

/// One file in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its path, with `/`.
    pub path: String,
    /// Size in bytes when unpacked, as its header says.
    pub size: u64,
    /// Size in bytes in the archive, if each entry is packed separately.
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
