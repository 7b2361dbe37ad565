//! The facts of a YAML text.

use serde::Serialize;

use crate::{Encoding, formats::shared::tree::fields::TreeFields, masked::masked};

/// What is in a YAML text. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct YamlFields {
    /// The shape of all documents together.
    #[serde(flatten)]
    pub tree: TreeFields,
    /// Documents.
    pub document_count: u64,
    /// Whether there is more than one.
    pub has_multiple_documents: bool,
    /// Values that have a name.
    pub anchor_count: u64,
    /// References to them.
    pub alias_count: u64,
    /// The first ten thousand documents; `document_count` says how many there are.
    pub documents: Vec<Document>,
    /// The first thousand different tags, by name; `truncated` says how many there are.
    pub tags: Vec<TagCount>,
    /// Lines.
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
    /// What its root is, as [`Key::types`](crate::fields::tree::Key::types) says; `empty` if there
    /// is none.
    pub root_type: &'static str,
    /// The keys of its root, of at most 50 characters each; of all documents a hundred thousand.
    pub keys: Vec<String>,
}

/// How often a tag occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagCount {
    /// The tag; one of YAML's own begins with `!!`.
    pub tag: String,
    /// How often.
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
