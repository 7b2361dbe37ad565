//! The candidates: everything that the map could show, most important first.
//!
//! Stage 1 holds the definitions by rank, stage 2 the files of the graph without a definition so
//! far, and stage 3 all other files. The comparator prepends a stage 0 of files that are commonly
//! important (README and the like) and in no other stage. As stages 1 to 3 hold every file outside
//! the chat, stage 0 is always empty and is left out here.

use std::collections::BTreeSet;

use super::{
    graph::{FileGraph, RankingInput},
    ranking::Ranking,
};

/// One candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Stage 1: a definition tag.
    Definition {
        /// Id of the file.
        file: usize,
        /// Id of the identifier.
        ident: usize,
        /// 0-based row.
        line: i32,
    },
    /// Stages 2 and 3: a file by its bare name.
    Bare {
        /// Id of the file.
        file: usize,
        /// 2 or 3.
        stage: u8,
    },
}

impl Entry {
    /// The id of the entry's file.
    pub const fn file(&self) -> usize {
        match self {
            Self::Definition { file, .. } | Self::Bare { file, .. } => *file,
        }
    }
}

/// Assembles the list of candidates.
pub fn assemble(graph: &FileGraph, ranking: &Ranking, input: &RankingInput) -> Vec<Entry> {
    let rel = |file: usize| input.sources.files[file].file.rel.as_str();
    // Definitions in chat files are left out. The comparator does not recognise a chat file that is
    // missing from disk, so its definitions stay.
    let in_chat =
        |file: usize| input.chat.contains(&file) && input.sources.files[file].file.is_file;
    let mut entries = Vec::new();
    let mut shown = BTreeSet::new();
    for &index in &ranking.order {
        let definition = &graph.definitions[index];
        if in_chat(definition.file) {
            continue;
        }
        shown.insert(definition.file);
        entries.extend(definition.lines.iter().map(|&line| Entry::Definition {
            file: definition.file,
            ident: definition.ident,
            line,
        }));
    }
    let mut nodes = ranking.files.clone();
    nodes.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| rel(b.0).cmp(rel(a.0))));
    entries.extend(
        nodes
            .iter()
            .filter(|(file, _)| !shown.contains(file))
            .map(|&(file, _)| Entry::Bare { file, stage: 2 }),
    );
    let nodes: BTreeSet<usize> = nodes.into_iter().map(|(file, _)| file).collect();
    let mut others: Vec<usize> = input
        .included
        .iter()
        .copied()
        .filter(|file| !input.chat.contains(file) && !nodes.contains(file))
        .collect();
    others.sort_unstable_by(|&a, &b| rel(a).cmp(rel(b)));
    entries.extend(others.into_iter().map(|file| Entry::Bare { file, stage: 3 }));
    entries
}
