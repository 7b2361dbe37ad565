//! The network after an edit: only the edges of some files are made again.
//!
//! It is the network that [`Network::of`] makes of all edges, bit for bit. An identifier has *changed* if other files
//! define it, or if other edited files refer to it: all edges to the others are as before. So only edges from files
//! that were edited, or that have edges to a changed identifier, are made again. The nodes are found anew, because they
//! are in order of their first edges; only edges of files that no earlier edge touches are needed for that.

use std::mem;

use rayon::prelude::*;

use super::{Network, RankingInput, Uses, edges, edges::Families, nodes};
use crate::{
    adjacency::{Adjacency, OutEdge},
    enhancement::Scopes,
    pagerank::{Moves, Transitions},
    table::Table,
};

/// Stands for nothing.
const NONE: u32 = u32::MAX;

/// The names of before, and what became of them.
#[derive(Debug)]
pub struct Before<'b> {
    /// The network.
    pub network: &'b Network,
    /// The references to each identifier.
    pub references: &'b Table<(u32, u32)>,
    /// The present id of each identifier; `u32::MAX` if it is no longer defined.
    pub idents: Vec<u32>,
    /// The present index of each definition; `u32::MAX` if it is gone.
    pub definitions: Vec<u32>,
    /// Whether each file was edited.
    pub is_edited: Vec<bool>,
}

/// The present names, beside those of before.
struct Renewal<'r, 'a> {
    before: &'r Before<'r>,
    uses: &'r Uses<'a>,
    families: Families,
    /// The id of before of each identifier; `NONE` if it is new.
    old_ids: Vec<u32>,
    /// How far each identifier has changed.
    changes: Vec<Change>,
    /// Whether the edges from each file are made again.
    is_renewed: Vec<bool>,
}

impl Network {
    /// The network of these uses, with as much as can be taken from the one before; `None` if it has to be made of
    /// all edges. The definitions are taken out of the uses, unless it is `None`.
    pub fn renewed(
        before: &Before,
        uses: &mut Uses,
        input: &RankingInput,
        by_family: bool,
        scopes: Option<&Scopes>,
    ) -> Option<Self> {
        let mut renewal = Renewal::of(before, uses, input, by_family);
        renewal.find_renewed(scopes.is_some());
        if !renewal.keeps_order() {
            return None;
        }
        let families = &renewal.families;
        let (edges, nodes) = rayon::join(
            || edges::of(uses, input, families, scopes, Some(&renewal.is_renewed)),
            || nodes::of(uses, input, families, scopes),
        );
        let (adjacency, transitions) = renewal.edges(&nodes, &edges)?;
        let defined = mem::take(&mut uses.defined);
        Some(Self { nodes, adjacency, transitions, defined, places: places(&uses.sorted) })
    }
}

/// How far an identifier has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// Not at all: the same files define it, and the same files refer to it.
    None,
    /// Other edited files refer to it.
    References,
    /// Other files define it, or now there are references to it, or none any more.
    Everything,
}

impl<'r, 'a> Renewal<'r, 'a> {
    fn of(
        before: &'r Before<'r>,
        uses: &'r Uses<'a>,
        input: &RankingInput,
        by_family: bool,
    ) -> Self {
        let mut old_ids = vec![NONE; uses.idents.len()];
        for (old, new) in before.idents.iter().enumerate().filter(|(_, new)| **new != NONE) {
            old_ids[*new as usize] = old as u32;
        }
        let mut renewal = Self {
            before,
            uses,
            families: Families::of(input, by_family),
            is_renewed: before.is_edited.clone(),
            old_ids,
            changes: Vec::new(),
        };
        renewal.changes = renewal.changes();
        renewal
    }

    /// How far each identifier has changed.
    fn changes(&self) -> Vec<Change> {
        // Definitions that are gone, and new ones.
        let mut is_defined_anew = vec![false; self.uses.idents.len()];
        let mut was_defined = vec![false; self.uses.defined.list.len()];
        for (old, new) in self.before.definitions.iter().enumerate() {
            if *new != NONE {
                was_defined[*new as usize] = true;
            } else if let Some(ident) = self.present(self.before.network.defined.list[old].ident) {
                is_defined_anew[ident] = true;
            }
        }
        for (definition, _) in
            self.uses.defined.list.iter().zip(&was_defined).filter(|(_, was)| !**was)
        {
            is_defined_anew[definition.ident] = true;
        }
        let is_edited = |(file, _): &&(u32, u32)| self.before.is_edited[*file as usize];
        let edited = |row: &'r [(u32, u32)]| row.iter().filter(is_edited).map(|(file, _)| *file);
        let change = |(ident, is_defined_anew): (usize, bool)| {
            let old = self.old_ids[ident];
            if is_defined_anew || old == NONE {
                return Change::Everything;
            }
            let row = self.uses.references.row(ident);
            if edited(row).eq(edited(self.before.references.row(old as usize))) {
                Change::None
            } else if self.is_referenced_elsewhere(ident, row) {
                Change::References
            } else {
                Change::Everything
            }
        };
        is_defined_anew.into_par_iter().enumerate().with_min_len(1 << 12).map(change).collect()
    }

    /// Whether files that were not edited refer to each definition of an identifier.
    fn is_referenced_elsewhere(&self, ident: usize, references: &[(u32, u32)]) -> bool {
        self.uses.definers.row(ident).iter().all(|definition| {
            let own = self.uses.defined.list[*definition as usize].file;
            references.iter().any(|(file, _)| {
                !self.before.is_edited[*file as usize] && self.families.fit(own, *file as usize)
            })
        })
    }

    /// The present id of an identifier of before.
    fn present(&self, old: usize) -> Option<usize> {
        self.before.idents.get(old).filter(|new| **new != NONE).map(|new| *new as usize)
    }

    /// Finds the files whose edges are made again.
    fn find_renewed(&mut self, is_scoped: bool) {
        let (before, uses) = (self.before, self.uses);
        for (old, definition) in before.network.defined.list.iter().enumerate() {
            if before.definitions[old] == NONE {
                self.is_renewed[definition.file] = true;
                self.renew_all(before.references.row(definition.ident));
            }
        }
        for ident in 0..uses.idents.len() {
            let change = self.changes[ident];
            // Which definitions are meant may change with the references.
            if change == Change::Everything || change == Change::References && is_scoped {
                for definition in uses.definers.row(ident) {
                    self.is_renewed[uses.defined.list[*definition as usize].file] = true;
                }
            }
            if change == Change::Everything {
                self.renew_all(uses.references.row(ident));
                if let Some(row) = Some(self.old_ids[ident]).filter(|old| *old != NONE) {
                    self.renew_all(before.references.row(row as usize));
                }
            }
        }
    }

    fn renew_all(&mut self, references: &[(u32, u32)]) {
        for (file, _) in references {
            self.is_renewed[*file as usize] = true;
        }
    }

    /// Whether the identifiers that other files define as well are first defined in the same order.
    fn keeps_order(&self) -> bool {
        let is_elsewhere = |ident: &usize| {
            let file = |definition: &u32| self.uses.defined.list[*definition as usize].file;
            let mut definers = self.uses.definers.row(*ident).iter();
            self.changes[*ident] < Change::Everything
                && definers.any(|definition| !self.is_renewed[file(definition)])
        };
        let kept = (0..self.uses.idents.len()).filter(is_elsewhere);
        kept.map(|ident| self.old_ids[ident]).is_sorted()
    }

    /// All edges between these nodes, with those that are made again; `None` if they do not fit each other.
    fn edges(
        &self,
        nodes: &[usize],
        edges: &[Vec<edges::Reference>],
    ) -> Option<(Adjacency, Transitions)> {
        let old = self.before.network;
        let mut node_of = vec![NONE; self.is_renewed.len()];
        for (node, file) in nodes.iter().enumerate() {
            node_of[*file] = node as u32;
        }
        let mut old_node_of = vec![NONE; self.is_renewed.len()];
        for (node, file) in old.nodes.iter().enumerate() {
            old_node_of[*file] = node as u32;
        }
        let target = |edge: &edges::Reference| {
            node_of[self.uses.defined.list[edge.definition as usize].file]
        };
        let made = edges.iter().flatten().map(|edge| {
            let &edges::Reference { file, definition, weight } = edge;
            (node_of[file as usize], OutEdge { target: target(edge), definition, weight })
        });
        let made = Adjacency::of(nodes.len(), made);
        let moves = Moves {
            now: old.nodes.iter().map(|file| node_of[*file]).collect(),
            before: nodes
                .iter()
                .map(|file| if self.is_renewed[*file] { NONE } else { old_node_of[*file] })
                .collect(),
        };
        let edges = old.adjacency.table().items().len() + made.table().items().len();
        let mut rows = Table::with_capacity(nodes.len(), edges);
        for (node, before) in moves.before.iter().enumerate() {
            if *before == NONE {
                rows.push(made.out(node).iter().copied());
            } else {
                rows.push(old.adjacency.out(*before as usize).iter().map(|edge| OutEdge {
                    target: moves.now[edge.target as usize],
                    definition: self.before.definitions[edge.definition as usize],
                    weight: edge.weight,
                }));
            }
        }
        if rows.items().iter().any(|edge| edge.definition == NONE) {
            return None;
        }
        let adjacency = Adjacency::of_table(rows)?;
        let transitions = old.transitions.renewed(&old.adjacency, &adjacency, &moves);
        Some((adjacency, transitions))
    }
}

/// The place of each identifier, from the identifiers sorted by name.
pub fn places(sorted: &[u32]) -> Vec<u32> {
    let mut places = vec![0; sorted.len()];
    for (place, ident) in sorted.iter().enumerate() {
        places[*ident as usize] = place as u32;
    }
    places
}
