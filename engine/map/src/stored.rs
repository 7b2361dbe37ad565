//! The graph of a repository as it is kept from one run of a program to the next.
//!
//! Most edits leave the shape of the graph: a file has the same names and imports after them, on
//! other lines. Then only the edited files are read, and the map starts from the ranking. The graph
//! of a question with a chat or a message depends on it and is not kept.

use std::{cell::OnceCell, sync::Arc};

use indexmap::IndexMap;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    Skipped,
    enhancement::stated_imports,
    facts::Blobs,
    graph::{Definition, FileGraph, RankingInput},
    language::{Language, registry},
    repo::{BlobId, RepoFile},
    sources::{ReadBefore, Reading, Source, SourceCache, Sources},
    syntax::{Tag, TagKind},
    tag_cache::{Stamps, TagCache},
    text::{Late, Text},
};

/// Maximum number of files that are read again. With more of them the whole graph is built anew.
const MOST_READ: usize = 64;

/// The names and imports of a file, as a digest.
type Shape = [u8; 16];

/// A file of a kept graph.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    /// Its stamp; `None` if it has to be read again.
    stamp: Option<[u8; 32]>,
    /// Its names and imports.
    shape: Shape,
    /// Its language, as a position in the list of them.
    key: Option<u16>,
    /// The sha256 of its bytes, and git's ids of them, if it has tags.
    tagged: Option<([u8; 32], [BlobId; 2])>,
}

/// A graph as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    keys: Vec<&'a str>,
    files: Vec<File>,
    /// Files without tags that should have some: path, reason, and whether no parser finished them.
    skipped: Vec<(&'a str, &'a str, bool)>,
    idents: Vec<&'a str>,
    /// File and identifier of each definition, with its rows.
    definitions: Vec<(usize, usize, Vec<i32>)>,
    weights: Vec<f64>,
    /// The referring file, the definition and the position of the weight of each edge, in order of
    /// insertion.
    edges: Vec<(usize, usize, usize)>,
}

/// The graph of a question, as a tag cache keeps it.
#[derive(Debug)]
pub struct GraphCache<'c> {
    cache: &'c dyn TagCache,
    key: [u8; 32],
    stamps: Stamps,
    /// The graph that was kept and fits the present files.
    kept: OnceCell<StoredGraph>,
    /// The row of the graph that was built, if it can be kept.
    built: OnceCell<Option<Vec<u8>>>,
}

/// A kept graph that fits the present files.
#[derive(Debug)]
struct StoredGraph {
    idents: Vec<String>,
    definitions: Vec<Definition>,
    /// The referring file, the definition and the weight of each edge.
    edges: Vec<(usize, usize, f64)>,
}

impl<'c> GraphCache<'c> {
    /// The graph that is kept under a key. The stamps have to be taken before any file is read.
    pub fn of(cache: &'c dyn TagCache, key: [u8; 32], stamps: Stamps) -> Self {
        Self { cache, key, stamps, kept: OnceCell::new(), built: OnceCell::new() }
    }

    /// The sources without those tags that the graph holds, if there is a graph that fits them. The
    /// files that had to be read are left in `read` otherwise.
    pub fn sources(
        &self,
        files: &[&RepoFile],
        reading: &Reading,
        cache: &SourceCache,
        read: &mut ReadBefore,
    ) -> Option<Sources> {
        let row = self.cache.graph(self.key)?;
        let (sources, graph) = decode(&row, files, &self.stamps, reading, cache, read)?;
        // It is looked up once.
        let _ = self.kept.set(graph);
        Some(sources)
    }

    /// The graph that is kept, or the one that `build` builds.
    pub fn graph_or<'a>(
        &'a self,
        input: &RankingInput<'a>,
        build: impl FnOnce() -> FileGraph<'a>,
    ) -> FileGraph<'a> {
        if let Some(graph) = self.kept.get() {
            return graph.graph(input);
        }
        let graph = build();
        let _ = self.built.get_or_init(|| encode(&graph, input.sources, &self.stamps));
        graph
    }

    /// Keeps the graph, if it was built.
    pub fn save(self) {
        if let Some(Some(row)) = self.built.into_inner() {
            self.cache.keep_graph(self.key, row);
        }
    }
}

/// The row of a graph; `None` if the graph cannot be kept, because the next try may give another one.
fn encode(graph: &FileGraph, sources: &Sources, stamps: &Stamps) -> Option<Vec<u8>> {
    if sources.skipped.iter().any(|skipped| skipped.may_pass) {
        return None;
    }
    let mut keys: IndexMap<&str, (), FxBuildHasher> = IndexMap::default();
    let shapes: Vec<Shape> =
        sources.files.par_iter().map(|source| shape(source, sources)).collect();
    let files = sources.files.iter().zip(&stamps.of_files).zip(shapes);
    let files = files.map(|((source, stamp), shape)| {
        let key = source.key.map(|key| keys.insert_full(key, ()).0 as u16);
        let tagged = source.sha256.zip(source.blobs).map(|(sha256, Blobs(ids))| (sha256, ids));
        // Other tags were not extracted by way of the tag cache.
        let is_known = source.tags.is_empty() || tagged.is_some();
        File { stamp: stamp.filter(|_| is_known), shape, key, tagged }
    });
    let files = files.collect();
    let mut weights: IndexMap<u64, (), FxBuildHasher> = IndexMap::default();
    let edges = graph.edges().map(|(file, definition, weight)| {
        (file, definition, weights.insert_full(weight.to_bits(), ()).0)
    });
    let edges = edges.collect();
    let definitions = graph.definitions.iter();
    let row = Row {
        keys: keys.into_keys().collect(),
        files,
        skipped: sources
            .skipped
            .iter()
            .map(|one| (one.file.as_str(), one.reason.as_str(), one.is_unparsed))
            .collect(),
        idents: graph.idents.clone(),
        definitions: definitions.map(|one| (one.file, one.ident, one.lines.clone())).collect(),
        weights: weights.into_keys().map(f64::from_bits).collect(),
        edges,
    };
    let bytes = postcard::to_allocvec(&row).ok()?;
    let digest = Sha256::digest(&bytes);
    Some([digest.as_slice(), &bytes].concat())
}

/// The names and imports of a file.
fn shape(source: &Source, sources: &Sources) -> Shape {
    let mut hasher = Sha256::new();
    let mut field = |kind: u8, name: &str| {
        hasher.update([kind]);
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
    };
    field(0, source.key.unwrap_or_default());
    for tag in &source.tags {
        field(if tag.kind == TagKind::Definition { 1 } else { 2 }, source.name(tag));
    }
    for import in stated_imports(source, &sources.folder).iter() {
        field(3, &import.path);
        import.names.iter().for_each(|name| field(4, name));
    }
    let digest: [u8; 32] = hasher.finalize().into();
    let mut shape = Shape::default();
    shape.copy_from_slice(&digest[..16]);
    shape
}

/// The sources and the graph of a row, if the present files have the same shape. Files whose stamps
/// are other ones are read again.
fn decode(
    row: &[u8],
    files: &[&RepoFile],
    stamps: &Stamps,
    reading: &Reading,
    cache: &SourceCache,
    read: &mut ReadBefore,
) -> Option<(Sources, StoredGraph)> {
    let (digest, bytes) = row.split_at_checked(32)?;
    if Sha256::digest(bytes).as_slice() != digest {
        return None;
    }
    let row: Row = postcard::from_bytes(bytes).ok()?;
    if row.files.len() != files.len() || stamps.of_files.len() != files.len() {
        return None;
    }
    let is_changed = |at: &usize| {
        files[*at].is_file
            && (row.files[*at].stamp.is_none() || row.files[*at].stamp != stamps.of_files[*at])
    };
    let changed: Vec<usize> = (0..files.len()).filter(is_changed).collect();
    let is_skipped = |file: &RepoFile| row.skipped.iter().any(|(path, ..)| *path == file.rel);
    if changed.len() > MOST_READ || changed.iter().any(|at| is_skipped(files[*at])) {
        return None;
    }
    let languages: Vec<Option<&'static Language>> =
        row.keys.iter().map(|key| registry().by_key(key)).collect();
    let unchanged = |(file, known): (&&RepoFile, &File)| {
        let language = known.key.and_then(|at| *languages.get(usize::from(at))?);
        let late = |(sha256, _)| Late {
            sha256,
            folder: Arc::clone(reading.folder),
            is_stale: cache.staleness(),
        };
        Source {
            text: known.tagged.map_or_else(Text::default, |tagged| late(tagged).into()),
            blobs: known.tagged.map(|(_, ids)| Blobs(ids)),
            ..Source::bare(file, language)
        }
    };
    let mut found: Vec<Arc<Source>> =
        files.iter().zip(&row.files).map(|one| Arc::new(unchanged(one))).collect();
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
    let skipped = row.skipped.iter().map(|(path, reason, is_unparsed)| Skipped {
        is_unparsed: *is_unparsed,
        ..Skipped::new(path, *reason)
    });
    let sources =
        Sources { files: found, skipped: skipped.collect(), folder: Arc::clone(reading.folder) };
    let is_same = |at: &usize| shape(&sources.files[*at], &sources) == row.files[*at].shape;
    if !changed.iter().all(is_same) {
        return None;
    }
    let graph = StoredGraph::of(row, &sources, &changed)?;
    Some((sources, graph))
}

impl StoredGraph {
    /// The graph of a row, with the rows of the definitions in the files that were read again; `None` if
    /// the row is damaged.
    fn of(row: Row, sources: &Sources, changed: &[usize]) -> Option<Self> {
        let (files, idents) = (sources.files.len(), row.idents.len());
        let definitions = row.definitions.into_iter();
        let mut definitions: Vec<Definition> =
            definitions.map(|(file, ident, lines)| Definition { file, ident, lines }).collect();
        if definitions.iter().any(|one| one.file >= files || one.ident >= idents) {
            return None;
        }
        for &file in changed {
            let source = &sources.files[file];
            let mut lines: FxHashMap<&str, Vec<i32>> = FxHashMap::default();
            let is_definition = |tag: &&Tag| tag.kind == TagKind::Definition;
            for tag in source.tags.iter().filter(is_definition) {
                lines.entry(source.name(tag)).or_default().push(tag.line);
            }
            // The definitions of a file stand together, in the order of files.
            let start = definitions.partition_point(|one| one.file < file);
            let own = definitions.get_mut(start..)?.iter_mut();
            for definition in own.take_while(|one| one.file == file) {
                definition.lines = lines.remove(row.idents[definition.ident])?;
                definition.tidy();
            }
            if !lines.is_empty() {
                return None;
            }
        }
        let edges = row.edges.into_iter().map(|(file, definition, weight)| {
            let fits = file < files && definition < definitions.len();
            Some((file, definition, row.weights.get(weight).copied().filter(|_| fits)?))
        });
        let edges = edges.collect::<Option<_>>()?;
        let idents = row.idents.into_iter().map(str::to_owned).collect();
        Some(Self { idents, definitions, edges })
    }

    /// The graph.
    fn graph(&self, input: &RankingInput) -> FileGraph<'_> {
        let idents = self.idents.iter().map(String::as_str).collect();
        FileGraph::of_edges(input, idents, self.definitions.clone(), self.edges.iter().copied())
    }
}
