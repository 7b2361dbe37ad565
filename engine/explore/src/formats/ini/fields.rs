//! The facts of INI files and similar ones.

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of a configuration file. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IniFields {
    /// The dialect that it was read as: `ini`, `unit`, `properties` or `env`.
    pub dialect: &'static str,
    /// Number of headers, and one more if there are keys before the first.
    pub section_count: u64,
    /// Number of keys; repeated ones count each time.
    pub total_keys: u64,
    /// Number of distinct keys per section, summed over all sections.
    pub distinct_keys: usize,
    /// Number of comments.
    pub comment_count: u64,
    /// Number of lines that are none of these.
    pub other_lines: u64,
    /// False if there are more sections or keys than are listed.
    pub keys_complete: bool,
    /// Names of the sections in order.
    pub sections: Vec<String>,
    /// The sections in order.
    pub parsed_sections: Vec<Section>,
    /// Number of lines.
    pub line_count: u64,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only the beginning of the file was read.
    pub sampled: bool,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its name; `(global)` for keys before the first header.
    pub name: String,
    /// The line of its header.
    pub line: u64,
    /// Number of its keys; repeated ones count each time.
    pub key_count: u64,
    /// Its keys in order.
    pub keys: Vec<Key>,
}

/// A key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Its name.
    #[serde(rename = "key")]
    pub name: String,
    /// Its value, if it has one; `****` where it looks like a secret.
    pub value: Option<String>,
    /// Its line.
    pub line: u64,
}

masked! {
    IniFields {
        dialect, section_count, total_keys, distinct_keys, comment_count, other_lines,
        keys_complete, sections, parsed_sections, line_count, encoding, sampled,
    }
    Section { name, line, key_count, keys }
    Key { name, value, line }
}
