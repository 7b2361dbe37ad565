//! Under which key something is found.

use serde::{Deserialize, Serialize};

/// The most bytes of a key.
const MOST: usize = 200;

/// A key: 1 to 200 letters, digits, `.`, `_` and `-`, which begin with a letter or digit. So it is one part of a path on
/// every system, and the same there and in the protocol of S3.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

/// A text that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no key: 1 to {MOST} letters, digits, '.', '_' and '-', the first of them a letter or digit"
)]
pub struct NotAKey(String);

impl Key {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Key {
    type Error = NotAKey;

    fn try_from(text: String) -> Result<Self, NotAKey> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let begins_well = text.starts_with(|first: char| first.is_ascii_alphanumeric());
        if begins_well && text.len() <= MOST && text.bytes().all(is_part) {
            Ok(Self(text))
        } else {
            Err(NotAKey(text))
        }
    }
}

impl std::str::FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        text.to_owned().try_into()
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn a_key_is_one_plain_part_of_a_path() {
        for text in ["a", "0", "requests-2.32.3", "A_b.c-d", &"k".repeat(200)] {
            assert_eq!(text.parse::<Key>().unwrap().as_str(), text);
        }
        for text in [
            "",
            ".",
            "..",
            ".a",
            "-a",
            "_a",
            "a/b",
            "a b",
            "a#1",
            "a%20",
            "ä",
            "a\n",
            &"k".repeat(201),
        ] {
            assert!(text.parse::<Key>().is_err(), "{text:?}");
        }
    }
}
