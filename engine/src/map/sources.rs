//! The texts and tags of all files that a map may rank.

use std::{collections::BTreeMap, fs, io, path::Path};

use rayon::prelude::*;
use serde::Serialize;

use crate::{
    language::{Detected, Language, registry},
    profile::Profile,
    repo::RepoFile,
    syntax::{Tag, extract},
    text::read::read_text,
};

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

impl Sources {
    /// Reads and parses files on all threads. The result does not depend on their number.
    pub fn extract(files: &BTreeMap<String, RepoFile>, profile: Profile) -> Self {
        let mut results: Vec<(Source, Option<Skipped>)> = files
            .values()
            .collect::<Vec<_>>()
            .into_par_iter()
            .with_max_len(8)
            .map(|file| one(file, profile))
            .collect();
        let skipped = results.iter_mut().filter_map(|(_, skipped)| skipped.take()).collect();
        Self { files: results.into_iter().map(|(source, _)| source).collect(), skipped }
    }

    /// The id of the file at an absolute path.
    pub fn id(&self, abs: &str) -> Option<usize> {
        self.files.binary_search_by(|source| source.file.abs.as_str().cmp(abs)).ok()
    }
}

fn one(file: &RepoFile, profile: Profile) -> (Source, Option<Skipped>) {
    let bare =
        |language| Source { file: file.clone(), language, text: String::new(), tags: Vec::new() };
    let Detected::Tagged(language) = registry().detect(&file.abs, profile) else {
        return (bare(None), None);
    };
    let skip = |reason: String| Some(Skipped { file: file.rel.clone(), reason });
    if !file.is_file {
        // A file that was deleted, or is no regular file, is listed by its name alone without
        // comment; one that may not be looked at is worth a word.
        let denied = fs::metadata(&file.abs)
            .err()
            .filter(|error| error.kind() == io::ErrorKind::PermissionDenied);
        let skipped = denied.and_then(|error| skip(format!("cannot be read: {error}")));
        return (bare(Some(language)), skipped);
    }
    let text = match read_text(Path::new(&file.abs)) {
        Ok(text) => text,
        Err(error) => return (bare(Some(language)), skip(error.to_string())),
    };
    match extract(language, &file.abs, &text, profile) {
        Ok(tags) if tags.is_empty() => (bare(Some(language)), None),
        Ok(tags) => (Source { file: file.clone(), language: Some(language), text, tags }, None),
        Err(error) => (bare(Some(language)), skip(error.to_string())),
    }
}
