//! Why an entry of a map is in its position: the numbers of the ranking that put it there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    enhancement::{DefinitionWorth, FileWorth, Order},
    graph::{CHAT_FACTOR, FileGraph, Multiplier, RankingInput, multipliers},
    ranking::Ranking,
    stages::Entry,
};
use crate::syntax::TagKind;

/// Maximum number of referring files that are named for a definition.
const NAMED: usize = 3;

/// Why a file and each of its entries are in a map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileReason {
    /// Path relative to the root.
    pub file: String,
    /// Its rank, if it is part of the graph; the ranks of all files sum to 1.
    pub rank: Option<f64>,
    /// Its position among the files of the graph, from 1.
    pub place: Option<usize>,
    /// Number of files of the graph.
    pub of: usize,
    /// Its personalisation, not normalised. It comes from chat files, what they import, mentions,
    /// words of the message, and edits.
    pub seed: f64,
    /// Whether it differs from HEAD and weighs more for that.
    #[serde(skip_serializing_if = "is_false")]
    pub edited: bool,
    /// The values that decide its order in the enhancement profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<FileWorth>,
    /// Its entries, in the order of the candidates.
    pub entries: Vec<EntryReason>,
}

/// Why an entry is in a map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryReason {
    /// The line, from 1; `None` for a bare file.
    pub line: Option<u32>,
    /// The name that it defines.
    pub name: Option<String>,
    /// The stage: 1 for a definition, 2 for a file of the graph, 3 for another file.
    pub stage: u8,
    /// Its position among all candidates, from 1.
    pub candidate: usize,
    /// The rank of the name in this file; the ranks of all definitions sum to 1.
    pub rank: Option<f64>,
    /// Number of files that define the name.
    pub definers: usize,
    /// The multipliers that apply to every reference to the name.
    pub multipliers: Vec<Applied>,
    /// The files that refer to it, greatest share first. `more_referrers` counts those not listed.
    pub referrers: Vec<Referrer>,
    /// Number of further files that refer to it.
    pub more_referrers: usize,
    /// The values that decide its order in the enhancement profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<EntryWorth>,
}

/// A multiplier that was applied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Applied {
    /// Which multiplier.
    pub name: Multiplier,
    /// Its factor.
    pub factor: f64,
}

/// A file that refers to a definition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Referrer {
    /// Path relative to the root.
    pub file: String,
    /// The line of the first reference, from 1; `None` if only a lexer found it, or if no file
    /// refers to the name and its own file is listed instead.
    pub line: Option<u32>,
    /// The weight of the edge, including all multipliers.
    pub weight: f64,
    /// How much it adds to the rank of the definition.
    pub adds: f64,
    /// The multiplier of references from the chat, if it is a chat file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<f64>,
    /// Whether the file refers to the name. If not, no file does, and the file that defines it is
    /// listed instead.
    pub refers: bool,
}

/// The values that decide the order of an entry in the enhancement profile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EntryWorth {
    /// The value that the candidates are ordered by.
    pub value: f64,
    /// Its position within its file, from 1. Each further definition counts less.
    pub nth: usize,
    /// The values that decide that position.
    #[serde(flatten)]
    pub own: Option<DefinitionWorth>,
}

/// Everything that explanations are made from.
#[derive(Debug)]
pub struct Made<'a> {
    /// The graph.
    pub graph: &'a FileGraph<'a>,
    /// The ranks of the graph.
    pub ranking: &'a Ranking,
    /// The input of the ranking.
    pub input: &'a RankingInput<'a>,
    /// All candidates, in their order.
    pub candidates: &'a [Entry],
    /// The order of the enhancement profile.
    pub order: Option<&'a Order>,
    /// The files that weigh more because they were edited.
    pub edited: &'a BTreeSet<usize>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Explains the entries that were selected, file by file, in the order of the candidates.
pub fn explain(selected: &[Entry], made: &Made) -> Vec<FileReason> {
    let wanted: BTreeSet<_> = selected.iter().map(key).collect();
    let shown: BTreeSet<usize> = selected.iter().filter_map(definition).collect();
    let referrers = made.referrers(&shown);
    let mut places: Vec<usize> = (0..made.ranking.files.len()).collect();
    places.sort_by(|a, b| made.ranking.files[*b].1.total_cmp(&made.ranking.files[*a].1));
    let mut files: Vec<FileReason> = Vec::new();
    let mut at: BTreeMap<usize, usize> = BTreeMap::new();
    for (position, entry) in made.candidates.iter().enumerate() {
        if !wanted.contains(&key(entry)) {
            continue;
        }
        let file = entry.file();
        let index = *at.entry(file).or_insert_with(|| {
            files.push(made.file(file, &places));
            files.len() - 1
        });
        let reason = made.entry(entry, position, &referrers);
        files[index].entries.push(reason);
    }
    files
}

/// A key that identifies an entry.
const fn key(entry: &Entry) -> (usize, Option<(usize, i32)>) {
    match *entry {
        Entry::Definition { file, definition, line } => (file, Some((definition, line))),
        Entry::Bare { file, .. } => (file, None),
    }
}

/// The index of the definition that an entry shows.
const fn definition(entry: &Entry) -> Option<usize> {
    match *entry {
        Entry::Definition { definition, .. } => Some(definition),
        Entry::Bare { .. } => None,
    }
}

impl Made<'_> {
    fn name(&self, file: usize) -> String {
        self.input.sources.files[file].file.rel.clone()
    }

    fn file(&self, file: usize, places: &[usize]) -> FileReason {
        let node = self.ranking.files.iter().position(|(id, _)| *id == file);
        FileReason {
            file: self.name(file),
            rank: node.map(|node| self.ranking.files[node].1),
            place: node
                .and_then(|node| places.iter().position(|place| *place == node))
                .map(|place| place + 1),
            of: self.ranking.files.len(),
            seed: self.graph.personalization.get(&file).copied().unwrap_or(0.0),
            edited: self.edited.contains(&file),
            worth: self.order.and_then(|order| order.files.get(file).copied()),
            entries: Vec::new(),
        }
    }

    fn entry(
        &self,
        entry: &Entry,
        position: usize,
        referrers: &BTreeMap<usize, Vec<Referrer>>,
    ) -> EntryReason {
        let index = definition(entry);
        let worth =
            self.order.and_then(|order| order.candidates.ordered().get(position)).map(|ranked| {
                let own =
                    self.order.zip(index).and_then(|(order, index)| order.definitions.get(index));
                EntryWorth { value: ranked.value, nth: ranked.nth, own: own.copied() }
            });
        let (line, stage) = match *entry {
            Entry::Definition { line, .. } => (u32::try_from(line + 1).ok(), 1),
            Entry::Bare { stage, .. } => (None, stage),
        };
        let mut reason = EntryReason {
            line,
            name: None,
            stage,
            candidate: position + 1,
            rank: None,
            definers: 0,
            multipliers: Vec::new(),
            referrers: Vec::new(),
            more_referrers: 0,
            worth,
        };
        if let Some(index) = index {
            let ident = self.graph.definitions()[index].ident;
            let name = self.graph.idents[ident];
            let definitions = self.graph.definitions().iter();
            reason.definers = definitions.filter(|definition| definition.ident == ident).count();
            reason.name = Some(name.to_owned());
            reason.rank = Some(self.ranking.definitions[index]);
            let mut all = referrers.get(&index).cloned().unwrap_or_default();
            // A name that no file refers to has a fixed weight.
            if all.iter().any(|referrer| referrer.refers) {
                let mentioned = &self.input.mentioned_idents;
                reason.multipliers = multipliers(name, reason.definers, mentioned)
                    .map(|(name, factor)| Applied { name, factor })
                    .collect();
            }
            reason.more_referrers = all.len().saturating_sub(NAMED);
            all.truncate(NAMED);
            reason.referrers = all;
        }
        reason
    }

    /// The files that refer to each of these definitions, greatest share first.
    fn referrers(&self, shown: &BTreeSet<usize>) -> BTreeMap<usize, Vec<Referrer>> {
        let mut found: BTreeMap<usize, Vec<Referrer>> = BTreeMap::new();
        for (node, (file, rank)) in self.ranking.files.iter().enumerate() {
            for (edge, adds) in self.graph.adjacency.flow(node, *rank) {
                let index = edge.definition as usize;
                if !shown.contains(&index) {
                    continue;
                }
                let definition = &self.graph.definitions()[index];
                let name = self.graph.idents[definition.ident];
                let source = &self.input.sources.files[*file];
                let mut uses = source
                    .tags
                    .iter()
                    .filter(|tag| tag.kind == TagKind::Reference && source.name(tag) == name)
                    .map(|tag| tag.line)
                    .peekable();
                let refers = uses.peek().is_some();
                found.entry(index).or_default().push(Referrer {
                    file: self.name(*file),
                    line: uses.filter_map(|row| u32::try_from(row).ok()).min().map(|row| row + 1),
                    weight: edge.weight,
                    adds,
                    chat: (refers && self.input.chat.contains(file)).then_some(CHAT_FACTOR),
                    refers,
                });
            }
        }
        for referrers in found.values_mut() {
            referrers.sort_by(|one, other| {
                other.adds.total_cmp(&one.adds).then_with(|| one.file.cmp(&other.file))
            });
        }
        found
    }
}
