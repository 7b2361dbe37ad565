//! Checks that everything is still as it was stored.

use rusqlite::types::FromSql;
use serde::Serialize;

use super::{Message, Scope, Store, message::COLUMNS};
use crate::Error;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether nothing is damaged.
    pub intact: bool,
    /// What SQLite reports as wrong with the database itself.
    pub database: Vec<String>,
    /// The messages.
    pub messages: Tally,
    /// The summaries.
    pub summaries: Tally,
    /// The large contents. One that is kept by its path is intact if its row is.
    pub files: Tally,
    /// Ids of the large contents that are kept by their paths and have changed there. The store
    /// itself is not damaged by that.
    pub changed: Vec<String>,
}

/// How many items of a kind are as they were stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Number of intact items.
    pub intact: u64,
    /// Names of the damaged items.
    pub damaged: Vec<String>,
}

impl Tally {
    fn count(&mut self, name: String, is_intact: bool) {
        if is_intact {
            self.intact += 1;
        } else {
            self.damaged.push(name);
        }
    }
}

impl Report {
    /// The number of intact items, in one line.
    pub fn line(&self) -> String {
        let of = |tally: &Tally| {
            format!("{} of {}", tally.intact, tally.intact + tally.damaged.len() as u64)
        };
        format!(
            "intact: {} large contents, {} messages, {} summaries",
            of(&self.files),
            of(&self.messages),
            of(&self.summaries)
        )
    }

    /// The report on a file that is no longer a database.
    pub fn unreadable(why: String) -> Self {
        Self {
            intact: false,
            database: vec![why],
            messages: Tally::default(),
            summaries: Tally::default(),
            files: Tally::default(),
            changed: Vec::new(),
        }
    }
}

impl Store {
    /// Reads everything and compares it with its digests. Data that cannot be read counts as
    /// damaged, and the check goes on after it.
    pub fn check(&self) -> Report {
        let mut report = Report::unreadable(String::new());
        report.database = self.database();
        for number in self.all::<i64>("number", "message") {
            report.messages.count(number.to_string(), self.message_is_intact(number));
        }
        for id in self.all::<String>("id", "summary") {
            let is_intact = matches!(self.summary(&id, &Scope::Everything), Ok(Some(_)));
            report.summaries.count(id, is_intact);
        }
        for id in self.all::<String>("id", "large_file") {
            let bytes = match self.any_file(&id) {
                Ok(Some(file)) => self.bytes_of(&file),
                Ok(None) => Err(Error::NotVisible),
                Err(error) => Err(error),
            };
            if matches!(bytes, Err(Error::Changed { .. })) {
                report.changed.push(id.clone());
            }
            report.files.count(id, matches!(bytes, Ok(_) | Err(Error::Changed { .. })));
        }
        let tallies = [&report.messages, &report.summaries, &report.files];
        report.intact =
            report.database.is_empty() && tallies.iter().all(|tally| tally.damaged.is_empty());
        report
    }

    /// The findings of SQLite's own check.
    fn database(&self) -> Vec<String> {
        let mut found = Vec::new();
        for check in ["PRAGMA integrity_check(10)", "PRAGMA foreign_key_check"] {
            let mut read = || -> rusqlite::Result<()> {
                let mut statement = self.connection.prepare(check)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    found.push(row.get(0)?);
                }
                Ok(())
            };
            if let Err(error) = read() {
                found.push(error.to_string());
            }
        }
        found.retain(|line: &String| line != "ok");
        found
    }

    /// A column of a table, as far as it can be read.
    fn all<T: FromSql>(&self, column: &str, table: &str) -> Vec<T> {
        let mut found = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let select = format!("SELECT {column} FROM {table} ORDER BY {column}");
            let mut statement = self.connection.prepare(&select)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                found.push(row.get(0)?);
            }
            Ok(())
        };
        // If reading stops here, SQLite's own check reports it.
        let _ = read();
        found
    }

    fn message_is_intact(&self, number: i64) -> bool {
        let read = || -> Result<bool, Error> {
            let select = format!("SELECT {COLUMNS} FROM message WHERE number = ?1");
            let mut statement = self.connection.prepare(&select)?;
            let mut rows = statement.query([number])?;
            Ok(rows.next()?.map(Message::read).transpose()?.is_some())
        };
        read().unwrap_or(false)
    }
}
