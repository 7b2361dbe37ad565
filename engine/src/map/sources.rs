//! The texts and tags of all files that a map may rank.

use std::{collections::BTreeMap, fs, io, path::Path};

use rayon::prelude::*;
use serde::Serialize;

use crate::{
    language::{Detected, Language, registry},
    profile::Profile,
    repo::RepoFile,
    syntax::{Tag, extract, watch},
    text::read::read_capped,
};

/// Largest file that the parity profile reads. The comparator has no limit but its memory
/// (`protocols/v1/deviations.toml`, row `huge-files`); dense code costs us 120 bytes a byte.
const PARITY_MAX_BYTES: u64 = 16 << 20;
/// Largest file that the enhancement profile reads: what is larger was not written by people.
const ENHANCEMENT_MAX_BYTES: u64 = 4 << 20;

/// A file that gave no tags although its language has a query, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The path, relative to the root.
    pub file: String,
    /// Why, in words.
    pub reason: String,
}

/// One file with what was extracted from it.
#[derive(Debug)]
pub struct Source {
    /// The file.
    pub file: RepoFile,
    /// Its language, if it has a query.
    pub language: Option<&'static Language>,
    /// Its text; empty for files that yield no tags.
    pub text: String,
    /// Its tags, in order of emission.
    pub tags: Vec<Tag>,
}

/// All sources in order of their absolute paths; a file's position is its id.
#[derive(Debug)]
pub struct Sources {
    /// The files.
    pub files: Vec<Source>,
    /// Files that gave no tags against expectation.
    pub skipped: Vec<Skipped>,
}

/// What bounds the reading of one file.
#[derive(Debug, Clone, Copy)]
struct Limits {
    profile: Profile,
    max_bytes: u64,
}

impl Limits {
    const fn of(profile: Profile) -> Self {
        let max_bytes = match profile {
            Profile::Parity => PARITY_MAX_BYTES,
            Profile::Enhancement => ENHANCEMENT_MAX_BYTES,
        };
        Self { profile, max_bytes }
    }
}

impl Sources {
    /// Reads and parses files on all threads. The result does not depend on their number.
    /// Files whose id is in `avoided` are not parsed.
    pub fn extract(
        files: &BTreeMap<String, RepoFile>,
        profile: Profile,
        avoided: &BTreeMap<u64, String>,
    ) -> Self {
        let limits = Limits::of(profile);
        let mut results: Vec<(Source, Option<Skipped>)> = files
            .values()
            .collect::<Vec<_>>()
            .into_par_iter()
            .with_max_len(8)
            .map(|file| one(file, limits, avoided))
            .collect();
        let skipped = results.iter_mut().filter_map(|(_, skipped)| skipped.take()).collect();
        Self { files: results.into_iter().map(|(source, _)| source).collect(), skipped }
    }

    /// The id of the file at an absolute path.
    pub fn id(&self, abs: &str) -> Option<usize> {
        self.files.binary_search_by(|source| source.file.abs.as_str().cmp(abs)).ok()
    }
}

fn one(
    file: &RepoFile,
    limits: Limits,
    avoided: &BTreeMap<u64, String>,
) -> (Source, Option<Skipped>) {
    let bare =
        |language| Source { file: file.clone(), language, text: String::new(), tags: Vec::new() };
    let skip = |reason: String| Some(Skipped { file: file.rel.clone(), reason });
    // What is no regular file is never opened: a pipe would wait for its writer for ever.
    if !file.is_file {
        return (bare(None), skip(what_instead(Path::new(&file.abs))));
    }
    let Detected::Tagged(language) = registry().detect(&file.abs, limits.profile) else {
        return (bare(None), None);
    };
    if let Some(reason) = avoided.get(&watch::file_id(&file.rel)) {
        return (bare(Some(language)), skip(reason.clone()));
    }
    let text = match read_capped(Path::new(&file.abs), limits.max_bytes) {
        Ok(text) => text,
        Err(error) => return (bare(Some(language)), skip(error.to_string())),
    };
    match watch::marked(&file.rel, || extract(language, &file.abs, &text)) {
        Ok(tags) if tags.is_empty() => (bare(Some(language)), None),
        Ok(tags) => (Source { file: file.clone(), language: Some(language), text, tags }, None),
        Err(error) => (bare(Some(language)), skip(error.to_string())),
    }
}

/// What stands where a regular file was expected, in words.
fn what_instead(path: &Path) -> String {
    use std::os::unix::fs::FileTypeExt;
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "does not exist".to_owned(),
        Err(error) => format!("cannot be read: {error}"),
        Ok(metadata) => {
            let kind = metadata.file_type();
            let kinds = [
                (kind.is_dir(), "is a directory"),
                (kind.is_symlink(), "is a symbolic link that leads back to itself"),
                (kind.is_fifo(), "is a pipe, not a regular file"),
                (kind.is_socket(), "is a socket, not a regular file"),
            ];
            let found = kinds.iter().find(|(is, _)| *is).map(|(_, what)| *what);
            found.unwrap_or("is a device, not a regular file").to_owned()
        }
    }
}
