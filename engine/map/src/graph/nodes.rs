//! The nodes of a graph, in the order in which the comparator inserts them.

use super::{
    RankingInput, Uses,
    edges::{Families, Making},
};
use crate::enhancement::Scopes;

/// The files that edges touch, in order of the first edge of each. They are found without the edges that touch only
/// files that have an earlier one.
pub fn of(
    uses: &Uses,
    input: &RankingInput,
    families: &Families,
    scopes: Option<&Scopes>,
) -> Vec<usize> {
    let making = Making { uses, input, families, scopes, wanted: None };
    let file = |definition: u32| uses.defined.list[definition as usize].file;
    let mut nodes = Nodes { is_found: vec![false; input.sources.files.len()], list: Vec::new() };
    for ident in 0..uses.idents.len() {
        if nodes.has_all(uses.definers.row(ident).iter().map(|one| file(*one))) {
            continue;
        }
        making.parts(ident, |definers, references| {
            if references.is_empty() {
                for one in definers {
                    nodes.add(file(*one));
                }
            }
        });
    }
    let (mut edges, mut meant) = (Vec::new(), Vec::new());
    for ident in uses.sorted.iter().map(|ident| *ident as usize) {
        let from = making.references(ident);
        let from = from.iter().map(|(from, _)| *from as usize);
        if nodes.has_all(uses.definers.row(ident).iter().map(|one| file(*one)).chain(from)) {
            continue;
        }
        edges.clear();
        making.parts(ident, |definers, references| {
            making.add(ident, definers, references, &mut edges, &mut meant);
        });
        for edge in &edges {
            nodes.add(edge.file as usize);
            nodes.add(file(edge.definition));
        }
    }
    if scopes.is_some() {
        // No reference means a definition in a file that is not found yet.
        for one in &uses.defined.list {
            nodes.add(one.file);
        }
    }
    nodes.list
}

/// Files in the order in which they are found.
struct Nodes {
    is_found: Vec<bool>,
    list: Vec<usize>,
}

impl Nodes {
    fn has_all(&self, mut files: impl Iterator<Item = usize>) -> bool {
        files.all(|file| self.is_found[file])
    }

    fn add(&mut self, file: usize) {
        if !self.is_found[file] {
            self.is_found[file] = true;
            self.list.push(file);
        }
    }
}
