//! A kept graph, decoded: it has everything that tells whether the graph still fits.

use super::{
    file::File,
    row::{CHECKSUM, Row, opened},
};
use crate::{
    Skipped,
    graph::Network,
    language::{Language, registry},
};

/// The graph of some files as they were when it was built.
#[derive(Debug)]
pub struct StoredGraph {
    /// The checksum of its row.
    pub checksum: [u8; CHECKSUM],
    /// The languages of the files.
    pub languages: Vec<Option<&'static Language>>,
    /// The files.
    pub files: Vec<File>,
    /// Files without tags that should have some.
    pub skipped: Vec<Skipped>,
    /// The identifiers, one after the other, and where each of them ends.
    pub names: String,
    pub name_ends: Vec<u32>,
    /// Edges and definitions.
    pub network: Network,
}

impl StoredGraph {
    /// The graph of a row; `None` if the row is damaged.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let row: Row = opened(bytes)?;
        let name_ends = row.name_ends()?;
        let (count, idents) = (row.file_count(), name_ends.len());
        let network = || row.network(count, idents, row.defined(count, idents)?);
        let (files, network) = rayon::join(|| row.files(), network);
        let skipped = row.skipped.iter().map(|(path, reason, is_unparsed)| Skipped {
            is_unparsed: *is_unparsed,
            ..Skipped::new(path, *reason)
        });
        Some(Self {
            checksum: *bytes.first_chunk()?,
            languages: row.keys.iter().map(|key| registry().by_key(key)).collect(),
            files: files?,
            skipped: skipped.collect(),
            names: row.names.to_owned(),
            network: network?,
            name_ends,
        })
    }
}
