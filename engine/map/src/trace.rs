//! What a map was made from, step by step, in the comparator's own terms (0-based rows).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::{
    explain::FileReason,
    graph::{FileGraph, RankingInput},
    ranking::Ranking,
    sources::Sources,
    stages::Entry,
};
use crate::syntax::TagKind;

/// Maximum number of edges that are listed unless all are asked for: millions of edges would make
/// up most of a trace. The comparator's driver has the same limit.
const LISTED_EDGES: usize = 4096;

/// How much is recorded about the making of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TraceDetail {
    /// Only the search.
    None,
    /// Personalisation, ranks and the candidates.
    Ranking,
    /// Also all tags and the edges: their digest, and a list of them unless there are too many.
    Graph,
    /// The same, with all edges listed.
    AllEdges,
}

/// One probe of the budget search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    /// Number of entries of the cut.
    pub middle: u64,
    /// The comparator's estimate of the cut's text, in tokens.
    pub tokens: f64,
    /// Relative error of the estimate from the target.
    pub pct_err: f64,
    /// True if the probe was the best so far when it was made.
    pub kept: bool,
}

/// Size of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GraphSize {
    /// Files with an edge.
    pub nodes: usize,
    /// Number of edges; parallel ones count separately.
    pub edges: usize,
}

/// One candidate: in JSON `[1, file, line, name, "def"]` or `[stage, file]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TracedEntry {
    /// Stage 1: a definition.
    Definition {
        /// The file, relative to the root.
        file: String,
        /// 0-based row.
        line: i32,
        /// The identifier.
        name: String,
    },
    /// Stages 2 and 3: a file by its bare name.
    Bare {
        /// 2 or 3.
        stage: u8,
        /// The file, relative to the root.
        file: String,
    },
}

impl TracedEntry {
    /// The entry's file, relative to the root.
    pub fn file(&self) -> &str {
        match self {
            Self::Definition { file, .. } | Self::Bare { file, .. } => file,
        }
    }
}

impl Serialize for TracedEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Definition { file, line, name } => {
                (1, file, line, name, "def").serialize(serializer)
            }
            Self::Bare { stage, file } => (stage, file).serialize(serializer),
        }
    }
}

/// The ranking part of a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Personalisation by file, not normalised; empty if none.
    pub personalization: BTreeMap<String, f64>,
    /// Size of the graph.
    pub graph: GraphSize,
    /// (file, rank) in node order.
    pub file_ranks: Vec<(String, f64)>,
    /// (file, identifier, rank), highest rank first.
    pub definition_ranks: Vec<(String, String, f64)>,
    /// The candidates, in order.
    pub prefit: Vec<TracedEntry>,
    /// Digest of all edges in the order of the graph, if asked for: the sha256 of, for each edge,
    /// source, target and identifier in UTF-8, each followed by a zero byte, and the weight as
    /// eight bytes (IEEE 754, most significant first).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges_sha256: Option<String>,
    /// (from, to, identifier, weight) in the same order, if asked for and not too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<(String, String, String, f64)>>,
}

/// One attempt of the fallback chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    /// Resolved names of the chat files, sorted.
    pub chat_files: Vec<String>,
    /// Number of other files.
    pub other_files_count: usize,
    /// Mentioned files, sorted.
    pub mentioned_fnames: Vec<String>,
    /// Mentioned identifiers, sorted.
    pub mentioned_idents: Vec<String>,
    /// The budget of the search in tokens; `None` if there was no search.
    pub target_tokens: Option<f64>,
    /// Every probe of the search.
    pub search: Vec<Probe>,
    /// The map, if there is one.
    pub listing: Option<String>,
    /// True if the answer was computed earlier and stored.
    pub cached: bool,
    /// Why there is no map, if the attempt failed.
    pub exception: Option<String>,
    /// The selected candidates, from which the map was rendered, if asked for; empty if no cut was
    /// kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postfit: Option<Vec<TracedEntry>>,
    /// The reasons for the position of each entry, if asked for.
    #[serde(skip)]
    pub explanation: Option<Vec<FileReason>>,
    /// The ranking, if asked for.
    #[serde(flatten)]
    pub ranking: Option<Trace>,
}

impl Trace {
    /// Records a ranking.
    pub fn record(
        graph: &FileGraph,
        ranking: &Ranking,
        entries: &[Entry],
        input: &RankingInput,
        detail: TraceDetail,
    ) -> Option<Self> {
        if detail == TraceDetail::None {
            return None;
        }
        let path = |file: usize| input.sources.files[file].file.rel.as_str();
        let name = |file: usize| path(file).to_owned();
        let edges = || {
            let nodes = ranking.files.iter().enumerate();
            nodes.flat_map(|(node, (from, _))| {
                graph.adjacency.out(node).iter().map(move |edge| {
                    let definition = &graph.definitions()[edge.definition as usize];
                    let ident = graph.idents[definition.ident];
                    (path(*from), path(definition.file), ident, edge.weight)
                })
            })
        };
        let are_listed = match detail {
            TraceDetail::None | TraceDetail::Ranking => false,
            TraceDetail::Graph => graph.adjacency.table().items().len() <= LISTED_EDGES,
            TraceDetail::AllEdges => true,
        };
        Some(Self {
            personalization: graph
                .personalization
                .iter()
                .map(|(file, weight)| (name(*file), *weight))
                .collect(),
            graph: GraphSize {
                nodes: graph.nodes.len(),
                edges: graph.adjacency.table().items().len(),
            },
            file_ranks: ranking.files.iter().map(|(file, rank)| (name(*file), *rank)).collect(),
            definition_ranks: ranking
                .order()
                .map(|index| {
                    let definition = &graph.definitions()[index];
                    let ident = graph.idents[definition.ident].to_owned();
                    (name(definition.file), ident, ranking.definitions[index])
                })
                .collect(),
            prefit: rows(entries, graph, input),
            edges_sha256: (detail >= TraceDetail::Graph).then(|| edges_digest(edges())),
            edges: are_listed.then(|| {
                let owned = |(from, to, ident, weight): (&str, &str, &str, f64)| {
                    (from.to_owned(), to.to_owned(), ident.to_owned(), weight)
                };
                edges().map(owned).collect()
            }),
        })
    }
}

/// The digest of edges that [`Trace::edges_sha256`] describes.
fn edges_digest<'a>(edges: impl Iterator<Item = (&'a str, &'a str, &'a str, f64)>) -> String {
    let mut hasher = Sha256::new();
    for (from, to, ident, weight) in edges {
        for field in [from, to, ident] {
            hasher.update(field.as_bytes());
            hasher.update([0]);
        }
        hasher.update(weight.to_bits().to_be_bytes());
    }
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('?');
    hasher.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Entries with the names of their files and identifiers.
pub fn rows(entries: &[Entry], graph: &FileGraph, input: &RankingInput) -> Vec<TracedEntry> {
    let name = |file: usize| input.sources.files[file].file.rel.clone();
    let row = |entry: &Entry| match *entry {
        Entry::Definition { file, definition, line } => {
            let ident = graph.idents[graph.definitions()[definition].ident];
            TracedEntry::Definition { file: name(file), line, name: ident.to_owned() }
        }
        Entry::Bare { file, stage } => TracedEntry::Bare { stage, file: name(file) },
    };
    entries.iter().map(row).collect()
}

/// Tags by file, as (row, name, kind).
pub type TagsByFile = BTreeMap<String, Vec<(i32, String, TagKind)>>;

/// The tags, in order of emission, of the files with these ids.
pub fn tags(sources: &Sources, included: &[usize]) -> TagsByFile {
    included
        .iter()
        .filter_map(|id| sources.files.get(*id))
        .filter(|source| source.file.is_file)
        .map(|source| {
            let tags = source
                .tags
                .iter()
                .map(|tag| (tag.line, source.name(tag).to_owned(), tag.kind))
                .collect();
            (source.file.rel.clone(), tags)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::TracedEntry;

    #[test]
    fn an_entry_is_a_list_in_json() {
        let (file, name) = ("a.py".to_owned(), "f".to_owned());
        let entries = [
            TracedEntry::Definition { file: file.clone(), line: 3, name },
            TracedEntry::Bare { stage: 2, file },
        ];
        let json = serde_json::to_string(&entries).unwrap();
        assert_eq!(json, r#"[[1,"a.py",3,"f","def"],[2,"a.py"]]"#);
    }
}
