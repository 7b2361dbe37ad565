//! The facts of an archive.

use std::collections::BTreeMap;

use serde::Serialize;

/// What is in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveFields {
    /// Such as `zip`, `tar.gz`, `deb` or `7z`; `unknown` if it is none that is known.
    pub format: &'static str,
    /// Size of the archive in bytes.
    pub size_bytes: u64,
    /// Entries; what its directory claims where more are claimed than are listed.
    pub entry_count: u64,
    /// Files among the listed entries.
    pub file_count: usize,
    /// Folders among the listed entries.
    pub directory_count: usize,
    /// Bytes of the listed entries when unpacked.
    pub total_uncompressed_size: u64,
    /// Listed entries that are encrypted.
    pub encrypted_count: usize,
    /// Listed files by extension, in lower case and without its dot; those without one are at `""`.
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
