//! The facts of a PDF.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// What a PDF says of itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
pub struct PdfFields {
    /// Version of the format, such as `1.7`.
    pub version: Option<String>,
    /// Pages; absent if they cannot be counted.
    pub page_count: Option<u64>,
    /// Whether texts cannot be read without a password.
    pub encrypted: bool,
    /// The title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Title, author, `creation_date` and the like, as far as they are given.
    pub info: BTreeMap<&'static str, String>,
    /// The table of contents in order, at most 2,000 entries.
    pub bookmarks: Vec<Bookmark>,
    /// Entries of the table of contents, of which `bookmarks` has the first 2,000. Those among the first million
    /// of its objects: whether there may be more, a row of `truncated` says.
    pub bookmark_count: usize,
    /// Width and height of the first page in points, of which an inch has 72; finite.
    pub page_size: Option<[f64; 2]>,
    /// Whether it has a form to fill in.
    pub has_forms: bool,
    /// Whether its structure is marked, as readers for the blind need it.
    pub tagged: bool,
    /// Objects of which it is made.
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
    /// 1 for the outermost.
    pub level: usize,
}

masked! {
    PdfFields {
        version, page_count, encrypted, title, author, info, bookmarks, bookmark_count, page_size,
        has_forms, tagged, object_count, size_bytes, sampled,
    }
    Bookmark { title, level }
}
