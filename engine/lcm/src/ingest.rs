//! Putting large content into the store.

use serde::Serialize;

use crate::{
    Error, Explored, Lcm, SCHEMA_VERSION, Source,
    content::tokens,
    path::{Ingestion, Limit, Passage, Storage, Unit, Unstored, WithoutExploration},
    reply,
    store::{LargeFile, NewFile, Payload, Scope, StorageKind},
};

/// A content to put into the store by a path.
#[derive(Debug, Clone, Copy)]
pub struct Put<'a> {
    /// The session that it belongs to.
    pub session: &'a str,
    /// The path, by its id.
    pub path: &'a str,
    /// The tool that produced it, if any.
    pub tool: Option<&'a str>,
    /// Its name. Name and bytes together decide how it is explored.
    pub name: Option<&'a str>,
    /// Where it comes from.
    pub source: Source<'a>,
}

/// What was done with the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// Version of this schema.
    pub schema_version: u32,
    /// The content's id; `None` if it was not stored.
    pub id: Option<String>,
    /// Tokens of the content.
    pub tokens: u64,
    /// Size of the content in bytes.
    pub bytes: u64,
    /// Whether it is in the store.
    pub stored: bool,
    /// Why it was not stored, if so.
    pub reason: Option<Reason>,
    /// How it is stored.
    pub storage_kind: Option<StorageKind>,
    /// The explorer that looked at it, whether or not its result is kept.
    pub explorer_used: Option<String>,
    /// Whether the exploration is in the store.
    pub exploration_persisted: bool,
    /// What the agent gets instead of the content. If that is the content itself, bytes that are
    /// not UTF-8 are replaced.
    pub text: String,
    /// The content itself, if the agent gets it whole.
    #[serde(skip)]
    pub whole: Option<Vec<u8>>,
}

/// Why a content was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is not large enough.
    BelowThreshold,
    /// A setting switches storing off.
    Disabled,
    /// Storing it failed. [`Lcm::put`] returns the error beside this.
    Failed,
}

/// The sizes of a content.
struct Sizes {
    bytes: u64,
    tokens: u64,
    characters: u64,
}

impl Lcm {
    /// Takes a content in. It is stored if it is large by the rules of its path, and then explored;
    /// the exploration is kept if the path says so.
    ///
    /// The agent can always go on: if the content cannot be stored, it still gets a text in the
    /// content's place, and the error is returned beside it. A failing exploration is no error.
    ///
    /// # Errors
    /// The request is wrong, or the content cannot be read.
    pub fn put(&mut self, put: &Put) -> Result<(Stored, Option<Error>), Error> {
        let passage = self.registry.enter(put.path, self.profile)?;
        let ingestion = passage.ingestion()?;
        let content = put.source.bytes()?;
        let sizes = Sizes::of(&content);
        let mut stored = Stored {
            schema_version: SCHEMA_VERSION,
            id: None,
            tokens: sizes.tokens,
            bytes: sizes.bytes,
            stored: false,
            reason: None,
            storage_kind: None,
            explorer_used: None,
            exploration_persisted: false,
            text: String::new(),
            whole: None,
        };
        let reason = if passage.row().is_off(&self.settings) {
            Some(Reason::Disabled)
        } else if ingestion.above.is_some_and(|limit| !sizes.exceed(limit, self)) {
            Some(Reason::BelowThreshold)
        } else {
            None
        };
        if reason.is_some() {
            stored.text = String::from_utf8_lossy(&content).into_owned();
            stored.whole = Some(content.into_owned());
            return Ok((Stored { reason, ..stored }, None));
        }
        let file = match self.keep(&passage, ingestion, put, &content, sizes.tokens) {
            Ok(file) => file,
            Err(error) => {
                let threshold = self.settings.large_tool_output_token_threshold.get();
                let cut = match ingestion.unstored {
                    Unstored::Whole => None,
                    Unstored::Truncated => reply::cut(&content, threshold, &error.to_string()),
                };
                stored.whole = cut.is_none().then(|| content.to_vec());
                stored.text = cut.unwrap_or_else(|| String::from_utf8_lossy(&content).into_owned());
                return Ok((Stored { reason: Some(Reason::Failed), ..stored }, Some(error)));
            }
        };
        let explored = ingestion
            .explores
            .of(self.profile)
            .then(|| self.explorer.explore(&file.name, &content, self.profile))
            .flatten();
        let kept = self.keep_exploration(&passage, ingestion, &file, explored.as_ref());
        stored.text = reply::stored(ingestion.reply, &file, put.tool, &content, explored.as_ref());
        stored.stored = true;
        stored.storage_kind = Some(file.storage_kind);
        stored.explorer_used = explored.map(|explored| explored.explorer_used);
        stored.exploration_persisted = kept;
        stored.id = Some(file.id);
        Ok((stored, None))
    }

    /// Stores a content.
    fn keep(
        &mut self,
        passage: &Passage,
        ingestion: &Ingestion,
        put: &Put,
        content: &[u8],
        tokens: u64,
    ) -> Result<LargeFile, Error> {
        let by_path = *ingestion.storage.of(self.profile) == Storage::Path;
        let absolute;
        let payload = match put.source {
            Source::File(path) if by_path => {
                absolute = std::path::absolute(path)?;
                Payload::Path(&absolute)
            }
            _ => Payload::Bytes(content),
        };
        let of_file = match put.source {
            Source::File(path) => path.to_str(),
            Source::Bytes(_) => None,
        };
        let name = put.name.or(of_file).unwrap_or(UNNAMED);
        let new = NewFile { session: put.session, name, payload, content, tokens };
        let store = self.store()?;
        let id = store.insert_file(passage, &new)?;
        let file = store.file(passage, &id, &Scope::Everything)?;
        file.ok_or_else(|| Error::Damaged(format!("{id} was stored and is not there")))
    }

    /// Keeps an exploration if the path says so, and returns whether the store has one. If it
    /// cannot be kept, the content stays stored.
    fn keep_exploration(
        &mut self,
        passage: &Passage,
        ingestion: &Ingestion,
        file: &LargeFile,
        explored: Option<&Explored>,
    ) -> bool {
        let failure = Explored {
            summary: "The content could not be explored.".to_owned(),
            explorer_used: NO_EXPLORER.to_owned(),
        };
        let explored = match ingestion.without_exploration {
            WithoutExploration::Nothing => explored,
            WithoutExploration::Failure => explored.or(Some(&failure)),
        };
        let explored = explored.filter(|_| passage.persists());
        let kept = explored.and_then(|explored| {
            self.store().and_then(|store| store.set_exploration(passage, &file.id, explored)).ok()
        });
        kept.is_some() || file.exploration.is_some()
    }
}

/// Name of a content that has no name of its own.
const UNNAMED: &str = "content";
/// Stands for the explorer of a content that none could explore.
const NO_EXPLORER: &str = "none";

impl Sizes {
    fn of(content: &[u8]) -> Self {
        let characters = String::from_utf8_lossy(content).chars().count() as u64;
        Self { bytes: content.len() as u64, tokens: tokens(content), characters }
    }

    fn exceed(&self, limit: Limit, lcm: &Lcm) -> bool {
        let size = match limit.unit {
            Unit::Tokens => self.tokens,
            Unit::Bytes => self.bytes,
            Unit::Characters => self.characters,
        };
        size > limit.under(&lcm.settings)
    }
}
