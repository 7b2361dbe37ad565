//! What was made from files earlier, kept from one run of a program to the next: their tags, and whole
//! maps.
//!
//! The map itself stores nothing: a caller may pass in a tag cache. A tag cache is used in the
//! enhancement profile only, and never changes a map.

use std::fmt;

use base::text::{folder::Folder, read::ReadError};

use crate::{facts::Facts, finished::FinishedMap, language::Language, repo::RepoFile, syntax::Tag};

/// What identifies the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Their sha256.
    pub sha256: [u8; 32],
    /// The file's stamp from before its bytes were read, in the format of the tag cache; `None` if
    /// other bytes could have the same stamp.
    pub stamp: Option<[u8; 32]>,
}

/// What was extracted from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// A text with the names of the tags: the whole text if the file was just read, otherwise any
    /// text that contains them.
    pub text: String,
    /// The tags, in order of emission.
    pub tags: Vec<Tag>,
    /// Why there are no tags, if the file must not be parsed.
    pub refused: Option<String>,
    /// What else is known of the text; `None` if the file must not be parsed.
    pub facts: Option<Facts>,
}

/// The stamps of files, and the code by which maps are made of them.
#[derive(Debug)]
pub struct Stamps {
    /// Digest of everything besides files and question that decides what a map shows.
    pub code: [u8; 32],
    /// The stamp of each file; `None` of one that is no regular file, and of one that could have other
    /// bytes under the same stamp, because it has just been written.
    pub of_files: Vec<Option<[u8; 32]>>,
}

/// What a tag cache has of a file.
#[derive(Debug)]
pub enum Found {
    /// What was extracted from the present bytes of the file, and their sha256.
    Kept(Kept, [u8; 32]),
    /// Nothing. The bytes of the file are returned instead.
    Nothing(Vec<u8>, Identity),
}

/// Keeps what was extracted from the files of one root.
pub trait TagCache: fmt::Debug + Sync {
    /// Looks up a regular file as it is now. A file larger than `most` bytes is not read.
    ///
    /// # Errors
    /// The file is larger, or cannot be read.
    fn find(
        &self,
        file: &RepoFile,
        language: &'static Language,
        folder: &Folder,
        most: u64,
    ) -> Result<Found, ReadError>;

    /// Stores what was extracted from a file with this identity. `by_name` says that the result
    /// also depends on the name of the file.
    fn keep(
        &self,
        file: &RepoFile,
        language: &'static Language,
        identity: Identity,
        extracted: &Kept,
        by_name: bool,
    );

    /// The stamps of some files, taken without reading them; `None` if neither maps nor graphs are
    /// kept.
    fn stamps(&self, files: &[&RepoFile]) -> Option<Stamps> {
        let _ = files;
        None
    }

    /// The map that was made for a key.
    fn finished(&self, key: [u8; 32]) -> Option<FinishedMap> {
        let _ = key;
        None
    }

    /// Stores a map that was made for a key.
    fn keep_finished(&self, key: [u8; 32], map: &FinishedMap) {
        let _ = (key, map);
    }

    /// The row of the graph that was last built, and the key that it was built for.
    fn graph(&self) -> Option<([u8; 32], Vec<u8>)> {
        None
    }

    /// The postings that were stored with that row, if it was stored for this key.
    fn postings(&self, key: [u8; 32]) -> Option<Vec<u8>> {
        let _ = key;
        None
    }

    /// Stores the row of a graph that was built for a key, and its postings, in the place of any others.
    fn keep_graph(&self, key: [u8; 32], row: Vec<u8>, postings: Option<Vec<u8>>) {
        let _ = (key, row, postings);
    }

    /// The row of the lines by which definitions are shown, if it was stored for this key.
    fn signatures(&self, key: [u8; 32]) -> Option<Vec<u8>> {
        let _ = key;
        None
    }

    /// Stores such a row, in the place of any other.
    fn keep_signatures(&self, key: [u8; 32], row: Vec<u8>) {
        let _ = (key, row);
    }
}
