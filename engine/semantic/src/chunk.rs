//! Chunks: parts as the records that `parity chunks` prints.

use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{File, Part, Place};

/// Number of bytes of the digest that an id keeps.
const ID_BYTES: usize = 16;

/// One chunk. Lines are 1-based and inclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chunk {
    /// The first 16 bytes, in hexadecimal digits, of the SHA-256 of relative path, kind, name,
    /// first line, parent chain and an ordinal, each followed by a zero byte. The ordinal, from 0,
    /// numbers the chunks for which all the others are equal.
    pub id: String,
    /// The path under which the file was opened; `None` if it is not on disk.
    pub file_path: Option<String>,
    /// The file, relative to the root of its project.
    pub relative_path: String,
    /// Its kind (see [`Part::kind`]).
    pub node_kind: &'static str,
    /// Its name (see [`Part::name`]).
    pub name: String,
    /// The enclosing scope, as the language joins names.
    pub parent_name: Option<String>,
    /// Id of the enclosing chunk.
    pub parent_chunk_id: Option<String>,
    /// Ids of the chunks directly inside it, in order.
    pub child_chunk_ids: Vec<String>,
    /// Number of enclosing chunks.
    pub depth: usize,
    /// The declaration in one line.
    pub signature: String,
    /// All of its lines.
    pub full_source: String,
    /// First line, with the comment that documents it.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The first paragraph of its documentation.
    pub documentation: Option<String>,
    /// The trimmed lines of the file's imports whose names occur in the chunk.
    pub relevant_imports: Vec<String>,
    /// Its lines, with each chunk inside it replaced by its signature.
    pub embedding_text: String,
    /// File, scopes and name, joined by ` > `.
    pub breadcrumb: String,
    /// Always `None`: there are no vectors yet.
    pub vector: Option<Vec<i8>>,
    /// SHA-256 of the file's bytes in hexadecimal digits; `None` if the caller did not give it.
    pub content_hash: Option<String>,
    /// Time of the file's last change in milliseconds since 1970; `None` if it is not on disk.
    pub last_modified: Option<u64>,
}

impl File {
    /// All chunks, in the order of the file, under a path relative to the root. Fields that only
    /// the disk can fill are `None`.
    pub fn chunks(&self, relative: &str) -> Vec<Chunk> {
        let places = self.places();
        let ids = ids(relative, &places);
        let mut inside: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (part, id) in self.parts().iter().zip(&ids) {
            if let Some(around) = part.inside {
                inside.entry(around).or_default().push(id.clone());
            }
        }
        let lines = self.lines();
        let chunk = |(at, part): (usize, &Part)| Chunk {
            id: ids.get(at).cloned().unwrap_or_default(),
            file_path: None,
            relative_path: relative.to_owned(),
            node_kind: part.kind,
            name: part.name.clone(),
            parent_name: part.parent.clone(),
            parent_chunk_id: part.inside.and_then(|around| ids.get(around)).cloned(),
            child_chunk_ids: inside.get(&at).cloned().unwrap_or_default(),
            depth: part.depth,
            signature: part.signature.clone(),
            full_source: lines.text(part.start, part.end),
            start_line: part.start,
            end_line: part.end,
            documentation: part.documentation.clone(),
            relevant_imports: part
                .imports
                .iter()
                .map(|line| lines.line(*line).trim().to_owned())
                .collect(),
            embedding_text: lines.collapsed(&places, at),
            breadcrumb: breadcrumb(relative, part),
            vector: None,
            content_hash: None,
            last_modified: None,
        };
        self.parts().iter().enumerate().map(chunk).collect()
    }
}

/// The id of the chunk with index `at` in a file under a path relative to the root.
pub fn id(relative: &str, places: &[Place], at: usize) -> Option<String> {
    let place = places.get(at)?;
    let same = places.iter().take(at).filter(|other| key(other) == key(place)).count();
    Some(identity(relative, place, same))
}

fn ids(relative: &str, places: &[Place]) -> Vec<String> {
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    places
        .iter()
        .map(|place| {
            let same = seen.entry(key(place)).or_default();
            *same += 1;
            identity(relative, place, *same - 1)
        })
        .collect()
}

/// Chunks with equal keys are told apart by the ordinal.
const fn key<'a>(place: &Place<'a>) -> (&'a str, &'a str, u32, Option<&'a str>) {
    (place.kind, place.name, place.start, place.parent)
}

fn identity(relative: &str, place: &Place, ordinal: usize) -> String {
    let mut hasher = Sha256::new();
    let (start, ordinal) = (place.start.to_string(), ordinal.to_string());
    let parent = place.parent.unwrap_or_default();
    for field in [relative, place.kind, place.name, &start, parent, &ordinal] {
        hasher.update(field);
        hasher.update([0]);
    }
    hasher.finalize().iter().take(ID_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn breadcrumb(relative: &str, part: &Part) -> String {
    let parts = [Some(relative), part.parent.as_deref(), Some(part.name.as_str())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" > ")
}
