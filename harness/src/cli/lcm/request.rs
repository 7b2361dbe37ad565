//! The requests to a store, from the command line or from a line of JSON.

use std::path::PathBuf;

use lcm::{
    Asker, Caller, Content, Error, Lcm, Source,
    store::{NewSummary, Role},
};
use serde::Deserialize;

use super::answer::Answer;

/// A request.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(super) enum Request {
    /// Make a session, or find an existing one.
    Session {
        session: String,
        #[serde(default)]
        parent: Option<String>,
    },
    /// Put a content into the store.
    Put(Put),
    /// Append a message.
    Message {
        session: String,
        role: Role,
        #[serde(flatten)]
        content: Content,
    },
    /// Store a summary.
    Summary {
        session: String,
        #[serde(default)]
        messages: Vec<u64>,
        #[serde(default)]
        parents: Vec<String>,
        #[serde(flatten)]
        content: Content,
    },
    /// Describe a content.
    Describe { id: String, session: String, caller: Caller },
    /// Return a content.
    Read { id: String, session: String, caller: Caller },
    /// Return the messages and summaries that a summary stands for.
    Expand { id: String, session: String, caller: Caller },
    /// Check everything against its digests.
    Check,
}

/// A content to store, given as text or as a file.
#[derive(Debug, Deserialize)]
pub(super) struct Put {
    pub(super) session: String,
    pub(super) path: String,
    #[serde(default)]
    pub(super) tool: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) file: Option<PathBuf>,
    #[serde(flatten)]
    pub(super) content: Option<Content>,
}

impl Request {
    /// Carries out the request.
    pub(super) fn answer(self, lcm: &mut Lcm) -> Result<Answer, Error> {
        match self {
            Self::Session { session, parent } => {
                lcm.store()?.make_session(&session, parent.as_deref()).map(Answer::Session)
            }
            Self::Put(put) => put.answer(lcm),
            Self::Message { session, role, content } => {
                let content = content.into_bytes()?;
                let seq = lcm.store()?.append(&session, role, &content)?;
                Ok(Answer::Message { session, seq, bytes: content.len() as u64 })
            }
            Self::Summary { session, messages, parents, content } => {
                let content = content.into_bytes()?;
                let new = NewSummary {
                    session: &session,
                    content: &content,
                    messages: &messages,
                    parents: &parents,
                };
                lcm.store()?.summarise(&new).map(|id| Answer::Summary { id })
            }
            Self::Describe { id, session, caller } => {
                lcm.describe(&id, &Asker { session: &session, caller }).map(Answer::Description)
            }
            Self::Read { id, session, caller } => {
                let content = lcm.read(&id, &Asker { session: &session, caller })?;
                Ok(Answer::Content { id, content })
            }
            Self::Expand { id, session, caller } => {
                lcm.expand(&id, &Asker { session: &session, caller }).map(Answer::Expansion)
            }
            Self::Check => lcm.store().map(|store| Answer::Report(store.check())),
        }
    }
}

impl Put {
    fn answer(self, lcm: &mut Lcm) -> Result<Answer, Error> {
        let bytes;
        let source = match (&self.file, self.content) {
            (Some(file), None) => Source::File(file),
            (None, Some(content)) => {
                bytes = content.into_bytes()?;
                Source::Bytes(&bytes)
            }
            _ => {
                let what = "a content is one of `text`, `base64` and `file`";
                return Err(Error::Request(what.to_owned()));
            }
        };
        let put = lcm::Put {
            session: &self.session,
            path: &self.path,
            tool: self.tool.as_deref(),
            name: self.name.as_deref(),
            source,
        };
        lcm.put(&put).map(|(stored, error)| Answer::Stored(stored, error))
    }
}
