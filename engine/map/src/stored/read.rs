//! The files of a kept graph as they are now.

use std::sync::Arc;

use rayon::prelude::*;

use super::{StoredGraph, file::File};
use crate::{
    facts::Blobs,
    repo::RepoFile,
    sources::{ReadBefore, Reading, Source, SourceCache, Sources},
    tag_cache::Stamps,
    text::{Late, Text},
};

/// Maximum number of files that are read again. With more of them the whole graph is built anew.
const MOST_READ: usize = 64;

/// The present files as a kept graph has them, without tags. Files whose stamps are other ones are
/// read again, and have theirs. The second value are their ids. `None` if there are too many of them.
pub fn sources(
    graph: &StoredGraph,
    files: &[&Arc<RepoFile>],
    stamps: &Stamps,
    reading: &Reading,
    cache: &SourceCache,
    read: &mut ReadBefore,
) -> Option<(Sources, Vec<usize>)> {
    let kept = &graph.files;
    if kept.len() != files.len() || stamps.of_files.len() != files.len() {
        return None;
    }
    let is_changed = |(_, (kept, now)): &(usize, (&File, &Option<[u8; 32]>))| {
        kept.stamp.is_none() || kept.stamp != **now
    };
    let changed = kept.iter().zip(&stamps.of_files).enumerate().filter(is_changed);
    let changed: Vec<usize> = changed.map(|(at, _)| at).filter(|at| files[*at].is_file).collect();
    let is_skipped = |file: &RepoFile| graph.skipped.iter().any(|one| one.file == file.rel);
    if changed.len() > MOST_READ || changed.iter().any(|at| is_skipped(files[*at])) {
        return None;
    }
    let unchanged = |(file, known): (&&Arc<RepoFile>, &File)| {
        let language = known.key.and_then(|at| *graph.languages.get(usize::from(at))?);
        let late = |(sha256, _)| Late {
            sha256,
            folder: Arc::clone(reading.folder),
            is_stale: cache.staleness(),
        };
        Source {
            text: known.tagged.map_or_else(Text::default, |tagged| late(tagged).into()),
            sha256: known.tagged.map(|(sha256, _)| sha256),
            blobs: known.tagged.map(|(_, ids)| Blobs(ids)),
            ..Source::bare(file, language)
        }
    };
    let all = files.par_iter().zip(kept).with_min_len(256);
    let mut found: Vec<Arc<Source>> = all.map(|one| Arc::new(unchanged(one))).collect();
    let one = |at: &usize| {
        let (source, skipped) = cache.one(files[*at], reading);
        (files[*at].abs.clone(), (Arc::new(source), skipped))
    };
    read.extend(changed.par_iter().map(one).collect::<Vec<_>>());
    for at in &changed {
        let (source, skipped) = read.get(&files[*at].abs)?;
        if skipped.is_some() {
            return None;
        }
        found[*at] = Arc::clone(source);
    }
    let sources = Sources {
        files: found,
        skipped: graph.skipped.clone(),
        folder: Arc::clone(reading.folder),
    };
    Some((sources, changed))
}
