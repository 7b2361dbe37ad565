//! What a map leaves out, and why.

use serde::{Deserialize, Serialize};

/// A file that gave no tags although its language has a query, or a path that names no file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    /// The path, relative to the root. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub file: String,
    /// The bytes of the path as pairs of hexadecimal digits, if the path is not UTF-8: two such
    /// paths can look the same in `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hex: Option<String>,
    /// The reason, in words.
    pub reason: String,
    /// True if no parser finished the file, or none may parse it.
    #[serde(skip)]
    pub is_unparsed: bool,
    /// True if the reason may be gone the next time although the file stays the same: it could not be
    /// read, or its parser was given up.
    #[serde(skip)]
    pub may_pass: bool,
}

impl Skipped {
    /// A path that is left out.
    pub fn new(file: &str, reason: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            file_hex: None,
            reason: reason.into(),
            is_unparsed: false,
            may_pass: false,
        }
    }

    /// A file that is left out because no parser finished it, or none may parse it.
    pub fn unparsed(file: &str, reason: impl Into<String>) -> Self {
        Self { is_unparsed: true, ..Self::new(file, reason) }
    }

    /// A path that is left out because it is not UTF-8.
    pub fn unnameable(path: &[u8]) -> Self {
        Self {
            file: String::from_utf8_lossy(path).into_owned(),
            file_hex: Some(path.iter().map(|byte| format!("{byte:02x}")).collect()),
            reason: "its name is not valid UTF-8".to_owned(),
            is_unparsed: false,
            may_pass: false,
        }
    }
}
