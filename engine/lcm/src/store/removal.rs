//! Removing sessions, and returning their space to the file system.

use std::fs;

use rusqlite::Transaction;
use serde::Serialize;

use super::{Store, Write, number};
use crate::Error;

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Number of sessions: those that were named, and all their descendants.
    pub sessions: u64,
    /// Number of their messages.
    pub messages: u64,
    /// Number of their summaries.
    pub summaries: u64,
    /// Number of their large contents.
    pub files: u64,
    /// Size of the database and its log before, in bytes.
    pub bytes_before: u64,
    /// Size of the database and its log afterwards, in bytes.
    pub bytes_after: u64,
}

/// The sessions of the JSON array in parameter 1, and all their descendants.
const DOOMED: &str = "WITH RECURSIVE doomed (id) AS (
        SELECT session.id FROM session JOIN json_each(?1) ON json_each.value = session.id
        UNION
        SELECT session.id FROM session JOIN doomed ON session.parent = doomed.id
    )";

impl Store {
    /// Removes sessions with everything in them and all their descendants, and returns the free
    /// space of the database to the file system. Removed data is overwritten.
    ///
    /// # Errors
    /// A session does not exist, or the store cannot be written.
    pub fn remove(&mut self, sessions: &[String]) -> Result<Removed, Error> {
        let bytes_before = self.size()?;
        let named = serde_json::Value::from(sessions).to_string();
        let mut removed = self.write(Write::Removal, |transaction| {
            for session in sessions {
                if !super::session::is_there(transaction, session)? {
                    return Err(Error::NoSession(session.clone()));
                }
            }
            remove(transaction, &named)
        })?;
        self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        removed.bytes_before = bytes_before;
        removed.bytes_after = self.size()?;
        Ok(removed)
    }

    /// Size of the database and its log, in bytes.
    fn size(&self) -> Result<u64, Error> {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        let log = fs::metadata(log).map_or(0, |metadata| metadata.len());
        Ok(fs::metadata(&self.path)?.len() + log)
    }
}

fn remove(transaction: &Transaction, named: &str) -> Result<Removed, Error> {
    let count = |table: &str| -> Result<u64, Error> {
        let select = format!(
            "{DOOMED} SELECT count(*) FROM {table} WHERE session IN (SELECT id FROM doomed)"
        );
        Ok(transaction.query_row(&select, [named], |row| number::count(row, 0))?)
    };
    let (messages, summaries, files) = (count("message")?, count("summary")?, count("large_file")?);
    // A session and its parent are removed by one statement; references are checked at its end
    // only.
    transaction.execute_batch("PRAGMA defer_foreign_keys = ON")?;
    let delete = format!("{DOOMED} DELETE FROM session WHERE id IN (SELECT id FROM doomed)");
    let sessions = transaction.execute(&delete, [named])? as u64;
    Ok(Removed { sessions, messages, summaries, files, bytes_before: 0, bytes_after: 0 })
}
