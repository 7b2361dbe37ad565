//! A kept graph after edits that leave names and imports.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{StoredGraph, postings::names};
use crate::{
    graph::{Definitions, FileGraph, Network, RankingInput},
    sources::{Source, Sources},
    syntax::TagKind,
};

/// A kept graph that fits the present files.
#[derive(Debug)]
pub struct SameGraph {
    /// The identifiers, one after the other, and where each of them ends.
    names: String,
    name_ends: Vec<u32>,
    network: Arc<Network>,
}

impl SameGraph {
    /// The kept graph with the rows of the definitions in the files that were read again; `None` if it does
    /// not fit them.
    pub fn of(kept: StoredGraph, sources: &Sources, changed: &[usize]) -> Option<Self> {
        let StoredGraph { names, name_ends, mut network, .. } = kept;
        let defined = &mut network.defined;
        for &file in changed {
            let own = own_definitions(&sources.files[file]);
            let start = defined.list.partition_point(|one| one.file < file);
            let of_file = defined.list.get_mut(start..)?.iter_mut();
            let of_file: Vec<_> = of_file.take_while(|one| one.file == file).collect();
            // They have the same names in the same order.
            if of_file.len() != own.list.len() {
                return None;
            }
            for (kept, own_one) in of_file.into_iter().zip(&own.list) {
                let first = defined.rows.len() as u32;
                defined.rows.extend_from_slice(own.rows(own_one));
                kept.rows = [first, defined.rows.len() as u32];
            }
        }
        Some(Self { names, name_ends, network: Arc::new(network) })
    }

    /// The graph.
    pub fn graph(&self, input: &RankingInput) -> FileGraph<'_> {
        let idents = names(&self.names, &self.name_ends).collect();
        FileGraph::of_network(Arc::clone(&self.network), idents, input)
    }
}

/// The definitions in a file, with identifiers of its own.
fn own_definitions(source: &Source) -> Definitions {
    let mut names: FxHashMap<&str, usize> = FxHashMap::default();
    let mut defined = Definitions::default();
    let definitions = source.tags.iter().filter(|tag| tag.kind == TagKind::Definition);
    let named = definitions.map(|tag| {
        let next = names.len();
        (*names.entry(source.name(tag)).or_insert(next), tag.line)
    });
    defined.add_file(0, named, &mut Vec::new());
    defined
}
