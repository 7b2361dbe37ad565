//! The graph of a repository as it is kept from one run of a program to the next.
//!
//! Most edits leave the shape of the graph: a file has the same names and imports after them, on
//! other lines. Then only the edited files are read, and the map starts from the ranking. After an
//! edit of names, what the edit has not changed of the graph is taken from the kept one. The graph
//! of a question with a chat or a message depends on it and is not kept.

mod file;
mod flat;
mod graph;
mod patch;
mod postings;
mod read;
mod row;
mod same;
mod signatures;
#[cfg(test)]
mod tests;

use std::{
    cell::{Cell, OnceCell, RefCell},
    sync::Arc,
};

use self::{
    file::shapes, graph::StoredGraph, patch::Patch, postings::Postings, row::encode,
    same::SameGraph,
};
use crate::{
    enhancement::{KnownLines, Scopes},
    graph::{FileGraph, RankingInput, Uses},
    repo::RepoFile,
    sources::{ReadBefore, Reading, SourceCache, Sources},
    tag_cache::{Stamps, TagCache},
};

/// The graph of a question, as a tag cache keeps it.
#[derive(Debug)]
pub struct GraphCache<'c> {
    cache: &'c dyn TagCache,
    key: [u8; 32],
    stamps: Stamps,
    /// What was read ahead, until it is asked for.
    ahead: RefCell<Option<Ahead>>,
    /// What was kept and fits the present files.
    kept: OnceCell<Kept>,
    /// The graph that was built, if it can be kept.
    built: OnceCell<Option<Built>>,
    /// Number of definitions whose lines were kept.
    kept_lines: Cell<usize>,
    /// The row of the lines of all definitions that were drawn, if they are to be kept again.
    drawn: OnceCell<Option<Vec<u8>>>,
}

/// The graph that a tag cache keeps, its postings if they are whole, and the key that it was built for.
#[derive(Debug)]
pub struct Ahead {
    key: [u8; 32],
    decoded: Decoded,
}

/// A kept graph, and its postings if they are whole.
type Decoded = (StoredGraph, Option<Postings>);

impl Ahead {
    /// Reads and decodes what is kept. This needs neither the files nor their list, so it can be done while the
    /// files are looked up.
    pub fn of(cache: &dyn TagCache) -> Option<Self> {
        let (key, row) = cache.graph()?;
        let graph = StoredGraph::of(&row)?;
        let postings = cache.postings(key);
        Some(Self { key, decoded: decoded(graph, postings.as_deref()) })
    }
}

/// A graph with its postings, if their row is whole.
fn decoded(graph: StoredGraph, postings: Option<&[u8]>) -> Decoded {
    let (files, idents) = (graph.files.len(), graph.name_ends.len());
    let postings = postings.and_then(|row| Postings::decode(row, &graph.checksum, files, idents));
    (graph, postings)
}

/// What was kept and fits the present files.
#[derive(Debug)]
enum Kept {
    /// The graph is the same.
    Same(Box<SameGraph>),
    /// Some files have other names.
    Patched(Box<Patch>),
}

/// The row of a graph, and that of its postings if it has any.
type Built = (Vec<u8>, Option<Vec<u8>>);

impl<'c> GraphCache<'c> {
    /// The graph that is kept under a key, if what was read `ahead` has this key. The stamps have to be taken
    /// before any file is read.
    pub fn of(
        cache: &'c dyn TagCache,
        key: [u8; 32],
        stamps: Stamps,
        ahead: Option<Ahead>,
    ) -> Self {
        let ahead = ahead.filter(|ahead| ahead.key == key);
        let (kept, built, drawn) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (ahead, kept_lines) = (RefCell::new(ahead), Cell::new(0));
        Self { cache, key, stamps, ahead, kept, built, kept_lines, drawn }
    }

    /// The sources without those tags that the graph holds, if there is a graph that fits them. The
    /// files that had to be read are left in `read` otherwise.
    pub fn sources(
        &self,
        files: &[&Arc<RepoFile>],
        reading: &Reading,
        cache: &SourceCache,
        read: &mut ReadBefore,
    ) -> Option<Sources> {
        // It is used once.
        let decoded = self.ahead.take()?.decoded;
        let graph = &decoded.0;
        let (sources, changed) = read::sources(graph, files, &self.stamps, reading, cache, read)?;
        let kept = fitting(decoded, &sources, &changed)?;
        // It is looked up once.
        let _ = self.kept.set(kept);
        Some(sources)
    }

    /// The graph that is kept, or a new one as [`FileGraph::build`] makes it.
    pub fn graph<'a>(
        &'a self,
        input: &RankingInput<'a>,
        by_family: bool,
        is_scoped: bool,
    ) -> FileGraph<'a> {
        match self.kept.get() {
            Some(Kept::Same(graph)) => graph.graph(input),
            Some(Kept::Patched(patch)) => patch.graph(input, by_family),
            None => {
                let scopes = is_scoped.then(|| Scopes::of(input));
                let (graph, built) = build(input, by_family, scopes.as_ref(), &self.stamps);
                let _ = self.built.set(built);
                graph
            }
        }
    }

    /// The lines by which definitions were shown in files that have the same bytes.
    pub fn lines(&self, sources: &Sources) -> KnownLines {
        let row = self.cache.signatures(self.key);
        let known = row.map(|row| signatures::lines(&row, sources)).unwrap_or_default();
        self.kept_lines.set(known.len());
        known
    }

    /// Takes the lines that a map was drawn with, to keep them.
    pub fn take_lines(&self, known: &KnownLines, sources: &Sources) {
        // A second attempt has a budget of its own, and what the first one drew is enough.
        let _ = self.drawn.set(signatures::encode(known, self.kept_lines.get(), sources));
    }

    /// Keeps the graph, if it was built, and the lines, if many of them are new.
    pub fn save(self) {
        if let Some(Some(row)) = self.drawn.into_inner() {
            self.cache.keep_signatures(self.key, row);
        }
        if let Some(Some((row, postings))) = self.built.into_inner() {
            self.cache.keep_graph(self.key, row, postings);
        }
    }
}

/// Builds a graph, and its rows if they can be kept.
fn build<'a>(
    input: &RankingInput<'a>,
    by_family: bool,
    scopes: Option<&Scopes>,
    stamps: &Stamps,
) -> (FileGraph<'a>, Option<Built>) {
    let uses = Uses::of(input);
    // Without any reference the graph is built in another way.
    let postings = uses.has_references.then(|| Postings::of(&uses, input.sources, scopes));
    let graph = FileGraph::of_uses(uses, input, by_family, scopes);
    let built = encode(&graph, input.sources, stamps).map(|row| {
        let postings = postings.and_then(|postings| postings.encode(&row));
        (row, postings)
    });
    (graph, built)
}

/// What of a kept graph fits the sources, of which some files have changed; `None` if nothing does, or
/// if it is damaged.
fn fitting((graph, postings): Decoded, sources: &Sources, changed: &[usize]) -> Option<Kept> {
    let mut edited = Vec::new();
    for &file in changed {
        let [names, imports] = shapes(&sources.files[file], sources);
        let kept = graph.files.get(file)?;
        if imports != kept.imports {
            return None;
        }
        if names != kept.names {
            edited.push(file);
        }
    }
    if edited.is_empty() {
        return SameGraph::of(graph, sources, changed).map(Box::new).map(Kept::Same);
    }
    let patch = Patch::of(graph, postings?, changed);
    patch.has_references(sources).then(|| Kept::Patched(Box::new(patch)))
}
