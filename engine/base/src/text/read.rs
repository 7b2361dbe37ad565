//! Reading a source file as Python's text mode does: strict UTF-8, universal newlines.

/// Why a file has no text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not UTF-8. The field is the offset of the first invalid byte.
    #[error("not valid UTF-8 at byte {0}")]
    Encoding(usize),
    /// The file is larger than the cap.
    #[error("too large: {size} bytes, {cap} are read at most")]
    TooLarge {
        /// Its size in bytes, as far as it is known.
        size: u64,
        /// The cap, in bytes.
        cap: u64,
    },
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// Decodes a source file as strict UTF-8. `\r\n` and a lone `\r` become `\n`; a byte order mark is
/// kept.
pub fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    let text = String::from_utf8(bytes)
        .map_err(|error| ReadError::Encoding(error.utf8_error().valid_up_to()))?;
    Ok(universal_newlines(text))
}

/// Turns every `\r\n` and every lone `\r` into `\n`.
pub fn universal_newlines(text: String) -> String {
    if !text.as_bytes().contains(&b'\r') {
        return text;
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::universal_newlines;

    #[test]
    fn every_line_end_becomes_a_newline() {
        assert_eq!(universal_newlines("a\r\nb\rc\n\r\n".to_owned()), "a\nb\nc\n\n");
    }
}
