//! Reading a source file as Python's text mode does: strict UTF-8, universal newlines.

use std::{fs, io::Read as _, path::Path};

/// Why a file has no text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not UTF-8.
    #[error("not valid UTF-8 at byte {0}")]
    Encoding(usize),
    /// The file is larger than what is read.
    #[error("too large: {size} bytes, {cap} are read at most")]
    TooLarge {
        /// Its size, as far as it is known.
        size: u64,
        /// The cap.
        cap: u64,
    },
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// Reads a whole file of at most `cap` bytes, as [`read_text`] does. No more than the cap is ever
/// held in memory, whatever the file claims or becomes meanwhile.
pub fn read_capped(path: &Path, cap: u64) -> Result<String, ReadError> {
    let file = fs::File::open(path)?;
    let size = file.metadata()?.len();
    if size > cap {
        return Err(ReadError::TooLarge { size, cap });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(cap + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > cap {
        return Err(ReadError::TooLarge { size: bytes.len() as u64, cap });
    }
    decode(bytes)
}

/// Reads a whole file. `\r\n` and a lone `\r` become `\n`; a byte order mark is kept.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    decode(fs::read(path)?)
}

fn decode(bytes: Vec<u8>) -> Result<String, ReadError> {
    let text = String::from_utf8(bytes)
        .map_err(|error| ReadError::Encoding(error.utf8_error().valid_up_to()))?;
    Ok(universal_newlines(text))
}

/// Turns every line end of the Mac and DOS kinds into `\n`.
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
