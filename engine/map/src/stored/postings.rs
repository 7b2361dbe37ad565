//! Which files refer to which names, and which files each file can see: what else a graph was built
//! from. With it the graph is built after an edit of names without the tags of all files.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::{
    flat::Flat,
    row::{CHECKSUM, opened, sealed},
};
use crate::{
    enhancement::Scopes,
    graph::{References, Uses},
    sources::Sources,
    syntax::TagKind,
    table::Table,
};

/// A referring file, and the number of its references.
pub type Referrer = (u32, u32);

/// The postings as they are kept.
#[derive(Debug, Serialize, Deserialize)]
struct Row<'a> {
    /// The checksum of the row of the graph that they belong to.
    of: [u8; CHECKSUM],
    /// Where the references to each defined identifier start, and their number.
    #[serde(borrow)]
    starts: Flat<'a>,
    files: Flat<'a>,
    counts: Flat<'a>,
    /// The names without a definition, one after the other.
    others: &'a str,
    /// Where each of them ends.
    other_ends: Flat<'a>,
    /// The same for the references to them.
    other_starts: Flat<'a>,
    other_files: Flat<'a>,
    other_counts: Flat<'a>,
    /// For each file 1 if it refers to anything, else 0.
    refers: Flat<'a>,
    /// Where the files that each file can see start, and their number; nothing if that does not matter.
    scopes: Option<[Flat<'a>; 2]>,
}

/// Postings of a kept graph.
#[derive(Debug)]
pub struct Postings {
    /// The references to each defined identifier.
    pub references: Table<Referrer>,
    /// The names without a definition, one after the other, and where each of them ends.
    pub others: (String, Vec<u32>),
    /// The references to them.
    pub to_others: Table<Referrer>,
    /// Whether each file refers to anything.
    pub refers: Vec<bool>,
    /// What each file can see, if that matters.
    pub scopes: Option<Scopes>,
}

impl Postings {
    /// The postings of the files that these uses were collected from.
    pub fn of(uses: &Uses, sources: &Sources, scopes: Option<&Scopes>) -> Self {
        let known: IndexMap<&str, (), FxBuildHasher> =
            uses.idents.iter().map(|name| (*name, ())).collect();
        let mut others: IndexMap<&str, (), FxBuildHasher> = IndexMap::default();
        let mut found = References::default();
        let mut refers = vec![false; sources.files.len()];
        for (file, source) in sources.files.iter().enumerate() {
            for tag in source.tags.iter().filter(|tag| tag.kind == TagKind::Reference) {
                refers[file] = true;
                let name = source.name(tag);
                if !known.contains_key(name) {
                    found.add(others.insert_full(name, ()).0, file);
                }
            }
        }
        let ends = ends(others.keys().copied());
        let to_others = Table::of(others.len(), found.found.iter().copied());
        let names: Vec<&str> = others.into_keys().collect();
        Self {
            references: uses.references.clone(),
            others: (names.concat(), ends),
            to_others,
            refers,
            scopes: scopes.cloned(),
        }
    }

    /// The row of the postings of a graph; `None` if it cannot be made.
    pub fn encode(&self, graph: &[u8]) -> Option<Vec<u8>> {
        let files = |table: &Table<Referrer>| Flat::of_u32(table.items().iter().map(|one| one.0));
        let counts = |table: &Table<Referrer>| Flat::of_u32(table.items().iter().map(|one| one.1));
        let starts = |table: &Table<Referrer>| Flat::of_u32(table.starts().iter().copied());
        sealed(&Row {
            of: *graph.first_chunk()?,
            starts: starts(&self.references),
            files: files(&self.references),
            counts: counts(&self.references),
            others: &self.others.0,
            other_ends: Flat::of_u32(self.others.1.iter().copied()),
            other_starts: starts(&self.to_others),
            other_files: files(&self.to_others),
            other_counts: counts(&self.to_others),
            refers: Flat(self.refers.iter().map(|refers| u8::from(*refers)).collect()),
            scopes: self.scopes.as_ref().map(|scopes| {
                let Scopes { seen } = scopes;
                [seen.starts(), seen.items()].map(|numbers| Flat::of_u32(numbers.iter().copied()))
            }),
        })
    }

    /// The postings of a row that belong to the row of a graph with this checksum, with so many files and identifiers;
    /// `None` if they are damaged or belong to another one.
    pub fn decode(row: &[u8], graph: &[u8; CHECKSUM], files: usize, idents: usize) -> Option<Self> {
        let row: Row = opened(row)?;
        let table = |starts: &Flat, of: &Flat, counts: &Flat| {
            let items = of.numbers()?.zip(counts.numbers()?).collect();
            let table: Table<Referrer> = Table::of_parts(starts.u32()?, items)?;
            table.items().iter().all(|(file, _)| (*file as usize) < files).then_some(table)
        };
        let references = table(&row.starts, &row.files, &row.counts)?;
        let to_others = table(&row.other_starts, &row.other_files, &row.other_counts)?;
        let other_ends = row.other_ends.u32()?;
        let scopes = match &row.scopes {
            None => None,
            Some([starts, seen]) => {
                Some(Scopes { seen: Table::of_parts(starts.u32()?, seen.u32()?)? })
            }
        };
        let fits = *graph == row.of
            && references.len() == idents
            && to_others.len() == other_ends.len()
            && row.refers.0.len() == files
            && scopes.as_ref().is_none_or(|scopes| scopes.seen.len() == files);
        fits.then(|| Self {
            references,
            others: (row.others.to_owned(), other_ends),
            to_others,
            refers: row.refers.0.iter().map(|refers| *refers == 1).collect(),
            scopes,
        })
    }
}

/// Where each of some names ends if they stand one after the other.
pub fn ends<'n>(names: impl Iterator<Item = &'n str>) -> Vec<u32> {
    let mut end = 0;
    let next = |name: &str| {
        end += name.len() as u32;
        end
    };
    names.map(next).collect()
}

/// Names that stand one after the other; damaged ones are empty.
pub fn names<'n>(all: &'n str, ends: &'n [u32]) -> impl Iterator<Item = &'n str> {
    (0..ends.len()).map(|at| name(all, ends, at).unwrap_or_default())
}

/// One of these names; `None` if it is damaged or not there.
pub fn name<'n>(all: &'n str, ends: &[u32], at: usize) -> Option<&'n str> {
    let start = at.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied())?;
    all.get(start as usize..*ends.get(at)? as usize)
}
