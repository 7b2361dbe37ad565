//! The uses of names after an edit, from those of before and the tags of the edited files.
//!
//! They are the same that would be collected from all files, in the same order, so the graph is built
//! of them by the same code.

use rustc_hash::FxHashMap;

use super::{
    postings::{Postings, Referrer, names},
    row::Row,
};
use crate::{
    graph::{Definition, Definitions, FileGraph, RankingInput, Uses},
    sources::{Source, Sources},
    syntax::TagKind,
    table::Table,
};

/// Stands for no identifier.
const NONE: u32 = u32::MAX;

/// What was kept of the uses of before, and which files were edited since.
#[derive(Debug)]
pub struct Patch {
    /// The identifiers of before, one after the other, and where each of them ends.
    pub names: String,
    pub name_ends: Vec<u32>,
    /// Their places, sorted by name.
    pub places: Vec<u32>,
    /// The definitions of before.
    pub defined: Definitions,
    /// The references of before.
    pub postings: Postings,
    /// The edited files, sorted.
    pub edited: Vec<usize>,
}

/// Finds identifiers of before and new ones by their names. New ones come after those of before.
struct Names<'p> {
    before: Vec<&'p str>,
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
            let ident = (self.before.len() + self.added.len()) as u32;
            self.added.push(name);
            self.new.insert(name, ident);
            ident
        })
    }

    fn name(&self, ident: u32) -> &'p str {
        let at = ident as usize;
        let added = || self.added.get(at.checked_sub(self.before.len())?).copied();
        self.before.get(at).copied().or_else(added).unwrap_or_default()
    }
}

/// The tags of one kind.
fn of_kind(source: &Source, kind: TagKind) -> impl Iterator<Item = (&str, i32)> {
    let tags = source.tags.iter().filter(move |tag| tag.kind == kind);
    tags.map(|tag| (source.name(tag), tag.line))
}

impl Patch {
    /// The patch of a row and its postings for some files, which were read again; `None` if they are
    /// damaged.
    pub fn of(
        bytes: &[u8],
        row: &Row,
        postings: &[u8],
        sources: &Sources,
        edited: &[usize],
    ) -> Option<Self> {
        let (files, name_ends) = (sources.files.len(), row.name_ends()?);
        let idents = name_ends.len();
        Some(Self {
            names: row.names.to_owned(),
            name_ends,
            places: row.places(idents)?,
            defined: row.defined(files, idents)?,
            postings: Postings::decode(postings, bytes, files, idents)?,
            edited: edited.to_vec(),
        })
    }

    /// The graph of the files as they are now.
    pub fn graph<'p>(&'p self, input: &RankingInput<'p>, by_family: bool) -> FileGraph<'p> {
        let uses = self.uses(input.sources);
        FileGraph::of_uses(uses, input, by_family, self.postings.scopes.as_ref())
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

    /// The uses of names in all files as they are now.
    pub fn uses<'p>(&'p self, sources: &'p Sources) -> Uses<'p> {
        let mut is_edited = vec![false; sources.files.len()];
        self.edited.iter().for_each(|file| is_edited[*file] = true);
        let mut sorted = vec![0; self.places.len()];
        for (ident, place) in self.places.iter().enumerate() {
            sorted[*place as usize] = ident as u32;
        }
        let before = names(&self.names, &self.name_ends).collect();
        let mut found = Names { before, sorted, new: FxHashMap::default(), added: Vec::new() };
        let mut present = Present { ids: vec![NONE; self.places.len()], idents: Vec::new() };
        let defined = self.definitions(sources, &is_edited, &mut found, &mut present);
        let references = self.references(sources, &is_edited, &found, &present);
        let mut added: Vec<u32> = (found.before.len() as u32..).take(found.added.len()).collect();
        added.sort_unstable_by_key(|ident| found.name(*ident));
        let sorted = merged(&found, &added).filter_map(|ident| present.id(ident)).collect();
        Uses {
            definers: defined.definers(present.idents.len()),
            references,
            idents: present.idents,
            sorted,
            defined,
            has_references: true,
        }
    }

    /// All definitions, with identifiers in order of first definition.
    fn definitions<'p>(
        &'p self,
        sources: &'p Sources,
        is_edited: &[bool],
        found: &mut Names<'p>,
        present: &mut Present<'p>,
    ) -> Definitions {
        // Rows of edited files stay, unused, and new ones come after all others.
        let list = Vec::with_capacity(self.defined.list.len());
        let mut defined = Definitions { list, rows: self.defined.rows.clone() };
        let (mut last, mut rest) = (Vec::new(), self.defined.list.as_slice());
        for (file, is_edited) in is_edited.iter().enumerate() {
            let end = rest.iter().take_while(|one| one.file == file).count();
            let (of_file, behind) = rest.split_at(end);
            rest = behind;
            if *is_edited {
                let tags = of_kind(&sources.files[file], TagKind::Definition).map(|(name, row)| {
                    let ident = found.find_or_add(name);
                    (present.add(ident, name) as usize, row)
                });
                defined.add_file(file, tags, &mut last);
            } else {
                defined.list.extend(of_file.iter().map(|one| {
                    let name = found.name(one.ident as u32);
                    let ident = present.add(one.ident as u32, name) as usize;
                    Definition { ident, ..*one }
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
        let mut all = Vec::with_capacity(self.postings.references.items().len());
        let mut add = |ident: u32, row: &[Referrer]| {
            let of_others = row.iter().filter(|(file, _)| !is_edited[*file as usize]);
            all.extend(of_others.map(|one| (ident, *one)));
        };
        for (ident, row) in (0..).zip(self.postings.references.rows()) {
            if let Some(ident) = present.id(ident) {
                add(ident, row);
            }
        }
        if !found.added.is_empty() {
            let (others, ends) = &self.postings.others;
            for (name, row) in names(others, ends).zip(self.postings.to_others.rows()) {
                if let Some(ident) = found.new.get(name).and_then(|ident| present.id(*ident)) {
                    add(ident, row);
                }
            }
        }
        for &file in &self.edited {
            let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
            let mut own = Vec::new();
            for (name, _) in of_kind(&sources.files[file], TagKind::Reference) {
                if let Some(ident) = found.find(name).and_then(|ident| present.id(ident)) {
                    let count = counts.entry(ident).or_insert_with(|| {
                        own.push(ident);
                        0
                    });
                    *count += 1;
                }
            }
            all.extend(own.into_iter().map(|ident| (ident, (file as u32, counts[&ident]))));
        }
        let mut table = Table::of(present.idents.len(), all.into_iter());
        for row in table.rows_mut() {
            if !row.is_sorted_by_key(|one| one.0) {
                row.sort_unstable_by_key(|one| one.0);
            }
        }
        table
    }
}

/// The identifiers that are still, or newly, defined.
struct Present<'p> {
    /// The id of each identifier of before and of each new one.
    ids: Vec<u32>,
    idents: Vec<&'p str>,
}

impl<'p> Present<'p> {
    /// The id of an identifier that is defined.
    fn add(&mut self, ident: u32, name: &'p str) -> u32 {
        if ident as usize >= self.ids.len() {
            self.ids.resize(ident as usize + 1, NONE);
        }
        let id = &mut self.ids[ident as usize];
        if *id == NONE {
            *id = self.idents.len() as u32;
            self.idents.push(name);
        }
        *id
    }

    fn id(&self, ident: u32) -> Option<u32> {
        self.ids.get(ident as usize).copied().filter(|id| *id != NONE)
    }
}

/// The identifiers of before and the `added` ones, sorted by name.
fn merged<'n>(found: &'n Names, added: &'n [u32]) -> impl Iterator<Item = u32> + 'n {
    let (mut before, mut added) = (found.sorted.iter().peekable(), added.iter().peekable());
    std::iter::from_fn(move || {
        let is_added = match (before.peek(), added.peek()) {
            (Some(one), Some(other)) => found.name(**other) < found.name(**one),
            (one, _) => one.is_none(),
        };
        if is_added { added.next().copied() } else { before.next().copied() }
    })
}
