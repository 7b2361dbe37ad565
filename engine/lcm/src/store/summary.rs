//! Summaries, and the messages and summaries that they cover.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Row, Transaction};

use super::{
    Message, Scope, Store, Write, message::COLUMNS as MESSAGE, number::count, scope::VISIBLE,
    session::ensure,
};
use crate::{
    Error,
    content::{sha256, tokens},
    id::Kind,
};

/// A summary to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewSummary<'a> {
    /// The session; a missing one is created.
    pub session: &'a str,
    /// The text.
    pub content: &'a [u8],
    /// The messages of the session that it covers, by their numbers.
    pub messages: &'a [u64],
    /// The summaries that it covers; all must be visible to the session.
    pub parents: &'a [String],
}

/// A stored summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: String,
    /// The session.
    pub session: String,
    /// The text.
    pub content: Vec<u8>,
    /// Tokens of the text.
    pub tokens: u64,
    /// The summaries that it covers.
    pub parents: Vec<String>,
}

impl Store {
    /// Stores a summary, and returns its id. Storing the same summary again returns the same id.
    ///
    /// # Errors
    /// A message or summary that it covers does not exist or may not be seen, or the store cannot
    /// be written.
    pub fn summarise(&mut self, new: &NewSummary) -> Result<String, Error> {
        let (tokens, sha256) = (tokens(new.content), sha256(new.content));
        let links = serde_json::to_vec(&(new.messages, new.parents))?;
        let scope = self.scope(new.session)?;
        self.write(Write::Summary, |transaction| {
            ensure(transaction, new.session)?;
            let (id, is_new) = free_id(transaction, new, &links, &sha256)?;
            if !is_new {
                return Ok(id);
            }
            transaction.execute(
                "INSERT INTO summary (id, session, content, tokens, sha256)
                VALUES (?1, ?2, ?3, ?4, ?5)",
                (&id, new.session, new.content, tokens as i64, &sha256),
            )?;
            for (position, seq) in new.messages.iter().enumerate() {
                let link = "INSERT INTO summary_message (summary, position, message)
                    SELECT ?1, ?2, number FROM message WHERE session = ?3 AND seq = ?4";
                let linked =
                    transaction.execute(link, (&id, position as i64, new.session, *seq as i64))?;
                (linked == 1).then_some(()).ok_or(Error::NotVisible)?;
            }
            for (position, parent) in new.parents.iter().enumerate() {
                let link = format!(
                    "INSERT INTO summary_parent (parent, summary, position)
                    SELECT id, ?3, ?4 FROM summary WHERE id = ?1 AND {VISIBLE}"
                );
                let values = (parent, scope.parameter(), &id, position as i64);
                let linked = transaction.execute(&link, values)?;
                (linked == 1).then_some(()).ok_or(Error::NotVisible)?;
            }
            Ok(id)
        })
    }

    /// A summary; `None` if it does not exist or is outside the scope.
    ///
    /// # Errors
    /// It is damaged, or the store cannot be read.
    pub fn summary(&self, id: &str, scope: &Scope) -> Result<Option<Summary>, Error> {
        let select = format!(
            "SELECT id, session, content, tokens, sha256 FROM summary WHERE id = ?1 AND {VISIBLE}"
        );
        let found = self.connection.query_row(&select, (id, scope.parameter()), read).optional()?;
        let Some((mut summary, digest)) = found else { return Ok(None) };
        if digest != sha256(&summary.content) {
            return Err(Error::Damaged(format!("{id} is not what was stored")));
        }
        summary.parents = self.parents(id)?;
        Ok(Some(summary))
    }

    /// All messages that a summary covers, in the order of their arrival: directly, or through the
    /// summaries that it covers.
    ///
    /// Whoever may see a summary may see all of them, because a summary can only cover what its own
    /// session sees.
    ///
    /// # Errors
    /// A message is damaged, or the store cannot be read.
    pub fn messages_behind(&self, id: &str) -> Result<Vec<Message>, Error> {
        let mut known = BTreeSet::from([id.to_owned()]);
        let mut pending = vec![id.to_owned()];
        let mut numbers = BTreeSet::new();
        while let Some(summary) = pending.pop() {
            let select = "SELECT message FROM summary_message WHERE summary = ?1";
            let mut statement = self.connection.prepare(select)?;
            for number in statement.query_map([&summary], |row| row.get::<_, i64>(0))? {
                numbers.insert(number?);
            }
            let parents = self.parents(&summary)?;
            pending.extend(parents.into_iter().filter(|parent| known.insert(parent.clone())));
        }
        let select = format!("SELECT {MESSAGE} FROM message WHERE number = ?1");
        let mut statement = self.connection.prepare(&select)?;
        let mut messages = Vec::with_capacity(numbers.len());
        for number in numbers {
            let mut rows = statement.query([number])?;
            messages.extend(rows.next()?.map(Message::read).transpose()?);
        }
        Ok(messages)
    }

    /// The summaries that a summary covers, in order.
    fn parents(&self, id: &str) -> Result<Vec<String>, Error> {
        let select = "SELECT parent FROM summary_parent WHERE summary = ?1 ORDER BY position";
        let mut statement = self.connection.prepare(select)?;
        let ids = statement.query_map([id], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }
}

/// A summary without its parents, and the digest that its text should have.
fn read(row: &Row) -> rusqlite::Result<(Summary, String)> {
    let summary = Summary {
        id: row.get(0)?,
        session: row.get(1)?,
        content: row.get(2)?,
        tokens: count(row, 3)?,
        parents: Vec::new(),
    };
    Ok((summary, row.get(4)?))
}

/// The id for a summary, and whether it is new: false if the same summary already has it.
fn free_id(
    transaction: &Transaction,
    new: &NewSummary,
    links: &[u8],
    sha256: &str,
) -> Result<(String, bool), Error> {
    let mut attempt = 0;
    loop {
        let id = Kind::Summary.id(new.session, &[links, new.content], attempt);
        let taken: Option<(String, String)> = transaction
            .query_row("SELECT session, sha256 FROM summary WHERE id = ?1", [&id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        match taken {
            None => return Ok((id, true)),
            Some((session, digest)) if session == new.session && digest == sha256 => {
                return Ok((id, false));
            }
            Some(_) => attempt += 1,
        }
    }
}
