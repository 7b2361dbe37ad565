//! The edges of a graph, in the order in which the comparator inserts them.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use rayon::prelude::*;

use super::{CHAT_FACTOR, RankingInput, Uses, weights::ident_factor};
use crate::{enhancement::Scopes, families::family};

/// Weight of the self edge of an identifier that is defined but never referenced.
const UNREFERENCED_WEIGHT: f64 = 0.1;
/// Number of identifiers whose edges one thread makes at a time.
const AT_ONCE: usize = 1024;

/// An edge from a file to a definition.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// Id of the file.
    pub file: u32,
    /// Index of the definition.
    pub definition: u32,
    /// Weight.
    pub weight: f64,
}

/// A referring file, and the number of its references.
type Referrer = (u32, u32);

/// What decides the edges.
struct Making<'m, 'a> {
    uses: &'m Uses<'a>,
    input: &'m RankingInput<'a>,
    /// The family of each file; `None` if families do not matter.
    families: Option<Vec<Option<&'static str>>>,
    scopes: Option<&'m Scopes>,
}

/// The edges in lists that follow each other: those of names that nothing refers to, in order of their
/// identifiers, then those of references, sorted by name, and with scopes those of definitions that no reference
/// means.
pub fn of(
    uses: &Uses,
    input: &RankingInput,
    by_family: bool,
    scopes: Option<&Scopes>,
) -> Vec<Vec<Reference>> {
    let of_files: Vec<Option<&str>> =
        input.sources.files.iter().map(|source| source.key.and_then(family)).collect();
    let families: BTreeSet<_> = input.included.iter().map(|file| of_files[*file]).collect();
    let families = (by_family && families.len() > 1).then_some(of_files);
    let making = Making { uses, input, families, scopes };
    let unreferenced = |definition: u32| {
        let file = uses.defined.list[definition as usize].file as u32;
        Reference { file, definition, weight: UNREFERENCED_WEIGHT }
    };
    let first = || {
        let mut first = Vec::new();
        for ident in 0..uses.idents.len() {
            making.parts(ident, |definers, references| {
                if references.is_empty() {
                    first.extend(definers.iter().copied().map(unreferenced));
                }
            });
        }
        first
    };
    let of_some = |idents: &[u32]| {
        let (mut edges, mut meant) = (Vec::new(), Vec::new());
        for ident in idents {
            let ident = *ident as usize;
            making.parts(ident, |definers, references| {
                making.add(ident, definers, references, &mut edges, &mut meant);
            });
        }
        edges
    };
    let others = || uses.sorted.par_chunks(AT_ONCE).map(of_some).collect::<Vec<_>>();
    let (first, others) = rayon::join(first, others);
    let mut edges = vec![first];
    edges.extend(others);
    if scopes.is_some() {
        let mut is_meant = vec![false; uses.defined.list.len()];
        for edge in edges.iter().flatten() {
            is_meant[edge.definition as usize] = true;
        }
        let others = (0..is_meant.len()).filter(|definition| !is_meant[*definition]);
        edges.push(others.map(|definition| unreferenced(definition as u32)).collect());
    }
    edges
}

impl Making<'_, '_> {
    /// Hands out the definers of an identifier, sorted by the relative names of their files, with the
    /// references that can mean them: once for all, or once for each family of languages, in their
    /// order. A reference or a definer without a family fits all others.
    fn parts(&self, ident: usize, mut found: impl FnMut(&[u32], &[Referrer])) {
        let (definers, references) = (self.sorted(ident), self.references(ident));
        let Some(families) = &self.families else { return found(&definers, &references) };
        let of = |definition: &u32| {
            let file = self.uses.defined.list[*definition as usize].file;
            families[file]
        };
        let fits = |own: Option<&str>, (from, _): &Referrer| {
            own.is_none() || families[*from as usize].is_none_or(|from| Some(from) == own)
        };
        let mut parts: BTreeMap<Option<&str>, Vec<u32>> = BTreeMap::new();
        if let [first, rest @ ..] = &*definers {
            let own = of(first);
            if rest.iter().all(|one| of(one) == own) {
                if references.iter().all(|one| fits(own, one)) {
                    return found(&definers, &references);
                }
                parts.insert(own, definers.to_vec());
            } else {
                for definition in definers.iter() {
                    parts.entry(of(definition)).or_default().push(*definition);
                }
            }
        }
        for (own, definers) in parts {
            let references: Vec<Referrer> =
                references.iter().filter(|one| fits(own, one)).copied().collect();
            found(&definers, &references);
        }
    }

    /// The definers of an identifier, sorted by the relative names of their files.
    fn sorted(&self, ident: usize) -> Cow<'_, [u32]> {
        let definers = self.uses.definers.row(ident);
        let rel = |definition: &u32| {
            let file = self.uses.defined.list[*definition as usize].file;
            self.input.sources.files[file].file.rel.as_str()
        };
        if definers.is_sorted_by_key(rel) {
            return definers.into();
        }
        let mut sorted = definers.to_vec();
        sorted.sort_by_key(rel);
        sorted.into()
    }

    /// The references to an identifier. If there is no reference at all, to any name, those that define a
    /// name refer to it.
    fn references(&self, ident: usize) -> Cow<'_, [Referrer]> {
        if self.uses.has_references {
            return self.uses.references.row(ident).into();
        }
        let definers = self.uses.definers.row(ident).iter();
        definers.map(|one| (self.uses.defined.list[*one as usize].file as u32, 1)).collect()
    }

    /// Adds the edges of some references to these definers of an identifier.
    fn add(
        &self,
        ident: usize,
        definers: &[u32],
        references: &[Referrer],
        edges: &mut Vec<Reference>,
        meant: &mut Vec<u32>,
    ) {
        if references.is_empty() {
            return;
        }
        let all = self.uses.definers.row(ident).len();
        let factor = ident_factor(self.uses.idents[ident], all, &self.input.mentioned_idents);
        for &(file, count) in references {
            let mut factor = factor;
            if self.input.chat.contains(&(file as usize)) {
                factor *= CHAT_FACTOR;
            }
            // The square root is applied again for each definer: the k-th one gets the count to the
            // power 1/2^k.
            let mut count = f64::from(count);
            meant.clear();
            self.mean(file, definers, meant);
            for &definition in if meant.is_empty() { definers } else { &*meant } {
                count = count.sqrt();
                edges.push(Reference { file, definition, weight: factor * count });
            }
        }
    }

    /// Adds the definitions that references in a file mean: those in files that it can see. None stands for
    /// all of them: if there are no such files, or if the file itself defines the name, because tags
    /// do not tell the file's own method from one of another object.
    fn mean(&self, from: u32, definers: &[u32], meant: &mut Vec<u32>) {
        let Some(scopes) = self.scopes.filter(|_| definers.len() > 1) else { return };
        let file = |one: &u32| self.uses.defined.list[*one as usize].file;
        if definers.iter().any(|one| file(one) == from as usize) {
            return;
        }
        let seen = definers.iter().filter(|one| scopes.sees(from as usize, file(one)));
        meant.extend(seen.copied());
    }
}
