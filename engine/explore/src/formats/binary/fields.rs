//! The facts of bytes without a known structure.

use serde::Serialize;

use crate::masked::masked;

/// Facts about any bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BinaryFields {
    /// False if the first bytes look like text.
    pub is_binary: bool,
    /// Size in bytes.
    pub size: u64,
    /// MIME type, judged by the first bytes or the name; `application/octet-stream` if neither
    /// tells.
    pub mime_type: &'static str,
    /// The type in words, such as `Java class`; `unknown` if nothing tells.
    pub kind: &'static str,
}

masked! {
    BinaryFields { is_binary, size, mime_type, kind }
}
