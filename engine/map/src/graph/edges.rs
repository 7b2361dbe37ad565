//! The edges of a graph, in the order in which the comparator inserts them.

use std::{borrow::Cow, collections::BTreeMap};

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
pub type Referrer = (u32, u32);

/// The family of each file; `None` if families do not matter.
#[derive(Debug)]
pub struct Families(Option<Vec<Option<&'static str>>>);

impl Families {
    /// The families of the files. They do not matter if all included files are of the same one.
    pub fn of(input: &RankingInput, by_family: bool) -> Self {
        let files = &input.sources.files;
        let of_file = |file: usize| files[file].key.and_then(family);
        let mut included = input.included.iter().map(|file| of_file(*file));
        let first = included.next();
        let are_alike = included.all(|family| Some(family) == first);
        Self((by_family && !are_alike).then(|| (0..files.len()).map(of_file).collect()))
    }

    /// Whether a reference in a file can mean a definition in another one.
    pub fn fit(&self, definer: usize, from: usize) -> bool {
        self.0.as_ref().is_none_or(|families| fits(families[definer], families[from]))
    }
}

/// Whether a reference in a file of a family can mean a definition in a file of another one. A file without a family
/// fits all others.
fn fits(definer: Option<&str>, from: Option<&str>) -> bool {
    definer.is_none() || from.is_none_or(|from| Some(from) == definer)
}

/// What decides the edges.
pub struct Making<'m, 'a> {
    pub uses: &'m Uses<'a>,
    pub input: &'m RankingInput<'a>,
    pub families: &'m Families,
    pub scopes: Option<&'m Scopes>,
    /// Whether the edges from each file are wanted; `None` if all are.
    pub wanted: Option<&'m [bool]>,
}

/// The edges in lists that follow each other: those of names that nothing refers to, in order of their
/// identifiers, then those of references, sorted by name, and with scopes those of definitions that no reference
/// means. Only edges from `wanted` files are made, if some are given.
pub fn of(
    uses: &Uses,
    input: &RankingInput,
    families: &Families,
    scopes: Option<&Scopes>,
    wanted: Option<&[bool]>,
) -> Vec<Vec<Reference>> {
    let making = Making { uses, input, families, scopes, wanted };
    // Whether the wanted edges depend on each identifier.
    let idents = || (0..uses.idents.len()).into_par_iter().with_min_len(1 << 12);
    let concerns: Option<Vec<bool>> =
        wanted.map(|_| idents().map(|ident| making.wants(ident)).collect());
    let is_concerned = |ident: usize| concerns.as_ref().is_none_or(|concerns| concerns[ident]);
    let unreferenced = |definition: u32| {
        let file = uses.defined.list[definition as usize].file as u32;
        Reference { file, definition, weight: UNREFERENCED_WEIGHT }
    };
    let first = || {
        let mut first = Vec::new();
        for ident in (0..uses.idents.len()).filter(|ident| is_concerned(*ident)) {
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
    let concerned: Cow<[u32]> = if concerns.is_some() {
        uses.sorted.iter().copied().filter(|ident| is_concerned(*ident as usize)).collect()
    } else {
        uses.sorted.as_slice().into()
    };
    let others = || concerned.par_chunks(AT_ONCE).map(of_some).collect::<Vec<_>>();
    let (first, others) = rayon::join(first, others);
    let mut edges = vec![first];
    edges.extend(others);
    if scopes.is_some() {
        let mut is_meant = vec![false; uses.defined.list.len()];
        for edge in edges.iter().flatten() {
            is_meant[edge.definition as usize] = true;
        }
        let others = (0..is_meant.len()).filter(|definition| !is_meant[*definition]);
        let others = others.map(|definition| unreferenced(definition as u32));
        edges.push(others.filter(|edge| making.is_wanted(edge.file as usize)).collect());
    }
    if wanted.is_some() {
        for edges in &mut edges {
            edges.retain(|edge| making.is_wanted(edge.file as usize));
        }
    }
    edges
}

impl Making<'_, '_> {
    fn is_wanted(&self, file: usize) -> bool {
        self.wanted.is_none_or(|wanted| wanted[file])
    }

    /// Whether edges from a file that defines an identifier are wanted.
    fn wants_definers(&self, ident: usize) -> bool {
        let definers = self.uses.definers.row(ident);
        let file = |definition: &u32| self.uses.defined.list[*definition as usize].file;
        self.wanted.is_none() || definers.iter().any(|one| self.is_wanted(file(one)))
    }

    /// Whether edges to an identifier are wanted, or needed to know which of its definitions are meant.
    fn wants(&self, ident: usize) -> bool {
        let is_wanted = |(file, _): &Referrer| self.is_wanted(*file as usize);
        self.wants_definers(ident) || self.references(ident).iter().any(is_wanted)
    }

    /// Hands out the definers of an identifier, sorted by the relative names of their files, with the
    /// references that can mean them: once for all, or once for each family of languages, in their
    /// order.
    pub fn parts(&self, ident: usize, mut found: impl FnMut(&[u32], &[Referrer])) {
        let (definers, references) = (self.sorted(ident), self.references(ident));
        let Some(families) = &self.families.0 else { return found(&definers, &references) };
        let of = |definition: &u32| {
            let file = self.uses.defined.list[*definition as usize].file;
            families[file]
        };
        let fits = |own: Option<&str>, (from, _): &Referrer| fits(own, families[*from as usize]);
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
    pub fn references(&self, ident: usize) -> Cow<'_, [Referrer]> {
        if self.uses.has_references {
            return self.uses.references.row(ident).into();
        }
        let definers = self.uses.definers.row(ident).iter();
        definers.map(|one| (self.uses.defined.list[*one as usize].file as u32, 1)).collect()
    }

    /// Adds the edges of some references to these definers of an identifier.
    pub fn add(
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
        // Other edges tell which of the definitions are meant.
        let mut has_unknown = self.scopes.is_some() && self.wants_definers(ident);
        for &(file, count) in references {
            if !has_unknown && !self.is_wanted(file as usize) {
                continue;
            }
            let mut factor = factor;
            if self.input.chat.contains(&(file as usize)) {
                factor *= CHAT_FACTOR;
            }
            // The square root is applied again for each definer: the k-th one gets the count to the
            // power 1/2^k.
            let mut count = f64::from(count);
            meant.clear();
            self.mean(file, definers, meant);
            has_unknown &= !meant.is_empty();
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
