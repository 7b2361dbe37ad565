//! What was extracted from files before, kept from one program to the next.
//!
//! The map itself keeps nothing and knows no store: whoever asks for it may hand in a tag cache. A tag cache
//! serves the enhancement profile alone, and never changes a map.

use std::fmt;

use base::text::{folder::Folder, read::ReadError};

use crate::{language::Language, repo::RepoFile, syntax::Tag};

/// What the bytes of a file are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Their sha256.
    pub sha256: [u8; 32],
    /// What the file system said of the file before they were read, as the tag cache writes it; none if it
    /// could say the same of other bytes.
    pub stamp: Option<[u8; 32]>,
}

/// What was extracted from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Holds the names of the tags: the whole text where it was just read, else any text.
    pub text: String,
    /// The tags, in order of emission.
    pub tags: Vec<Tag>,
    /// Why there are none, if the parser may not see the file.
    pub refused: Option<String>,
}

/// What a tag cache has of a file.
#[derive(Debug)]
pub enum Found {
    /// What was extracted from exactly the bytes that the file has now, and their sha256.
    Kept(Kept, [u8; 32]),
    /// Nothing. These are its bytes.
    Nothing(Vec<u8>, Identity),
}

/// Keeps what was extracted from the files of one root.
pub trait TagCache: fmt::Debug + Sync {
    /// What is kept of a regular file as it is now. A file larger than `most` bytes is not read.
    ///
    /// # Errors
    /// It is larger, or cannot be read.
    fn find(
        &self,
        file: &RepoFile,
        language: &'static Language,
        folder: &Folder,
        most: u64,
    ) -> Result<Found, ReadError>;

    /// Keeps what was extracted from a file of this identity. `by_name` says that the result depends
    /// on the name of the file, too.
    fn keep(
        &self,
        file: &RepoFile,
        language: &'static Language,
        identity: Identity,
        extracted: &Kept,
        by_name: bool,
    );
}
