//! Getting content out of the store.

use serde::Serialize;

use crate::{
    Asker, Content, Error, Lcm, SCHEMA_VERSION,
    id::Kind,
    path::{Passage, WithoutSession},
    store::{LargeFile, Message, Scope, StorageKind, Summary},
};

/// A stored content, described without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Description {
    /// Version of this schema.
    pub schema_version: u32,
    /// Its id.
    pub id: String,
    /// `file` for a large content, `summary` for a summary.
    pub kind: &'static str,
    /// How a large content is stored.
    pub storage_kind: Option<StorageKind>,
    /// Size of the content in bytes.
    pub bytes: u64,
    /// Tokens of the content.
    pub tokens: u64,
    /// The exploration of a large content, if it is in the store.
    pub exploration_summary: Option<String>,
    /// The explorer that made it.
    pub explorer_used: Option<String>,
    /// Whether the exploration is in the store.
    pub persisted: bool,
    /// The lineage whose contents the asker sees: its own session, the one that started it, and so
    /// on. Empty if the asker's session is not in the store and everything is visible.
    pub lineage: Vec<String>,
    /// The text of a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// The summaries that a summary summarises.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
}

/// What an id expands to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expansion {
    /// A summary, and the messages that it covers.
    Messages {
        /// The summary.
        summary: Summary,
        /// The messages, in the order of their arrival.
        messages: Vec<Message>,
    },
    /// A large content: its bytes.
    File {
        /// Its id.
        id: String,
        /// The bytes.
        content: Vec<u8>,
    },
    /// A large content that is not expanded in this profile.
    NotExpanded {
        /// Its id.
        id: String,
        /// What to do instead.
        text: String,
    },
}

/// The ids of the paths out of the store.
const DESCRIBE: &str = "lcm.describe.readback";
const READ: &str = "lcm.read.readback";
const EXPAND: &str = "lcm.expand.readback";

impl Lcm {
    /// Describes a stored content.
    ///
    /// # Errors
    /// [`Error::NotVisible`], or an error of the store.
    pub fn describe(&mut self, id: &str, asker: &Asker) -> Result<Description, Error> {
        let passage = self.registry.enter(DESCRIBE, self.profile)?;
        let scope = self.allow(&passage, asker)?;
        if let Some(file) = self.file(&passage, id, &scope)? {
            let file = self.with_exploration(&passage, file);
            let (summary, explorer) =
                file.exploration.map(|found| (found.summary, found.explorer_used)).unzip();
            return Ok(Description {
                schema_version: SCHEMA_VERSION,
                id: file.id,
                kind: "file",
                storage_kind: Some(file.storage_kind),
                bytes: file.bytes,
                tokens: file.tokens,
                persisted: explorer.is_some(),
                exploration_summary: summary,
                explorer_used: explorer,
                lineage: scope.sessions().to_vec(),
                content: None,
                parents: Vec::new(),
            });
        }
        let summary = self.summary(id, &scope)?.ok_or(Error::NotVisible)?;
        Ok(Description {
            schema_version: SCHEMA_VERSION,
            id: summary.id,
            kind: "summary",
            storage_kind: None,
            bytes: summary.content.len() as u64,
            tokens: summary.tokens,
            exploration_summary: None,
            explorer_used: None,
            persisted: false,
            lineage: scope.sessions().to_vec(),
            content: Some(Content::of(summary.content)),
            parents: summary.parents,
        })
    }

    /// Returns a large content, byte for byte.
    ///
    /// # Errors
    /// [`Error::NotVisible`], [`Error::Changed`], [`Error::Damaged`], or another error of the
    /// store.
    pub fn read(&mut self, id: &str, asker: &Asker) -> Result<Vec<u8>, Error> {
        let passage = self.registry.enter(READ, self.profile)?;
        let scope = self.allow(&passage, asker)?;
        let file = self.file(&passage, id, &scope)?.ok_or(Error::NotVisible)?;
        let content = self.store()?.content(&passage, &file)?;
        self.with_exploration(&passage, file);
        Ok(content)
    }

    /// Expands a summary to its messages, or a large content to its bytes if the profile allows it.
    ///
    /// # Errors
    /// As [`Lcm::read`].
    pub fn expand(&mut self, id: &str, asker: &Asker) -> Result<Expansion, Error> {
        let passage = self.registry.enter(EXPAND, self.profile)?;
        let scope = self.allow(&passage, asker)?;
        if let Some(file) = self.file(&passage, id, &scope)? {
            if !passage.retrieval()?.gives_files.of(self.profile) {
                let text = format!(
                    "{id} is a large content, not a summary: `describe` says what it is, `read` returns it."
                );
                return Ok(Expansion::NotExpanded { id: file.id, text });
            }
            let content = self.store()?.content(&passage, &file)?;
            let file = self.with_exploration(&passage, file);
            return Ok(Expansion::File { id: file.id, content });
        }
        let summary = self.summary(id, &scope)?.ok_or(Error::NotVisible)?;
        let messages = self.store()?.messages_behind(id)?;
        Ok(Expansion::Messages { summary, messages })
    }

    /// What an asker may see by a path.
    fn allow(&mut self, passage: &Passage, asker: &Asker) -> Result<Scope, Error> {
        let retrieval = passage.retrieval()?;
        if !retrieval.callers.of(self.profile).contains(&asker.caller) {
            return Err(Error::NotVisible);
        }
        let scope = self.store()?.scope(asker.session)?;
        let is_missing = scope.sessions().is_empty();
        let without = retrieval.without_session.of(self.profile);
        Ok(if is_missing && *without == WithoutSession::Everything {
            Scope::Everything
        } else {
            scope
        })
    }

    fn file(
        &mut self,
        passage: &Passage,
        id: &str,
        scope: &Scope,
    ) -> Result<Option<LargeFile>, Error> {
        match Kind::of(id) {
            Some(Kind::File) => self.store()?.file(passage, id, scope),
            _ => Ok(None),
        }
    }

    fn summary(&mut self, id: &str, scope: &Scope) -> Result<Option<Summary>, Error> {
        match Kind::of(id) {
            Some(Kind::Summary) => self.store()?.summary(id, scope),
            _ => Ok(None),
        }
    }

    /// A large content with its exploration: if the path requires one and there is none, it is made
    /// and kept. If that fails, the content stays without one.
    fn with_exploration(&mut self, passage: &Passage, mut file: LargeFile) -> LargeFile {
        if file.exploration.is_none() && passage.persists() {
            file.exploration = self.add_exploration(passage, &file);
        }
        file
    }

    fn add_exploration(&mut self, passage: &Passage, file: &LargeFile) -> Option<crate::Explored> {
        let content = self.store().ok()?.content(passage, file).ok()?;
        let explored = self.explorer.explore(&file.name, &content, self.profile)?;
        self.store().ok()?.set_exploration(passage, &file.id, &explored).ok()?;
        Some(explored)
    }
}
