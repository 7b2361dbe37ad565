//! What can go wrong with the store.

use std::{io, path::PathBuf};

use rusqlite::ErrorCode;

/// Why the store did not do what it was asked to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such content, or the session may not see it. The two cases are not
    /// distinguished.
    #[error("there is nothing of this id that the session may see")]
    NotVisible,
    /// The request itself is wrong.
    #[error("{0}")]
    Request(String),
    /// The session does not exist, and the path does not create one.
    #[error("there is no session {0}")]
    NoSession(String),
    /// A content that is kept by its path has changed since it was stored.
    #[error("{} is no longer what was stored", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A stored content is not what was put in.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The file is not a store, or it is a store of a newer version.
    #[error("{} {what}", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: &'static str,
    },
    /// The database reported an error.
    #[error("the store cannot be used: {0}")]
    Database(rusqlite::Error),
    /// A file or a stream could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Database(error),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(error.into())
    }
}
