//! Why the store cannot do something.

use std::{io, path::PathBuf};

use record::{Digest, exit};

use crate::Kind;

/// Why the store cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The place is none.
    #[error(
        "{url:?} is no store: {why}; write file:///FOLDER or s3://BUCKET/FOLDER (AWS_ENDPOINT, AWS_ACCESS_KEY_ID, \
         AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ALLOW_HTTP=true for a server without encryption)"
    )]
    Place {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The service did not do what it was asked for, after all tries.
    #[error("{action} {path} in {place} failed: {why}; check that the service runs and try again")]
    Service {
        /// `reading`, `writing`, `listing` or `removing`.
        action: &'static str,
        /// The object or name.
        path: String,
        /// The store.
        place: String,
        /// What was said.
        why: String,
    },
    /// What was read is not what it should be.
    #[error(
        "{path} in {place} is damaged: {why}; nothing was taken from it; `parity store verify` lists all that is damaged"
    )]
    Damaged {
        /// The object or name.
        path: String,
        /// The store.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// The key stands for other bytes already.
    #[error(
        "{kind}/{key} in {place} is {there}, and is not replaced by {here}; if that is the right one, remove the other: \
         `parity store gc --remove {kind}/{key}`"
    )]
    Taken {
        /// The kind.
        kind: Kind,
        /// The key.
        key: String,
        /// The store.
        place: String,
        /// Digest of the object that is there.
        there: Digest,
        /// Digest of the one that was to be put there.
        here: Digest,
    },
    /// It is too long.
    #[error("{what} has more than {most} bytes, which is the most that a store takes")]
    TooLong {
        /// What it is.
        what: String,
        /// The most bytes.
        most: u64,
    },
    /// An archive of a folder is none of ours.
    #[error("the archive is refused: {0}")]
    Archive(String),
    /// A file of this machine cannot be read or written.
    #[error("{} cannot be {action}: {error}", path.display())]
    File {
        /// `read` or `written`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl Error {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Place { .. } | Self::TooLong { .. } => exit::USAGE,
            Self::Service { .. } | Self::File { .. } => exit::IO,
            Self::Damaged { .. } | Self::Taken { .. } | Self::Archive(_) => exit::DIGEST,
        }
    }
}
