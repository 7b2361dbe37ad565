//! SHA-256 digests as lower-case hexadecimal text, the only form in which they are stored.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest: 64 lower-case hexadecimal digits, checked when it is read. It can hold nothing
/// else, so it is safe as a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

/// A text that is not a digest.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no sha256 digest (64 lower-case hexadecimal digits)")]
pub struct NotADigest(String);

/// Running digest of a stream.
#[derive(Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of everything added.
    pub fn finish(self) -> Digest {
        Digest(hex::encode(self.0.finalize()))
    }
}

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(hex::encode(Sha256::digest(bytes.as_ref())))
    }

    /// The digest of a file's content, read in pieces.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Ok(copy(&mut File::open(path)?, &mut io::sink())?.0)
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
        Ok(Self::of(lines))
    }

    /// The hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The digest of some bytes as text, for formats whose digests are plain texts.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Digest::of(bytes).into()
}

/// Copies `from` into `to`; returns the digest and the number of the bytes copied.
pub fn copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<(Digest, u64)> {
    let mut hasher = Hasher::default();
    let mut total = 0;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finish(), total)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = buffer.get(..read).unwrap_or_default();
        hasher.update(bytes);
        to.write_all(bytes)?;
        total += read as u64;
    }
}

/// Whether `text` is lower-case hexadecimal of exactly one of the `lengths` (in digits).
pub fn is_hex(text: &str, lengths: &[usize]) -> bool {
    lengths.contains(&text.len())
        && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Self, NotADigest> {
        if is_hex(&text, &[64]) { Ok(Self(text)) } else { Err(NotADigest(text)) }
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

    /// The test vector of FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn matches_the_published_example() {
        assert_eq!(Digest::of("abc").as_str(), ABC);
        let mut copied = Vec::new();
        assert_eq!(copy(&mut &b"abc"[..], &mut copied).unwrap(), (Digest::of("abc"), 3));
        assert_eq!(copied, b"abc");
        assert_eq!(Hasher::default().finish(), Digest::of(""));
    }

    #[test]
    fn hexadecimal_is_lower_case_and_of_full_length() {
        assert!(is_hex(ABC, &[40, 64]));
        assert!(!is_hex(&ABC.to_uppercase(), &[64]));
        assert!(!is_hex(&ABC[1..], &[64]));
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
