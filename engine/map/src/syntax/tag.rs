//! A tag: one definition of a name, or one reference to it.

use serde::Serialize;

/// Whether a tag defines its name or refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum TagKind {
    /// A definition.
    #[serde(rename = "def")]
    Definition,
    /// A reference.
    #[serde(rename = "ref")]
    Reference,
}

/// A tag of a file. The name is a range of the file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag {
    /// First byte of the name.
    pub start: u32,
    /// Length of the name in bytes.
    pub length: u32,
    /// 0-based row of the name; -1 for a reference found by the lexical backfill.
    pub line: i32,
    /// Definition or reference.
    pub kind: TagKind,
}

impl Tag {
    /// The tag's name, given the text it was extracted from.
    pub fn name<'text>(&self, text: &'text str) -> &'text str {
        let start = self.start as usize;
        text.get(start..start + self.length as usize).unwrap_or_default()
    }
}
