//! A graph as a row of a store.

use indexmap::IndexMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    file::{File, LENGTH, shapes},
    flat::Flat,
    postings::ends,
};
use crate::{
    adjacency::{Adjacency, OutEdge},
    facts::Blobs,
    graph::{Definition, Definitions, FileGraph, Network},
    pagerank::Transitions,
    sources::Sources,
    table::Table,
    tag_cache::Stamps,
};

/// A graph as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct Row<'a> {
    /// Languages.
    #[serde(borrow)]
    pub keys: Vec<&'a str>,
    /// The files.
    files: Flat<'a>,
    /// Files without tags that should have some: path, reason, and whether no parser finished them.
    pub skipped: Vec<(&'a str, &'a str, bool)>,
    /// The identifiers, one after the other.
    pub names: &'a str,
    /// Where each of them ends.
    name_ends: Flat<'a>,
    /// Their places, sorted by name.
    places: Flat<'a>,
    /// The first definition of each file, and the number of all.
    firsts: Flat<'a>,
    /// The identifier of each definition.
    idents: Flat<'a>,
    /// Where the rows of each definition start, and their number.
    line_starts: Flat<'a>,
    lines: Flat<'a>,
    /// The file of each node.
    nodes: Flat<'a>,
    /// Where the edges of each node start, and their number.
    edge_starts: Flat<'a>,
    /// The definition of each edge.
    definitions: Flat<'a>,
    /// The weight of each edge, as a position in the list of them.
    weights: Flat<'a>,
    all_weights: Flat<'a>,
    /// Where the steps from each node start, and their number.
    step_starts: Flat<'a>,
    /// Where each step leads to.
    targets: Flat<'a>,
    shares: Flat<'a>,
    /// Nodes from which no step leads.
    dangling: Flat<'a>,
}

/// Number of bytes of the checksum of a row.
pub const CHECKSUM: usize = 16;

/// The bytes of a row, after their XXH3 checksum; `None` if they cannot be made. It has to find damage, and no
/// forgery: whoever can write the store can seal a row as well.
pub fn sealed(row: &impl Serialize) -> Option<Vec<u8>> {
    let bytes = postcard::to_allocvec(row).ok()?;
    Some([xxh3_128(&bytes).to_le_bytes().as_slice(), &bytes].concat())
}

/// The row of some bytes; `None` if they are damaged.
pub fn opened<'r, R: Deserialize<'r>>(bytes: &'r [u8]) -> Option<R> {
    let (checksum, bytes) = bytes.split_first_chunk::<CHECKSUM>()?;
    let is_whole = xxh3_128(bytes).to_le_bytes() == *checksum;
    is_whole.then(|| postcard::from_bytes(bytes).ok()).flatten()
}

/// The row of a graph; `None` if the graph cannot be kept, because the next try may give another one.
pub fn encode(graph: &FileGraph, sources: &Sources, stamps: &Stamps) -> Option<Vec<u8>> {
    if sources.skipped.iter().any(|skipped| skipped.may_pass) {
        return None;
    }
    let mut keys: IndexMap<&str, (), FxBuildHasher> = IndexMap::default();
    let all = sources.files.par_iter().map(|source| shapes(source, sources));
    let all: Vec<_> = all.collect();
    let mut files = Vec::with_capacity(all.len() * LENGTH);
    for ((source, stamp), [names, imports]) in sources.files.iter().zip(&stamps.of_files).zip(all) {
        let key = source.key.map(|key| keys.insert_full(key, ()).0 as u16);
        let tagged = source.sha256.zip(source.blobs).map(|(sha256, Blobs(ids))| (sha256, ids));
        // Other tags were not extracted by way of the tag cache.
        let is_known = source.tags.is_empty() || tagged.is_some();
        let stamp = stamp.filter(|_| is_known);
        File { stamp, names, imports, key, tagged }.put(&mut files);
    }
    let mut weights: IndexMap<u64, (), FxBuildHasher> = IndexMap::default();
    let edges = graph.adjacency.table();
    let steps = graph.transitions.rows();
    let of_edges =
        edges.items().iter().map(|edge| weights.insert_full(edge.weight.to_bits(), ()).0 as u32);
    let of_edges = Flat::of_u32(of_edges);
    let list = graph.definitions();
    let first = |file: usize| list.partition_point(|one| one.file < file) as u32;
    // Rows of files that were read again stand at the end.
    let (mut rows, mut line_starts) = (Vec::new(), vec![0]);
    for definition in list {
        rows.extend_from_slice(graph.defined.rows(definition));
        line_starts.push(rows.len() as u32);
    }
    let skipped = sources.skipped.iter();
    sealed(&Row {
        keys: keys.into_keys().collect(),
        files: Flat(files.into()),
        skipped: skipped
            .map(|one| (one.file.as_str(), one.reason.as_str(), one.is_unparsed))
            .collect(),
        name_ends: Flat::of_u32(ends(graph.idents.iter().copied())),
        names: &graph.idents.concat(),
        places: Flat::of_u32(graph.places.iter().copied()),
        firsts: Flat::of_u32((0..=sources.files.len()).map(first)),
        idents: Flat::of_u32(list.iter().map(|one| one.ident as u32)),
        line_starts: Flat::of_u32(line_starts),
        // A row that only a lexer found is -1.
        lines: Flat::of_u32(rows.into_iter().map(|row: i32| row.cast_unsigned().wrapping_add(1))),
        nodes: Flat::of_u32(graph.nodes.iter().map(|file| *file as u32)),
        edge_starts: Flat::of_u32(edges.starts().iter().copied()),
        definitions: Flat::of_u32(edges.items().iter().map(|edge| edge.definition)),
        weights: of_edges,
        all_weights: Flat::of_f64(weights.into_keys().map(f64::from_bits)),
        step_starts: Flat::of_u32(steps.starts().iter().copied()),
        targets: Flat::of_u32(steps.items().iter().map(|entry| entry.0)),
        shares: Flat::of_f64(steps.items().iter().map(|entry| entry.1)),
        dangling: Flat::of_u32(graph.transitions.dangling().iter().copied()),
    })
}

impl Row<'_> {
    /// Number of files.
    pub fn file_count(&self) -> usize {
        self.files.0.len() / LENGTH
    }

    /// The files; `None` if the row is damaged.
    pub fn files(&self) -> Option<Vec<File>> {
        let (files, rest) = self.files.0.as_chunks::<LENGTH>();
        rest.is_empty().then(|| files.iter().map(File::of).collect())
    }

    /// Where the identifiers end; `None` if the row is damaged.
    pub fn name_ends(&self) -> Option<Vec<u32>> {
        let ends = self.name_ends.u32()?;
        let at = |end: &u32| self.names.is_char_boundary(*end as usize);
        (ends.is_sorted() && ends.iter().all(at)).then_some(ends)
    }

    /// The places of so many identifiers; `None` if the row is damaged.
    fn places(&self, idents: usize) -> Option<Vec<u32>> {
        let places = self.places.u32()?;
        let fits = places.len() == idents && places.iter().all(|one| (*one as usize) < idents);
        fits.then_some(places)
    }

    /// The definitions in so many files, of so many identifiers; `None` if the row is damaged.
    pub fn defined(&self, files: usize, idents: usize) -> Option<Definitions> {
        let (firsts, of_idents) = (self.firsts.u32()?, self.idents.u32()?);
        let (starts, rows) = (self.line_starts.u32()?, self.lines.u32()?);
        let fits = firsts.len() == files + 1
            && firsts.first() == Some(&0)
            && firsts.last() == Some(&(of_idents.len() as u32))
            && firsts.is_sorted()
            && of_idents.iter().all(|ident| (*ident as usize) < idents)
            && starts.len() == of_idents.len() + 1
            && starts.is_sorted();
        if !fits {
            return None;
        }
        let mut list = Vec::with_capacity(of_idents.len());
        for (file, ends) in firsts.windows(2).enumerate() {
            let of_file = ends[0] as usize..ends[1] as usize;
            list.extend(of_file.map(|at| Definition {
                file,
                ident: of_idents[at] as usize,
                rows: [starts[at], starts[at + 1]],
            }));
        }
        Some(Definitions {
            list,
            rows: rows.into_iter().map(|row| row.wrapping_sub(1).cast_signed()).collect(),
        })
    }

    /// The network of these definitions, of so many identifiers; `None` if the row is damaged.
    pub fn network(&self, files: usize, idents: usize, defined: Definitions) -> Option<Network> {
        let nodes: Vec<usize> = self.nodes.u32()?.into_iter().map(|file| file as usize).collect();
        let mut node_of = vec![u32::MAX; files];
        for (node, file) in nodes.iter().enumerate() {
            *node_of.get_mut(*file)? = node as u32;
        }
        let of_edges = self.definitions.numbers()?.zip(self.weights.numbers()?);
        let all: Vec<f64> = self.all_weights.f64()?.collect();
        let mut edges = Vec::with_capacity(of_edges.len());
        for (definition, weight) in of_edges {
            let target = node_of[defined.list.get(definition as usize)?.file];
            edges.push(OutEdge { target, definition, weight: *all.get(weight as usize)? });
        }
        let edges = Table::of_parts(self.edge_starts.u32()?, edges)?;
        let steps = self.targets.numbers()?.zip(self.shares.f64()?).collect();
        let steps = Table::of_parts(self.step_starts.u32()?, steps)?;
        let fits = edges.len() == nodes.len() && steps.len() == nodes.len();
        let adjacency = Adjacency::of_table(edges)?;
        let transitions = Transitions::of_parts(steps, self.dangling.u32()?)?;
        let places = self.places(idents)?;
        fits.then_some(Network { nodes, adjacency, transitions, defined, places })
    }
}
