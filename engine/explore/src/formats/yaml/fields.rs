//! The facts of a YAML text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// The contents of a YAML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct YamlFields {
    /// The structure of all documents together.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// Number of documents.
    pub document_count: u64,
    /// Whether there is more than one.
    pub has_multiple_documents: bool,
    /// Number of anchors.
    pub anchor_count: u64,
    /// Number of aliases.
    pub alias_count: u64,
    /// The first ten thousand documents; `document_count` gives their full number.
    pub documents: Vec<Document>,
    /// The first thousand distinct tags, sorted by name; `truncated` gives their full number.
    pub tags: Vec<TagCount>,
    /// Number of lines.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// One document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Where it begins.
    pub line: u64,
    /// The kind of its root, as in [`Key::types`](crate::fields::tree::Key::types); `empty` if
    /// there is none.
    pub root_type: &'static str,
    /// The keys of its root, cut to 50 characters each; at most a hundred thousand over all
    /// documents.
    pub keys: Vec<String>,
}

/// The number of occurrences of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagCount {
    /// The tag; YAML's own tags begin with `!!`.
    pub tag: String,
    /// Number of occurrences.
    pub count: u64,
}

masked! {
    YamlFields {
        tree, document_count, has_multiple_documents, anchor_count, alias_count, documents, tags,
        line_count, encoding, sampled,
    }
    Document { line, root_type, keys }
    TagCount { tag, count }
}
