//! The facts of a text without a known structure.

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// What can be counted in any text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextFields {
    /// Size in bytes.
    pub size: u64,
    /// Lines: line feeds, and what stands behind the last one.
    pub line_count: usize,
    /// Words: runs of signs that are not white space.
    pub word_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

masked! {
    TextFields { size, line_count, word_count, encoding, sampled }
}
