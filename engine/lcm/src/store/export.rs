//! Everything that is in a store, as JSON.

use serde::Serialize;

use super::{Message, Scope, StorageKind, Store, message::COLUMNS, number::count};
use crate::{Content, Error};

/// One stored item. The items that it refers to come before it, except that a session's parent may
/// come later.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Exported {
    Session {
        id: String,
        parent: Option<String>,
    },
    Message {
        session: String,
        seq: u64,
        role: String,
        tokens: u64,
        content: Content,
    },
    Summary {
        id: String,
        session: String,
        tokens: u64,
        content: Content,
        parents: Vec<String>,
        /// The numbers of its messages in its session.
        messages: Vec<u64>,
    },
    File {
        id: String,
        session: String,
        storage_kind: StorageKind,
        name: String,
        /// The path, as bytes, of a content that is kept by its path.
        path: Option<Content>,
        bytes: u64,
        tokens: u64,
        sha256: String,
        exploration_summary: Option<String>,
        explorer_used: Option<String>,
        /// Absent if the content is kept by its path.
        content: Option<Content>,
    },
}

impl Store {
    /// Passes everything to `line`, one JSON object at a time.
    ///
    /// # Errors
    /// Something is damaged, the store cannot be read, or `line` fails.
    pub fn export(
        &self,
        mut line: impl FnMut(serde_json::Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // One transaction, so that the export shows one state even if others write meanwhile.
        let _reading = self.connection.unchecked_transaction()?;
        let mut give = |exported: Exported| line(serde_json::to_value(exported)?);
        let mut statement =
            self.connection.prepare("SELECT id, parent FROM session ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            give(Exported::Session { id: row.get(0)?, parent: row.get(1)? })?;
        }
        let select = format!("SELECT {COLUMNS} FROM message ORDER BY number");
        let mut statement = self.connection.prepare(&select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Message { session, seq, role, content, tokens } = Message::read(row)?;
            give(Exported::Message { session, seq, role, tokens, content: Content::of(content) })?;
        }
        for id in self.ids("SELECT id FROM summary ORDER BY number")? {
            let summary = self.summary(&id, &Scope::Everything)?.ok_or(Error::NotVisible)?;
            let places = "SELECT seq FROM summary_message
                JOIN message ON message.number = summary_message.message
                WHERE summary = ?1 ORDER BY position";
            let mut statement = self.connection.prepare(places)?;
            let messages = statement.query_map([&id], |row| count(row, 0))?;
            let messages = messages.collect::<Result<_, _>>()?;
            give(Exported::Summary {
                id,
                session: summary.session,
                tokens: summary.tokens,
                content: Content::of(summary.content),
                parents: summary.parents,
                messages,
            })?;
        }
        for id in self.ids("SELECT id FROM large_file ORDER BY number")? {
            let file = self.any_file(&id)?.ok_or(Error::NotVisible)?;
            let content = match file.path {
                Some(_) => None,
                None => Some(Content::of(self.bytes_of(&file)?)),
            };
            let path =
                file.path.map(|path| Content::of(path.into_os_string().into_encoded_bytes()));
            let (summary, explorer) =
                file.exploration.map(|found| (found.summary, found.explorer_used)).unzip();
            give(Exported::File {
                id,
                session: file.session,
                storage_kind: file.storage_kind,
                name: file.name,
                path,
                bytes: file.bytes,
                tokens: file.tokens,
                sha256: file.sha256,
                exploration_summary: summary,
                explorer_used: explorer,
                content,
            })?;
        }
        Ok(())
    }

    fn ids(&self, select: &str) -> Result<Vec<String>, Error> {
        let mut statement = self.connection.prepare(select)?;
        let ids = statement.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}
