//! SHA-256 as lower-case hexadecimal text, the only form in which digests are stored.

use sha2::{Digest, Sha256};

/// Running digest of a stream.
#[derive(Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of everything added, as 64 hexadecimal digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// The digest of `bytes`, as 64 hexadecimal digits.
pub fn of(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.update(bytes);
    hasher.finish()
}

/// Lower-case hexadecimal, two digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('?');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Whether `text` is lower-case hexadecimal of exactly one of the `lengths` (in digits).
pub fn is_hex(text: &str, lengths: &[usize]) -> bool {
    lengths.contains(&text.len())
        && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_empty_message_has_its_published_digest() {
        let published = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(super::of(b""), published);
    }

    #[test]
    fn hexadecimal_is_lower_case_and_sized() {
        assert!(super::is_hex("00ff", &[4]));
        assert!(!super::is_hex("00FF", &[4]));
        assert!(!super::is_hex("00f", &[4]));
    }
}
