//! The facts of a text without a known structure.

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The facts that can be counted in any text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextFields {
    /// Size in bytes.
    pub size: u64,
    /// Number of lines: line feeds, and one more for text after the last of them.
    pub line_count: usize,
    /// Number of words: runs of signs other than white space.
    pub word_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

masked! {
    TextFields { size, line_count, word_count, encoding, sampled }
}
