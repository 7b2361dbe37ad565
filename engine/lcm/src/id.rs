//! Ids: a prefix that says what it is, and 16 hex digits of a SHA-256.

use sha2::{Digest as _, Sha256};

const FILE: &str = "file_";
const SUMMARY: &str = "sum_";
/// Hex digits of an id.
const DIGITS: usize = 16;

/// What an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A large content.
    File,
    /// A summary of messages.
    Summary,
}

impl Kind {
    /// What an id names by its form; none if it is no id of the store.
    pub fn of(id: &str) -> Option<Self> {
        let named = |prefix: &str| {
            id.strip_prefix(prefix).is_some_and(|digits| {
                digits.len() == DIGITS
                    && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
            })
        };
        if named(FILE) {
            return Some(Self::File);
        }
        named(SUMMARY).then_some(Self::Summary)
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::File => FILE,
            Self::Summary => SUMMARY,
        }
    }

    /// The id of something in a session. 64 bits of a digest can be the same for two things, and
    /// ids never may: whoever finds the id taken by another thing asks for the next attempt.
    pub(crate) fn id(self, session: &str, parts: &[&[u8]], attempt: u64) -> String {
        let mut hasher = Sha256::new();
        if attempt > 0 {
            hasher.update(format!("{attempt}\0"));
        }
        hasher.update(session);
        for part in parts {
            hasher.update(b":");
            hasher.update(part);
        }
        let digest = hex::encode(hasher.finalize());
        format!("{}{}", self.prefix(), digest.get(..DIGITS).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    // The digest is `printf 's:hello' | sha256sum`.
    #[test]
    fn ids_are_the_first_digits_of_a_digest_over_session_and_content() {
        assert_eq!(Kind::File.id("s", &[b"hello"], 0), "file_159051e9a9d711b9");
        assert_ne!(Kind::File.id("s", &[b"hello"], 0), Kind::File.id("s", &[b"hello"], 1));
    }

    #[test]
    fn only_whole_ids_are_ids() {
        assert_eq!(Kind::of("file_0123456789abcdef"), Some(Kind::File));
        assert_eq!(Kind::of("sum_0123456789abcdef"), Some(Kind::Summary));
        for other in ["", "file_", "file_0123456789abcde", "file_0123456789ABCDEF", "sum_x", "x"] {
            assert_eq!(Kind::of(other), None, "{other}");
        }
    }
}
