//! SHA-256 digests as lower-case hexadecimal names.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::sha256::hex;

/// A SHA-256 digest: 64 lower-case hexadecimal digits, checked when it is read. Because nothing
/// else fits, it is safe as a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

/// A text that is no digest.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no sha256 digest (64 lower-case hexadecimal digits)")]
pub struct NotADigest(String);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(hex(&Sha256::digest(bytes)))
    }

    /// The digest of a file's content, read in pieces.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = std::fs::File::open(path)?;
        let mut hasher = Sha256::new();
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let count = file.read(&mut chunk)?;
            if count == 0 {
                return Ok(Self(hex(&hasher.finalize())));
            }
            hasher.update(chunk.get(..count).unwrap_or_default());
        }
    }

    /// The digest of a set of files below `folder`, as the comparator's driver computes its own:
    /// over the lines `path sha256`, in the order given.
    pub fn of_files(folder: &Path, files: &[String]) -> io::Result<Self> {
        let mut lines = String::new();
        for file in files {
            let digest = Self::of_file(&folder.join(file)).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", folder.join(file).display()))
            })?;
            lines.extend([file, " ", digest.as_str(), "\n"]);
        }
        Ok(Self::of(lines.as_bytes()))
    }

    /// The hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Self, NotADigest> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if digits && text.len() == 64 { Ok(Self(text)) } else { Err(NotADigest(text)) }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_example() {
        // FIPS 180-2, appendix B.1.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").as_str(), known);
    }

    #[test]
    fn refuses_what_is_no_digest() {
        let good = "a".repeat(63) + "0";
        assert!(Digest::try_from(good.clone()).is_ok());
        for bad in
            [String::new(), good.to_uppercase(), good[1..].to_owned(), format!("../{}", &good[3..])]
        {
            assert!(Digest::try_from(bad.clone()).is_err(), "{bad}");
            assert!(serde_json::from_value::<Digest>(bad.into()).is_err());
        }
    }
}
