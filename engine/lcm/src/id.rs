//! Ids: a prefix that says what the id names, and 16 hexadecimal digits of a SHA-256.

use sha2::{Digest as _, Sha256};

const FILE: &str = "file_";
const SUMMARY: &str = "sum_";
/// Number of hexadecimal digits in an id.
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
    /// The kind of an id, judged by its form; `None` if it is not an id of the store.
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

    /// The id of something in a session. Two things may share 64 bits of a digest, but must not
    /// share an id: if the id belongs to something else already, call this again with the next
    /// `attempt`.
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
