//! Whole maps that were made earlier, kept from one run of a program to the next.
//!
//! A finished map may be served again only if nothing that it depends on has changed. Its key is a
//! digest of the question and of the state of all files: the question is what was asked and what git
//! listed (`prepared.rs`), the state is what the tag cache knows of the files without reading them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
};

use base::{memory, text::open};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    repo::{RepoFile, Universe},
    request::MapRequest,
    skipped::Skipped,
    tag_cache::Stamps,
};

/// A map without its trace, as it can be kept. Numbers that are not whole are kept as the bits of a
/// float, so that they come back exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedMap {
    /// The map, if there is one.
    pub text: Option<String>,
    /// Why there is none.
    pub reason: Option<String>,
    /// The bits of the estimate of the map, in tokens.
    pub token_bits: u64,
    /// The bits of the budget of the last search, in tokens; `None` if there was no search.
    pub target_bits: Option<u64>,
    /// Number of files with tags, by language key.
    pub languages: BTreeMap<String, usize>,
    /// Files that should have tags but have none, and whether no parser finished them.
    pub skipped: Vec<(Skipped, bool)>,
}

/// The digest of everything that a map depends on besides the bytes of the files: what was asked,
/// which files there are (`listing`), and what HEAD has of them.
pub fn question(
    request: &MapRequest,
    universe: &Universe,
    listing: [u8; 32],
    chat_ids: &BTreeSet<usize>,
) -> [u8; 32] {
    let mut hasher = Sha256::new();
    let mut field = |bytes: &[u8]| add(&mut hasher, bytes);
    let MapRequest {
        // The universe and the files say what these led to.
        repo: _,
        scope: _,
        chat,
        read_only,
        mentions,
        map_tokens,
        multiplier,
        model,
        profile,
        count,
        explain,
        without,
        languages,
        avoided,
    } = request;
    let bits = map_tokens.map(f64::to_bits);
    let asked = format!(
        "{chat:?} {read_only:?} {mentions:?} {bits:?} {} {model:?} {profile:?} {count:?} {explain} {without:?} {:?} {avoided:?} {}",
        multiplier.to_bits(),
        languages.keys(),
        memory::most_code(),
    );
    field(asked.as_bytes());
    // Git's ignore rules decide which files of the chat count.
    field(format!("{chat_ids:?}").as_bytes());
    field(universe.root.as_os_str().as_encoded_bytes());
    field(format!("{:?}", universe.source).as_bytes());
    field(universe.committed.listing());
    field(&(universe.listed.len() as u64).to_le_bytes());
    for name in &universe.listed {
        field(name.as_bytes());
    }
    for skipped in &universe.skipped {
        field(format!("{skipped:?}").as_bytes());
    }
    hasher.update(listing);
    hasher.finalize().into()
}

/// The digest of everything that the graph of a plain question depends on besides names and imports of
/// the files: which files there are, and what is asked for in another way than usual.
pub fn plain_question(request: &MapRequest, listing: [u8; 32]) -> [u8; 32] {
    let MapRequest { without, languages, .. } = request;
    let asked = format!("{without:?} {:?} {}", languages.keys(), memory::most_code());
    let mut hasher = Sha256::new();
    add(&mut hasher, asked.as_bytes());
    hasher.chain_update(listing).finalize().into()
}

/// Adds some bytes to a digest, after their number.
fn add(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// The digest of the names of some files, and of what stands in the place of those that are no files.
pub fn listing(files: &[&RepoFile]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    let mut field = |bytes: &[u8]| add(&mut hasher, bytes);
    for file in files {
        let RepoFile { rel, abs, is_file } = file;
        field(rel.as_bytes());
        field(abs.as_bytes());
        field(if *is_file { b"" } else { b"no file" });
        if !is_file {
            field(what_instead(file).as_bytes());
        }
    }
    hasher.finalize().into()
}

/// The key of a finished map; `None` if a file could have other bytes than those that its stamp was
/// taken of.
pub fn key(question: [u8; 32], files: &[&RepoFile], stamps: &Stamps) -> Option<[u8; 32]> {
    let mut hasher = Sha256::new().chain_update(question).chain_update(stamps.code);
    for (file, stamp) in files.iter().zip(&stamps.of_files).filter(|(file, _)| file.is_file) {
        add(&mut hasher, file.abs.as_bytes());
        hasher.update((*stamp)?);
    }
    Some(hasher.finalize().into())
}

/// The key of the graph of a plain question.
pub fn graph_key(question: [u8; 32], stamps: &Stamps) -> [u8; 32] {
    Sha256::new().chain_update(question).chain_update(stamps.code).finalize().into()
}

/// In words, what was found instead of a regular file.
pub fn what_instead(file: &RepoFile) -> String {
    if file.is_outside() {
        return "lies outside of the repository".to_owned();
    }
    match fs::symlink_metadata(&file.abs) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "does not exist".to_owned(),
        Err(error) => format!("cannot be read: {error}"),
        Ok(metadata) => {
            let kind = metadata.file_type();
            if kind.is_symlink() {
                return "is a symbolic link that leads back to itself".to_owned();
            }
            format!("is {}, not a regular file", open::kind_in_words(kind))
        }
    }
}
