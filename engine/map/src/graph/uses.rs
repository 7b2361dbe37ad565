//! Which names are defined where, and which files refer to them.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Definition, Definitions, RankingInput};
use crate::{syntax::TagKind, table::Table};

/// Stands for no position.
const NONE: u32 = u32::MAX;

/// The defined identifiers with their definers and the references to them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Uses<'a> {
    /// The identifiers, in order of first definition.
    pub idents: Vec<&'a str>,
    /// Their ids, sorted by name.
    pub sorted: Vec<u32>,
    /// All definitions.
    pub defined: Definitions,
    /// The definitions of each identifier, in order of files.
    pub definers: Table<u32>,
    /// Referring files of each identifier in order, each with the number of its references.
    pub references: Table<(u32, u32)>,
    /// Whether there is any reference at all, to any name.
    pub has_references: bool,
}

impl<'a> Uses<'a> {
    /// Collects the definitions of the included files and the references to them.
    pub fn of(input: &RankingInput<'a>) -> Self {
        let mut names: IndexMap<&str, (), FxBuildHasher> = IndexMap::default();
        let mut defined = Definitions::default();
        let mut last = Vec::new();
        for &id in &input.included {
            let source = &input.sources.files[id];
            let definitions = source.tags.iter().filter(|tag| tag.kind == TagKind::Definition);
            let named = definitions.map(|tag| {
                let ident = names.insert_full(source.name(tag), ()).0;
                (ident, tag.line)
            });
            defined.add_file(id, named, &mut last);
        }
        let mut references = References::default();
        let mut has_references = false;
        for &id in &input.included {
            let source = &input.sources.files[id];
            for tag in source.tags.iter().filter(|tag| tag.kind == TagKind::Reference) {
                has_references = true;
                if let Some(ident) = names.get_index_of(source.name(tag)) {
                    references.add(ident, id);
                }
            }
        }
        let idents: Vec<&str> = names.into_keys().collect();
        let mut sorted: Vec<u32> = (0..idents.len() as u32).collect();
        sorted.sort_unstable_by_key(|ident| idents[*ident as usize]);
        Self {
            definers: defined.definers(idents.len()),
            references: Table::of(idents.len(), references.found.iter().copied()),
            idents,
            sorted,
            defined,
            has_references,
        }
    }
}

impl Definitions {
    /// Adds the definitions of a file that comes after all others, given as identifiers and rows in order of
    /// their tags. `last` is kept from file to file.
    pub fn add_file(
        &mut self,
        file: usize,
        tags: impl Iterator<Item = (usize, i32)>,
        last: &mut Vec<u32>,
    ) {
        let first = self.list.len();
        let mut rows: Vec<(u32, i32)> = Vec::new();
        for (ident, row) in tags {
            if ident >= last.len() {
                last.resize(ident + 1, NONE);
            }
            if last[ident] == NONE || (last[ident] as usize) < first {
                last[ident] = self.list.len() as u32;
                self.list.push(Definition { file, ident, rows: [0; 2] });
            }
            rows.push((last[ident], row));
        }
        rows.sort_unstable();
        rows.dedup();
        for of_one in rows.chunk_by(|one, other| one.0 == other.0) {
            let start = self.rows.len() as u32;
            self.rows.extend(of_one.iter().map(|(_, row)| *row));
            if let Some((definition, _)) = of_one.first() {
                self.list[*definition as usize].rows = [start, self.rows.len() as u32];
            }
        }
    }

    /// The definitions of each of so many identifiers, in order of files.
    pub fn definers(&self, idents: usize) -> Table<u32> {
        Table::of(idents, self.list.iter().zip(0..).map(|(one, at)| (one.ident as u32, at)))
    }
}

/// References as they are found, file by file.
#[derive(Debug, Default)]
pub struct References {
    /// Identifier, file and number of references.
    pub found: Vec<(u32, (u32, u32))>,
    /// For each identifier the last of them.
    last: Vec<u32>,
}

impl References {
    /// Adds a reference. Files come in order.
    pub fn add(&mut self, ident: usize, file: usize) {
        if ident >= self.last.len() {
            self.last.resize(ident + 1, NONE);
        }
        let at = &mut self.last[ident];
        match self.found.get_mut(*at as usize) {
            Some((_, (from, count))) if *from == file as u32 => *count += 1,
            _ => {
                *at = self.found.len() as u32;
                self.found.push((ident as u32, (file as u32, 1)));
            }
        }
    }
}
