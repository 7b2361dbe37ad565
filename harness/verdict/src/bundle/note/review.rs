//! What a reviewer says who verified a bundle and signed it, too.

use serde::{Deserialize, Serialize};

use super::{Predicate, is_moment, is_plain};

/// The longest comment, in bytes.
pub const MAX_COMMENT: usize = 4096;

/// What a reviewer says about a bundle.
// Fields in alphabetical order of their JSON names, see `json::canonical`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Review {
    /// What the reviewer says; may be empty.
    pub comment: String,
    /// Digest of the reference that the reviewer verified it against; empty if there was none.
    pub reference: String,
    /// The role in which the reviewer signs.
    pub role: String,
    /// When, in UTC, by the reviewer's clock.
    pub signed_at: String,
}

/// A review, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reviewed {
    /// The id of the key.
    pub keyid: String,
    /// What its owner says.
    #[serde(flatten)]
    pub review: Review,
}

impl Review {
    /// The day on which it was signed, as `2026-11-23`.
    pub fn day(&self) -> &str {
        self.signed_at.get(..10).unwrap_or_default()
    }
}

impl Predicate for Review {
    const KIND: &str = "review";
    const TYPE: &str = "urn:parity:review:1";

    fn check(&self) -> Result<(), &'static str> {
        if self.comment.len() > MAX_COMMENT {
            Err("the comment has more than 4096 bytes")
        } else if !is_plain(&self.comment, true) {
            Err("the comment has a control character")
        } else if self.role.is_empty() || !is_plain(&self.role, false) {
            Err("the role is empty or has a control character")
        } else if !self.reference.is_empty() && !record::digest::is_hex(&self.reference, &[64]) {
            Err("the reference is no sha256")
        } else if !is_moment(&self.signed_at) {
            Err("its date is not of the form 2026-11-23T01:30:00Z")
        } else {
            Ok(())
        }
    }
}
