//! What the protocol says about every path of large content: inventory, contracts and matrix.

use std::collections::{BTreeMap, BTreeSet};

use record::{
    Profile, Schema,
    protocol::{CONTRACTS, PATHS, RUNTIME},
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::protocol::{Protocol, ProtocolError};

/// Everything that gate B3 knows about the paths.
#[derive(Debug, Clone)]
pub struct StoreMatrix {
    /// The authored corpus in copies of which the scenarios run.
    pub corpus: String,
    /// The inventory.
    pub(super) paths: Vec<Entry>,
    /// What each way in does in the parity profile, the comparator's first.
    pub(super) ingestion: Vec<Ingestion>,
    retrieval: Vec<Retrieval>,
    enhancement: Enhancement,
    contents: BTreeMap<String, Content>,
    pub(super) lineage: Lineage,
    /// Characters of the preview in the reference to the output of a tool.
    pub(super) preview_characters: usize,
    /// Characters of an output that could not be stored.
    pub(super) truncated_characters: usize,
}

/// A path of the inventory.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Entry {
    pub id: String,
    pub path_kind: PathKind,
    pub in_scope: bool,
    pub persists_exploration_parity: bool,
    pub persists_exploration_enhanced: bool,
    pub config_gates: Vec<String>,
    /// The profiles in which it was taken.
    pub traced: BTreeSet<Profile>,
    /// Its other members, which are only compared for equality.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PathKind {
    Ingestion,
    Retrieval,
}

/// A way in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ingestion {
    pub path: String,
    /// Where these facts come from.
    #[serde(rename = "provenance")]
    _provenance: String,
    /// The size above which a content is stored; every content if absent.
    pub above: Option<Above>,
    pub storage: Storage,
    pub explores: bool,
    pub persists_exploration: bool,
    /// Whether a missing session is made; otherwise nothing is stored.
    pub makes_session: bool,
    pub unstored: Unstored,
    /// The explorer that is recorded when none could work; nothing is recorded if absent.
    pub failed_explorer: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Above {
    pub unit: Unit,
    pub limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Tokens,
    Bytes,
    Characters,
}

/// How a content that is a file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Storage {
    Path,
    Inline,
}

/// What the agent gets of a content that could not be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unstored {
    Truncated,
    Whole,
}

/// A way out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Retrieval {
    pub path: String,
    #[serde(rename = "provenance")]
    _provenance: String,
    pub sub_agents_only: bool,
    /// What a caller sees whose session is not in the store.
    pub without_session: WithoutSession,
    /// Whether it gives large contents, and not only what summaries stand for.
    pub gives_files: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WithoutSession {
    Everything,
    Nothing,
}

/// What holds of every path in the enhancement profile.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, as the file has it")]
struct Enhancement {
    storage: Storage,
    explores: bool,
    persists_exploration: bool,
    makes_session: bool,
    sub_agents_only: bool,
    without_session: WithoutSession,
    gives_files: bool,
}

/// A content.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    name: String,
    text: String,
    times: usize,
}

/// The sessions of the lineage matrix.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lineage {
    /// The sessions whose contents the asker sees.
    pub visible: BTreeSet<String>,
    pub sessions: Vec<Session>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Session {
    pub id: String,
    pub parent: Option<String>,
}

#[derive(Deserialize)]
struct Inventory {
    paths: Vec<Entry>,
}

#[derive(Deserialize)]
struct Contracts {
    preview_characters: usize,
    truncated_characters: usize,
    ingestion: Vec<Ingestion>,
    retrieval: Vec<Retrieval>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "schema_version")]
    _schema_version: Schema<1>,
    corpus: String,
    ingestion: Vec<Ingestion>,
    enhancement: Enhancement,
    contents: BTreeMap<String, Content>,
    lineage: Lineage,
}

impl StoreMatrix {
    /// Reads the three files.
    ///
    /// # Errors
    /// One of them is missing or malformed, or a path of the inventory is in none of the others.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        let inventory: Inventory = protocol.json(PATHS)?;
        let contracts: Contracts = protocol.toml(CONTRACTS)?;
        let file: File = protocol.toml(RUNTIME)?;
        let matrix = Self {
            corpus: file.corpus,
            paths: inventory.paths,
            ingestion: [contracts.ingestion, file.ingestion].concat(),
            retrieval: contracts.retrieval,
            enhancement: file.enhancement,
            contents: file.contents,
            lineage: file.lineage,
            preview_characters: contracts.preview_characters,
            truncated_characters: contracts.truncated_characters,
        };
        let unknown = matrix.paths.iter().find(|entry| !matrix.knows(entry));
        match unknown {
            Some(entry) => {
                let why = format!("nothing says what the path {} does", entry.id);
                Err(ProtocolError::Malformed { path: protocol.root().join(RUNTIME), why })
            }
            None => Ok(matrix),
        }
    }

    fn knows(&self, entry: &Entry) -> bool {
        match entry.path_kind {
            PathKind::Ingestion => self.ingestion.iter().any(|row| {
                row.path == entry.id
                    && (row.above.is_some() || self.contents.contains_key(&entry.id))
            }),
            PathKind::Retrieval => self.retrieval.iter().any(|row| row.path == entry.id),
        }
    }

    /// What each way in of the inventory does in a profile.
    pub(super) fn ways_in(&self, profile: Profile) -> impl Iterator<Item = (&Entry, Ingestion)> {
        self.paths.iter().filter_map(move |entry| {
            let row = self.ingestion.iter().find(|row| row.path == entry.id)?.clone();
            let ours = &self.enhancement;
            Some((
                entry,
                match profile {
                    Profile::Parity => row,
                    Profile::Enhancement => Ingestion {
                        storage: ours.storage,
                        explores: ours.explores,
                        persists_exploration: ours.persists_exploration,
                        makes_session: ours.makes_session,
                        ..row
                    },
                },
            ))
        })
    }

    /// What each way out of the inventory does in a profile.
    pub(super) fn ways_out(&self, profile: Profile) -> impl Iterator<Item = (&Entry, Retrieval)> {
        self.paths.iter().filter_map(move |entry| {
            let row = self.retrieval.iter().find(|row| row.path == entry.id)?.clone();
            let ours = &self.enhancement;
            Some((
                entry,
                match profile {
                    Profile::Parity => row,
                    Profile::Enhancement => Retrieval {
                        sub_agents_only: ours.sub_agents_only,
                        without_session: ours.without_session,
                        gives_files: ours.gives_files,
                        ..row
                    },
                },
            ))
        })
    }

    /// Whether the comparator has a way in for files, which it stores by their paths.
    pub(super) fn takes_files(&self, path: &str) -> bool {
        self.ingestion.iter().any(|row| row.path == path && row.storage == Storage::Path)
    }

    /// Name and text of the content number `number` (from 1) that is large for a path. No two are
    /// the same.
    pub(super) fn large(&self, row: &Ingestion, number: usize) -> (String, (String, usize)) {
        match (&row.above, self.contents.get(&row.path)) {
            (Some(above), _) => (
                format!("content{number}.txt"),
                (above.unit.text().to_owned(), above.limit + number),
            ),
            (None, Some(Content { name, text, times })) => {
                (format!("{number}-{name}"), (text.clone(), times + number - 1))
            }
            (None, None) => (String::new(), (String::new(), 0)),
        }
    }
}

impl Unit {
    /// A text of one unit.
    pub(super) const fn text(self) -> &'static str {
        match self {
            // One token of the tokenizer, as often as it is repeated.
            Self::Tokens => " a",
            Self::Bytes => "x",
            Self::Characters => "é",
        }
    }
}

impl Entry {
    /// Whether it obeys a setting.
    pub(super) fn obeys(&self, setting: &str) -> bool {
        self.config_gates.iter().any(|gate| gate == setting)
    }

    /// Whether its content is in the store after it has succeeded.
    pub(super) const fn persists(&self, profile: Profile) -> bool {
        match profile {
            Profile::Parity => self.persists_exploration_parity,
            Profile::Enhancement => self.persists_exploration_enhanced,
        }
    }
}
