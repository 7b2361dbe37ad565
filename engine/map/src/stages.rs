//! The candidates: everything that the map could show, most important first.
//!
//! Stage 1 holds the definitions by rank, stage 2 the files of the graph without a definition so
//! far, and stage 3 all other files. The comparator prepends a stage 0 of files that are commonly
//! important (README and the like) and in no other stage. As stages 1 to 3 hold every file outside
//! the chat, stage 0 is always empty and is left out here.

use super::{
    graph::{Definition, FileGraph, RankingInput},
    ranking::Ranking,
};

/// One candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Stage 1: a definition tag.
    Definition {
        /// Id of the file.
        file: usize,
        /// Index of the definition.
        definition: usize,
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
    // Definitions in chat files are left out. The comparator does not recognise a chat file that is
    // missing from disk, so its definitions stay.
    let in_chat =
        |file: usize| input.chat.contains(&file) && input.sources.files[file].file.is_file;
    let mut entries = Vec::with_capacity(graph.definitions().len() + input.included.len());
    let mut shown = vec![false; input.sources.files.len()];
    for index in ranking.order() {
        let Definition { file, .. } = graph.definitions()[index];
        if in_chat(file) {
            continue;
        }
        shown[file] = true;
        let of_row = |&line: &i32| Entry::Definition { file, definition: index, line };
        entries.extend(graph.rows(index).iter().map(of_row));
    }
    entries.extend(bare(&shown, ranking, input));
    entries
}

/// The entries of stages 2 and 3, if these files are shown in stage 1.
pub fn bare(shown: &[bool], ranking: &Ranking, input: &RankingInput) -> Vec<Entry> {
    let rel = |file: usize| input.sources.files[file].file.rel.as_str();
    let nodes = ranking.files.iter();
    let mut of_graph: Vec<_> = nodes.filter(|(file, _)| !shown[*file]).copied().collect();
    of_graph.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| rel(b.0).cmp(rel(a.0))));
    let mut entries: Vec<Entry> =
        of_graph.into_iter().map(|(file, _)| Entry::Bare { file, stage: 2 }).collect();
    let mut is_node = vec![false; input.sources.files.len()];
    for (file, _) in &ranking.files {
        is_node[*file] = true;
    }
    let mut others: Vec<usize> = input
        .included
        .iter()
        .copied()
        .filter(|file| !input.chat.contains(file) && !is_node[*file])
        .collect();
    others.sort_unstable_by(|&a, &b| rel(a).cmp(rel(b)));
    entries.extend(others.into_iter().map(|file| Entry::Bare { file, stage: 3 }));
    entries
}
