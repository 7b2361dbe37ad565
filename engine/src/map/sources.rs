//! The texts and tags of all files that a map may rank.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rayon::prelude::*;
use serde::Serialize;
use tree_sitter::Tree;

use crate::{
    language::{Detected, Language, registry},
    profile::Profile,
    repo::RepoFile,
    syntax::{Extracted, Tag, extract},
    text::read::read_text,
};

/// Bytes of source up to which all syntax trees are kept for rendering. A tree is some twenty
/// times as large as its text, so beyond this parsing the few files that are rendered once more
/// costs less than memory would.
const KEPT_TREES: usize = 1 << 20;

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
    /// Its syntax tree, if the repository is small.
    pub tree: Option<Tree>,
}

/// All sources in order of their absolute paths; a file's position is its id.
#[derive(Debug)]
pub struct Sources {
    /// The files.
    pub files: Vec<Arc<Source>>,
    /// Files that gave no tags against expectation.
    pub skipped: Vec<Skipped>,
}

/// Sources that were read before, by absolute path.
#[derive(Debug, Default)]
pub struct SourceCache {
    known: BTreeMap<String, (Option<u64>, Known)>,
    /// True if one map is made of the sources and none later: nothing is remembered, and what
    /// was parsed for tags need not be parsed again for rendering.
    for_one_map: bool,
}

/// A source, and why it gave no tags against expectation.
type Known = (Arc<Source>, Option<Skipped>);

impl SourceCache {
    /// A cache that need not remember anything.
    pub fn for_one_map() -> Self {
        Self { for_one_map: true, ..Self::default() }
    }

    /// Reads and parses files on all threads; a regular file that is known with its present
    /// modification time is not read again. The result does not depend on the number of threads.
    pub fn extract(&mut self, files: &BTreeMap<String, RepoFile>, profile: Profile) -> Sources {
        let known = &self.known;
        // A session renders files as they are then, so no tree is kept for it.
        let parsed = AtomicUsize::new(if self.for_one_map { 0 } else { KEPT_TREES });
        let stamped = |file: &&RepoFile| file.is_file && !self.for_one_map;
        let results: Vec<(Option<u64>, Known)> = files
            .values()
            .collect::<Vec<_>>()
            .into_par_iter()
            .with_max_len(8)
            .map(|file| {
                let time = Some(file).filter(stamped).and_then(|file| modified(&file.abs));
                let before = known.get(&file.abs).filter(|(at, _)| time.is_some() && *at == time);
                before.cloned().unwrap_or_else(|| {
                    let (source, skipped) = one(file, profile, &parsed);
                    (time, (Arc::new(source), skipped))
                })
            })
            .collect();
        let keeps_trees = parsed.into_inner() <= KEPT_TREES;
        let mut sources = Sources { files: Vec::with_capacity(results.len()), skipped: Vec::new() };
        for (time, (mut source, skipped)) in results {
            // What was known before is shared already, and was within the limit then.
            if let Some(source) = Arc::get_mut(&mut source).filter(|_| !keeps_trees) {
                source.tree = None;
            }
            sources.files.push(Arc::clone(&source));
            sources.skipped.extend(skipped.clone());
            // What was known of a file that is missing now may be right again later.
            if time.is_some() {
                self.known.insert(source.file.abs.clone(), (time, (source, skipped)));
            }
        }
        sources
    }
}

/// The modification time of a file as the comparator compares it: the bits of a float of
/// seconds, which does not tell times apart that differ by some hundred nanoseconds.
pub fn modified(path: &str) -> Option<u64> {
    let data = fs::metadata(path).ok()?;
    Some((data.mtime() as f64 + 1e-9 * data.mtime_nsec() as f64).to_bits())
}

impl Sources {
    /// Number of files with tags by language key.
    pub fn languages(&self) -> BTreeMap<&'static str, usize> {
        let mut languages = BTreeMap::new();
        for source in self.files.iter().filter(|source| !source.tags.is_empty()) {
            if let Some(language) = source.language {
                *languages.entry(language.key.as_str()).or_default() += 1;
            }
        }
        languages
    }

    /// The id of the file at an absolute path.
    pub fn id(&self, abs: &str) -> Option<usize> {
        self.files.binary_search_by(|source| source.file.abs.as_str().cmp(abs)).ok()
    }
}

/// Reads and parses one file. `parsed` counts the bytes of source of all files so far.
fn one(file: &RepoFile, profile: Profile, parsed: &AtomicUsize) -> (Source, Option<Skipped>) {
    let bare = |language| Source {
        file: file.clone(),
        language,
        text: String::new(),
        tags: Vec::new(),
        tree: None,
    };
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
    match extract(language, &file.abs, &text) {
        Ok(extracted) if extracted.tags.is_empty() => (bare(Some(language)), None),
        Ok(Extracted { tags, tree }) => {
            let so_far = parsed.fetch_add(text.len(), Ordering::Relaxed) + text.len();
            // Rendering sees a text that ends in a newline.
            let tree = tree.filter(|_| so_far <= KEPT_TREES && text.ends_with('\n'));
            let file = file.clone();
            (Source { file, language: Some(language), text, tags, tree }, None)
        }
        Err(error) => (bare(Some(language)), skip(error.to_string())),
    }
}
