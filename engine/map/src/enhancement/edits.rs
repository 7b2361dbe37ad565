//! The files that were edited since the last commit, known by their contents.
//!
//! What HEAD has is in the listing that names the files anyway, so no further program is started,
//! and git reads no file of the work tree: its filters and monitors never run.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use base::memory;
use rayon::prelude::*;

use crate::{
    graph::{PERSONALIZATION, RankingInput},
    repo::{Universe, is_blob},
    sources::Source,
};

/// The part of the whole personalisation that the edited files get together.
const SHARE: f64 = 0.5;

/// The files outside the chat whose contents are not those of HEAD, or that HEAD does not have.
/// None without a commit: then nothing tells what is new. Only files that define or refer to
/// something count.
pub fn edited(input: &RankingInput, universe: &Universe) -> BTreeSet<usize> {
    let committed = universe.committed.files();
    if committed.is_empty() {
        return BTreeSet::new();
    }
    let is_edited = |file: &usize| {
        let source = &input.sources.files[*file];
        source.has_text() && !input.chat.contains(file) && differs(source, &committed, universe)
    };
    input.included.par_iter().copied().filter(is_edited).collect()
}

/// Whether a file is not what HEAD has.
fn differs(source: &Source, committed: &[(&str, &str)], universe: &Universe) -> bool {
    let rel = &source.file.rel;
    let Ok(at) = committed.binary_search_by_key(&rel.as_str(), |(path, _)| path) else {
        // A file that only a link leads to is not listed, and may have been there all the time.
        return universe.listed.binary_search(rel).is_ok();
    };
    let id = committed[at].1;
    if let Some(is_same) = source.blobs.and_then(|blobs| blobs.is(id)) {
        return !is_same;
    }
    if is_blob(id, source.text().as_bytes()) {
        return false;
    }
    // The text has no carriage returns. A checkout may have added them, and HEAD may have them.
    let bytes = universe.folder.exact_bytes(Path::new(rel), memory::most_code());
    bytes.map_or(true, |bytes| !is_blob(id, &bytes))
}

/// Adds the edited files to the personalisation. If nothing else is in it, every file starts with
/// the same.
pub fn seed(
    edited: &BTreeSet<usize>,
    input: &RankingInput,
    personalization: &mut BTreeMap<usize, f64>,
) {
    if edited.is_empty() {
        return;
    }
    if personalization.is_empty() {
        let share = PERSONALIZATION / input.included.len() as f64;
        *personalization = input.included.iter().map(|file| (*file, share)).collect();
    }
    let whole: f64 = personalization.values().sum();
    for file in edited {
        *personalization.entry(*file).or_default() += SHARE * whole / edited.len() as f64;
    }
}
