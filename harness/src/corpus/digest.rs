//! SHA-256 in lower-case hexadecimal, of bytes and of streams.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::corpus::disk::{At, DiskError};
use crate::sha256::hex;

/// The SHA-256 of some bytes as 64 lower-case hexadecimal digits.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes.as_ref()))
}

/// Copies `from` into `to`; returns the SHA-256 and the number of the bytes copied.
pub fn copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut total = 0;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok((hex(&hasher.finalize()), total)),
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

/// The SHA-256 and the size in bytes of a file.
pub fn of_file(path: &Path) -> Result<(String, u64), DiskError> {
    let mut file = File::open(path).at("open", path)?;
    copy(&mut file, &mut io::sink()).at("read", path)
}

/// Whether `text` is `digits` lower-case hexadecimal digits.
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::{copy, is_hex, sha256};

    /// The test vector of FIPS 180-2.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn known_vector() {
        assert_eq!(sha256("abc"), ABC);
        let mut copied = Vec::new();
        assert_eq!(copy(&mut &b"abc"[..], &mut copied).unwrap(), (ABC.to_owned(), 3));
        assert_eq!(copied, b"abc");
    }

    #[test]
    fn hexadecimal_is_lower_case_and_of_full_length() {
        assert!(is_hex(ABC, 64));
        assert!(!is_hex(&ABC.to_uppercase(), 64));
        assert!(!is_hex(&ABC[1..], 64));
    }
}
