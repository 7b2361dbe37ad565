//! The facts of a PDF.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The contents of a PDF.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
pub struct PdfFields {
    /// Version of the format, such as `1.7`.
    pub version: Option<String>,
    /// Number of pages; absent if they cannot be counted.
    pub page_count: Option<u64>,
    /// Whether a password is needed to read its texts.
    pub encrypted: bool,
    /// The title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Title, author, `creation_date` and the like, as far as they are given.
    pub info: BTreeMap<&'static str, String>,
    /// The table of contents in order, at most 2,000 entries.
    pub bookmarks: Vec<Bookmark>,
    /// Number of entries of the table of contents, of which `bookmarks` has the first 2,000. Only
    /// the first million of its objects are visited; `truncated` says if there may be more.
    pub bookmark_count: usize,
    /// Width and height of the first page in points (1/72 inch); both are finite.
    pub page_size: Option<[f64; 2]>,
    /// Whether it has a form to fill in.
    pub has_forms: bool,
    /// Whether it is tagged for accessibility.
    pub tagged: bool,
    /// Number of its objects.
    pub object_count: usize,
    /// Size of the file in bytes.
    pub size_bytes: u64,
    /// True if only the first 50 MiB were looked at.
    pub sampled: bool,
}

/// An entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bookmark {
    /// Its title, of at most 300 characters.
    pub title: String,
    /// Its level, 1 for the outermost.
    pub level: usize,
}

masked! {
    PdfFields {
        version, page_count, encrypted, title, author, info, bookmarks, bookmark_count, page_size,
        has_forms, tagged, object_count, size_bytes, sampled,
    }
    Bookmark { title, level }
}
