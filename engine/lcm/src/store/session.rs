//! Sessions, and which session started which.

use rusqlite::{Connection, Transaction};
use serde::Serialize;

use super::{Scope, Store, Write};
use crate::Error;

/// Longest id of a session, in bytes.
const LONGEST_ID: usize = 256;

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Its id.
    pub session: String,
    /// The session that started it, if any.
    pub parent: Option<String>,
    /// Itself, the session that started it, and so on.
    pub lineage: Vec<String>,
}

impl Store {
    /// Creates a session, or finds it. A missing parent is created, too. A session without a parent
    /// may get one later, but a parent cannot be changed.
    ///
    /// # Errors
    /// An id is not valid, the session has another parent, or the parent descends from the session.
    pub fn make_session(&mut self, id: &str, parent: Option<&str>) -> Result<Session, Error> {
        for id in [Some(id), parent].into_iter().flatten() {
            expect_usable(id)?;
        }
        let has = |found: &Session| parent.is_none() || found.parent.as_deref() == parent;
        if !self.session(id)?.is_some_and(|found| has(&found)) {
            self.write(Write::Session, |transaction| make(transaction, id, parent))?;
        }
        self.session(id)?.ok_or_else(|| Error::NoSession(id.to_owned()))
    }

    /// A session; `None` if it does not exist.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn session(&self, id: &str) -> Result<Option<Session>, Error> {
        let lineage = lineage(&self.connection, id)?;
        Ok((!lineage.is_empty()).then(|| Session {
            session: id.to_owned(),
            parent: lineage.get(1).cloned(),
            lineage,
        }))
    }

    /// What a session may see: its own contents and those of its ancestors; nothing if it does not
    /// exist.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn scope(&self, session: &str) -> Result<Scope, Error> {
        Ok(Scope::Lineage(lineage(&self.connection, session)?))
    }
}

/// Creates a session if it does not exist.
pub(super) fn ensure(transaction: &Transaction, id: &str) -> Result<(), Error> {
    expect_usable(id)?;
    transaction.execute("INSERT OR IGNORE INTO session (id) VALUES (?1)", [id])?;
    Ok(())
}

/// Whether a session exists.
pub(super) fn is_there(connection: &Connection, id: &str) -> Result<bool, Error> {
    let exists = "SELECT EXISTS (SELECT 1 FROM session WHERE id = ?1)";
    Ok(connection.query_row(exists, [id], |row| row.get(0))?)
}

fn make(transaction: &Transaction, id: &str, parent: Option<&str>) -> Result<(), Error> {
    ensure(transaction, id)?;
    let Some(parent) = parent else { return Ok(()) };
    ensure(transaction, parent)?;
    if lineage(transaction, parent)?.iter().any(|ancestor| ancestor == id) {
        return Err(Error::Request(format!("session {parent} descends from {id}")));
    }
    let set = "UPDATE session SET parent = ?2 WHERE id = ?1 AND (parent IS NULL OR parent = ?2)";
    if transaction.execute(set, [id, parent])? == 0 {
        return Err(Error::Request(format!("session {id} has another parent")));
    }
    Ok(())
}

/// A session and its ancestors, nearest first; empty if it does not exist. It stops at a cycle,
/// which only a damaged store can have.
fn lineage(connection: &Connection, id: &str) -> Result<Vec<String>, Error> {
    let ancestors = "WITH RECURSIVE ancestor (id, depth) AS (
            SELECT id, 0 FROM session WHERE id = ?1
            UNION ALL
            SELECT session.parent, depth + 1 FROM session JOIN ancestor ON session.id = ancestor.id
            WHERE session.parent IS NOT NULL AND depth < (SELECT count(*) FROM session)
        )
        SELECT id FROM ancestor GROUP BY id ORDER BY min(depth)";
    let mut statement = connection.prepare(ancestors)?;
    let ids = statement.query_map([id], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn expect_usable(id: &str) -> Result<(), Error> {
    if id.is_empty() || id.len() > LONGEST_ID || id.chars().any(char::is_control) {
        let what = format!("a session's id has 1 to {LONGEST_ID} bytes and no control characters");
        return Err(Error::Request(what));
    }
    Ok(())
}
