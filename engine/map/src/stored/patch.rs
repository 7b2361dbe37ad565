//! The uses of names after an edit, from those of before and the tags of the edited files.
//!
//! They are the same that would be collected from all files, in the same order.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    StoredGraph,
    postings::{Postings, Referrer, name, names},
};
use crate::{
    graph::{Before, Definition, Definitions, FileGraph, Network, RankingInput, Uses},
    sources::{Source, Sources},
    syntax::TagKind,
    table::Table,
};

/// Stands for no identifier.
const NONE: u32 = u32::MAX;

/// What was kept of the uses of before, and which files were edited since.
#[derive(Debug)]
pub struct Patch {
    /// The graph of before.
    before: StoredGraph,
    /// The references of before.
    pub postings: Postings,
    /// The edited files, sorted.
    edited: Vec<usize>,
}

/// Finds identifiers of before and new ones by their names. New ones come after those of before.
struct Names<'p> {
    /// Those of before, one after the other, and where each of them ends.
    before: (&'p str, &'p [u32]),
    /// Identifiers of before, sorted by name.
    sorted: Vec<u32>,
    new: FxHashMap<&'p str, u32>,
    /// The names of the new ones.
    added: Vec<&'p str>,
}

impl<'p> Names<'p> {
    fn find(&self, name: &str) -> Option<u32> {
        let place = self.sorted.binary_search_by_key(&name, |ident| self.name(*ident));
        match place {
            Ok(place) => self.sorted.get(place).copied(),
            Err(_) => self.new.get(name).copied(),
        }
    }

    fn find_or_add(&mut self, name: &'p str) -> u32 {
        self.find(name).unwrap_or_else(|| {
            let ident = (self.count() + self.added.len()) as u32;
            self.added.push(name);
            self.new.insert(name, ident);
            ident
        })
    }

    fn name(&self, ident: u32) -> &'p str {
        let (at, (names, ends)) = (ident as usize, self.before);
        let name = match at.checked_sub(ends.len()) {
            Some(added) => self.added.get(added).copied(),
            None => name(names, ends, at),
        };
        name.unwrap_or_default()
    }

    /// Number of identifiers of before.
    const fn count(&self) -> usize {
        self.before.1.len()
    }
}

/// The tags of one kind.
fn of_kind(source: &Source, kind: TagKind) -> impl Iterator<Item = (&str, i32)> {
    let tags = source.tags.iter().filter(move |tag| tag.kind == kind);
    tags.map(|tag| (source.name(tag), tag.line))
}

impl Patch {
    /// The patch of a kept graph and its postings for some files, which were read again.
    pub fn of(before: StoredGraph, postings: Postings, edited: &[usize]) -> Self {
        Self { before, postings, edited: edited.to_vec() }
    }

    /// The graph of the files as they are now.
    pub fn graph<'p>(&'p self, input: &RankingInput<'p>, by_family: bool) -> FileGraph<'p> {
        let (mut uses, before) = self.uses(input.sources);
        let scopes = self.postings.scopes.as_ref();
        match Network::renewed(&before, &mut uses, input, by_family, scopes) {
            Some(network) => FileGraph::of_network(Arc::new(network), uses.idents, input),
            None => FileGraph::of_uses(uses, input, by_family, scopes),
        }
    }

    /// Whether the graph can be built of the patched uses: without any reference it is built in another
    /// way.
    pub fn has_references(&self, sources: &Sources) -> bool {
        let is_edited = |file: &usize| self.edited.binary_search(file).is_ok();
        let mut files = (0..self.postings.refers.len()).filter(|file| self.postings.refers[*file]);
        files.any(|file| !is_edited(&file))
            || self
                .edited
                .iter()
                .any(|file| of_kind(&sources.files[*file], TagKind::Reference).next().is_some())
    }

    /// The uses of names in all files as they are now, and what became of those of before.
    pub fn uses<'p>(&'p self, sources: &'p Sources) -> (Uses<'p>, Before<'p>) {
        let places = &self.before.network.places;
        let mut is_edited = vec![false; sources.files.len()];
        self.edited.iter().for_each(|file| is_edited[*file] = true);
        let mut sorted = vec![0; places.len()];
        for (ident, place) in places.iter().enumerate() {
            sorted[*place as usize] = ident as u32;
        }
        let before = (self.before.names.as_str(), self.before.name_ends.as_slice());
        let mut found = Names { before, sorted, new: FxHashMap::default(), added: Vec::new() };
        let order = Vec::with_capacity(places.len());
        let mut present = Present { ids: vec![NONE; places.len()], order };
        let defined = self.definitions(sources, &is_edited, &mut found, &mut present);
        let mut added: Vec<u32> = (found.count() as u32..).take(found.added.len()).collect();
        added.sort_unstable_by_key(|ident| found.name(*ident));
        let of_definitions = || {
            let sorted = merged(&found, &added).into_iter();
            let sorted = sorted.filter_map(|ident| present.id(ident)).collect();
            let places = self.places_of_definitions(&defined, &present.ids, &is_edited);
            let idents = present.order.iter().map(|ident| found.name(*ident)).collect();
            (idents, sorted, places, defined.definers(present.order.len()))
        };
        let (references, (idents, sorted, definitions, definers)) =
            rayon::join(|| self.references(sources, &is_edited, &found, &present), of_definitions);
        present.ids.truncate(places.len());
        let before = Before {
            network: &self.before.network,
            references: &self.postings.references,
            definitions,
            idents: present.ids,
            is_edited,
        };
        let has_references = true;
        (Uses { idents, sorted, defined, definers, references, has_references }, before)
    }

    /// The present index of each definition of before; `NONE` if it is gone. `ids` are the present identifiers.
    fn places_of_definitions(
        &self,
        defined: &Definitions,
        ids: &[u32],
        is_edited: &[bool],
    ) -> Vec<u32> {
        let before = &self.before.network.defined.list;
        let mut places = Vec::with_capacity(before.len());
        let mut next = 0;
        for of_file in before.chunk_by(|one, other| one.file == other.file) {
            let file = of_file.first().map_or(0, |one| one.file);
            next += defined.list[next..].iter().take_while(|one| one.file < file).count();
            let now = defined.list[next..].iter().take_while(|one| one.file == file);
            if is_edited[file] {
                let now: FxHashMap<usize, usize> =
                    now.zip(next..).map(|(one, at)| (one.ident, at)).collect();
                let at = |one: &Definition| now.get(&(ids[one.ident] as usize)).copied();
                places.extend(of_file.iter().map(|one| at(one).map_or(NONE, |at| at as u32)));
            } else {
                places.extend((next as u32..).take(of_file.len()));
            }
        }
        places
    }

    /// All definitions, with identifiers in order of first definition.
    fn definitions<'p>(
        &'p self,
        sources: &'p Sources,
        is_edited: &[bool],
        found: &mut Names<'p>,
        present: &mut Present,
    ) -> Definitions {
        // Rows of edited files stay, unused, and new ones come after all others.
        let before = &self.before.network.defined;
        let tags: usize = self.edited.iter().map(|file| sources.files[*file].tags.len()).sum();
        let mut rows = Vec::with_capacity(before.rows.len() + tags);
        rows.extend_from_slice(&before.rows);
        let mut defined = Definitions { list: Vec::with_capacity(before.list.len() + tags), rows };
        let (mut last, mut rest) = (Vec::new(), before.list.as_slice());
        for (file, is_edited) in is_edited.iter().enumerate() {
            let end = rest.iter().take_while(|one| one.file == file).count();
            let (of_file, behind) = rest.split_at(end);
            rest = behind;
            if *is_edited {
                let tags = of_kind(&sources.files[file], TagKind::Definition).map(|(name, row)| {
                    let ident = found.find_or_add(name);
                    (present.add(ident) as usize, row)
                });
                defined.add_file(file, tags, &mut last);
            } else {
                defined.list.extend(of_file.iter().map(|one| Definition {
                    ident: present.add(one.ident as u32) as usize,
                    ..*one
                }));
            }
        }
        defined
    }

    /// The references to each identifier, in order of files.
    fn references(
        &self,
        sources: &Sources,
        is_edited: &[bool],
        found: &Names,
        present: &Present,
    ) -> Table<Referrer> {
        let before = &self.postings.references;
        let mut rows: Vec<&[Referrer]> = vec![&[]; present.order.len()];
        for (ident, row) in present.ids.iter().zip(before.rows()) {
            if let Some(of_ident) = rows.get_mut(*ident as usize) {
                *of_ident = row;
            }
        }
        if !found.added.is_empty() {
            let (others, ends) = &self.postings.others;
            for (name, row) in names(others, ends).zip(self.postings.to_others.rows()) {
                if let Some(ident) = found.new.get(name).and_then(|ident| present.id(*ident)) {
                    rows[ident as usize] = row;
                }
            }
        }
        let own = self.own_references(sources, found, present);
        let mut own = own.iter().peekable();
        let more = before.items().len() + self.edited.len();
        let mut table = Table::with_capacity(rows.len(), more);
        let mut all = Vec::new();
        for (ident, row) in rows.into_iter().enumerate() {
            let is_new = |(at, _): &&(usize, Referrer)| *at == ident;
            if own.peek().is_none_or(|one| !is_new(one))
                && !row.iter().any(|(file, _)| is_edited[*file as usize])
            {
                table.push(row.iter().copied());
                continue;
            }
            all.clear();
            all.extend(row.iter().filter(|(file, _)| !is_edited[*file as usize]));
            while let Some((_, one)) = own.next_if(is_new) {
                all.push(*one);
            }
            all.sort_unstable_by_key(|one| one.0);
            table.push(all.iter().copied());
        }
        table
    }

    /// The references in the edited files to each identifier that is defined, in order of both.
    fn own_references(
        &self,
        sources: &Sources,
        found: &Names,
        present: &Present,
    ) -> Vec<(usize, Referrer)> {
        let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for &file in &self.edited {
            for (name, _) in of_kind(&sources.files[file], TagKind::Reference) {
                if let Some(ident) = found.find(name).and_then(|ident| present.id(ident)) {
                    *counts.entry((ident, file as u32)).or_default() += 1;
                }
            }
        }
        let one = |((ident, file), count)| (ident as usize, (file, count));
        counts.into_iter().map(one).collect()
    }
}

/// The identifiers that are still, or newly, defined.
struct Present {
    /// The id of each identifier of before and of each new one.
    ids: Vec<u32>,
    /// The identifier with each id.
    order: Vec<u32>,
}

impl Present {
    /// The id of an identifier that is defined.
    fn add(&mut self, ident: u32) -> u32 {
        if ident as usize >= self.ids.len() {
            self.ids.resize(ident as usize + 1, NONE);
        }
        let id = &mut self.ids[ident as usize];
        if *id == NONE {
            *id = self.order.len() as u32;
            self.order.push(ident);
        }
        *id
    }

    fn id(&self, ident: u32) -> Option<u32> {
        self.ids.get(ident as usize).copied().filter(|id| *id != NONE)
    }
}

/// The identifiers of before and the `added` ones, sorted by name.
fn merged(found: &Names, added: &[u32]) -> Vec<u32> {
    let mut merged = Vec::with_capacity(found.sorted.len() + added.len());
    let mut rest = found.sorted.as_slice();
    for ident in added {
        let name = found.name(*ident);
        let (less, greater) =
            rest.split_at(rest.partition_point(|before| found.name(*before) < name));
        merged.extend_from_slice(less);
        merged.push(*ident);
        rest = greater;
    }
    merged.extend_from_slice(rest);
    merged
}
