//! Messages of sessions.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{Store, Write, number::count, session::ensure};
use crate::{
    Error,
    content::{sha256, tokens},
};

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The instructions.
    System,
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// A tool that the agent called.
    Tool,
}

impl Role {
    /// Its name in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// A complete message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The session.
    pub session: String,
    /// Its number in the session, from 1.
    pub seq: u64,
    /// Who it is from: one of the words of [`Role`].
    pub role: String,
    /// The bytes.
    pub content: Vec<u8>,
    /// Tokens of them.
    pub tokens: u64,
}

/// The columns that [`Message::read`] reads.
pub(super) const COLUMNS: &str =
    "message.session, message.seq, message.role, message.content, message.tokens, message.sha256";

impl Message {
    /// Reads a row of [`COLUMNS`].
    ///
    /// # Errors
    /// The row is damaged.
    pub(super) fn read(row: &Row) -> Result<Self, Error> {
        let message = Self {
            session: row.get(0)?,
            seq: count(row, 1)?,
            role: row.get(2)?,
            content: row.get(3)?,
            tokens: count(row, 4)?,
        };
        if row.get::<_, String>(5)? != sha256(&message.content) {
            let (session, seq) = (&message.session, message.seq);
            return Err(Error::Damaged(format!(
                "message {seq} of {session} is not what was stored"
            )));
        }
        Ok(message)
    }
}

impl Store {
    /// Appends a message to a session, and returns its number. A missing session is created.
    ///
    /// # Errors
    /// The id of the session is not valid, or the store cannot be written.
    pub fn append(&mut self, session: &str, role: Role, content: &[u8]) -> Result<u64, Error> {
        let (tokens, sha256) = (tokens(content), sha256(content));
        self.write(Write::Message, |transaction| {
            ensure(transaction, session)?;
            let insert = "INSERT INTO message (session, seq, role, content, tokens, sha256)
                SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM message WHERE session = ?1
                RETURNING seq";
            let values = (session, role.as_str(), content, tokens as i64, sha256);
            Ok(transaction.query_row(insert, values, |row| count(row, 0))?)
        })
    }

    /// A message by its number in a session; `None` if it does not exist.
    ///
    /// # Errors
    /// It is damaged, or the store cannot be read.
    pub fn message(&self, session: &str, seq: u64) -> Result<Option<Message>, Error> {
        let select = format!("SELECT {COLUMNS} FROM message WHERE session = ?1 AND seq = ?2");
        let mut statement = self.connection.prepare(&select)?;
        let mut rows = statement.query((session, seq as i64))?;
        rows.next()?.map(Message::read).transpose()
    }
}
