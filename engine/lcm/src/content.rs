//! Contents on their way into the store and out of it: bytes of any kind.

use std::{borrow::Cow, path::Path};

use base::{text::open, tokens::Counter};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Error;

/// Maximum size of a content, in bytes: 512 MiB. SQLite's own limit for a value is just below 1 GB.
pub const LARGEST: u64 = 512 << 20;

/// Where a content comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// Bytes in memory.
    Bytes(&'a [u8]),
    /// A regular file.
    File(&'a Path),
}

impl<'a> Source<'a> {
    /// All bytes, at most [`LARGEST`].
    ///
    /// # Errors
    /// The content is larger, or the file cannot be read.
    pub fn bytes(self) -> Result<Cow<'a, [u8]>, Error> {
        match self {
            Self::Bytes(bytes) if bytes.len() as u64 > LARGEST => {
                Err(Error::Request(format!("a content has at most {LARGEST} bytes")))
            }
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::File(path) => open::bytes(path, LARGEST).map(Cow::Owned).map_err(|error| {
                Error::Io(std::io::Error::other(format!("{}: {error}", path.display())))
            }),
        }
    }
}

/// Bytes as JSON can hold them: `text` if they are UTF-8, else `base64`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The text.
    Text(String),
    /// The bytes in standard base64 with padding.
    Base64(String),
}

impl Content {
    /// Wraps bytes as text if they are UTF-8, else as base64.
    pub fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Base64(BASE64_STANDARD.encode(error.as_bytes())),
        }
    }

    /// The wrapped bytes.
    ///
    /// # Errors
    /// The base64 is not valid.
    pub fn into_bytes(self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Text(text) => Ok(text.into_bytes()),
            Self::Base64(text) => BASE64_STANDARD
                .decode(text)
                .map_err(|error| Error::Request(format!("base64: {error}"))),
        }
    }
}

/// Number of tokens of a content. Bytes that are not UTF-8 count as the replacement character.
pub(crate) fn tokens(bytes: &[u8]) -> u64 {
    Counter.count(&String::from_utf8_lossy(bytes)) as u64
}

/// The sha256 of a content in lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::Content;

    #[test]
    fn every_byte_sequence_comes_back() {
        for bytes in [&b""[..], b"plain \0 text", b"\xff\xfe", b"caf\xe9", "\u{feff}x".as_bytes()] {
            let content = Content::of(bytes.to_vec());
            let json = serde_json::to_string(&content).unwrap();
            let back: Content = serde_json::from_str(&json).unwrap();
            assert_eq!(back.into_bytes().unwrap(), bytes);
        }
        assert!(Content::Base64("?".to_owned()).into_bytes().is_err());
    }
}
