//! SQLite databases: their schema and a few rows of each table.
//!
//! The file is not trusted. SQLite opens files by name, and what a name in a repository refers to
//! may change at any time; so SQLite gets a copy of the file that was opened and checked, in a
//! folder of our own, where it finds no journal either. The schema is not trusted. Views and
//! triggers are never run. Every statement has a budget of instructions of SQLite's virtual
//! machine, which, unlike time, is the same on every machine.

mod ddl;
pub mod fields;
mod outline;
mod schema;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use base::scratch::Scratch;
use rusqlite::{Connection, OpenFlags, config::DbConfig, limits::Limit};

use crate::{
    Findings, Input, Task,
    formats::shared::bytes::{be16, be32},
};
use fields::{Content, Header, SqliteFields};

/// Size in bytes of the header that every database has.
const HEADER: usize = 100;
/// Number of instructions per progress report. The budget of a statement is this many reports, and
/// more in proportion to the size of the file: a row takes at least six bytes, and two instructions
/// to count.
const STEP: i32 = 10_000;
const STEPS: u64 = 1_000;
/// Budget of all statements together, as a multiple of the budget of one.
const STATEMENTS: u64 = 10;
/// Size of the largest database that is opened, 2 GiB.
const LIMIT: u64 = 2 << 30;

/// Explores a database.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let head = task.input.head(HEADER)?;
    let size = task.input.size();
    let mut findings = Findings::new(task);
    let Some(header) = header(&head) else {
        let what = if head.is_empty() {
            "the database is empty".to_owned()
        } else {
            "it does not begin as an SQLite database does".to_owned()
        };
        findings.malformed(what, None, None);
        outline::empty(&mut findings, size, &head);
        findings.facts = SqliteFields { size, content: None }.into();
        return Ok(findings);
    };
    let promised = header.page_size.saturating_mul(header.page_count);
    if promised > size {
        let there = size / header.page_size;
        findings.malformed(
            format!("the header promises {} pages, {there} are there", header.page_count),
            None,
            None,
        );
    }
    let mut database = schema::Database::default();
    let log = task.input.path().is_some_and(has_log);
    match copy(task.input) {
        Ok((_folder, path)) => match open(&path, size) {
            Ok((connection, budget)) => {
                schema::read(&connection, &budget, task.secrets, &mut database);
            }
            Err(error) => database.errors.push(format!("it cannot be opened: {error}")),
        },
        Err(error) => database.errors.push(format!("it cannot be read: {error}")),
    }
    for error in &database.errors {
        findings.malformed(error.clone(), None, None);
    }
    let sampled_tables = outline::write(&mut findings, task, &database, &header, log);
    let content = facts(database, header, log, sampled_tables);
    findings.facts = SqliteFields { size, content: Some(content) }.into();
    Ok(findings)
}

fn facts(
    database: schema::Database,
    header: Header,
    log: bool,
    sampled_tables: Vec<String>,
) -> Content {
    let keys = database.constraints.iter().filter(|one| one.kind == "foreign_key").count();
    Content {
        header,
        write_ahead_log_beside: log,
        total_tables: database.tables.len(),
        total_columns: database.tables.iter().map(|table| table.columns.len()).sum(),
        total_rows: database.tables.iter().filter_map(|table| table.row_count).sum(),
        total_indexes: database.indexes.len(),
        total_views: database.views.len(),
        total_triggers: database.triggers.len(),
        total_constraints: database.constraints.len(),
        total_foreign_keys: keys,
        automatic_index_count: database.automatic_indexes,
        sampled: database.uncounted,
        tables: database.tables,
        indexes: database.indexes,
        views: database.views,
        triggers: database.triggers,
        constraints: database.constraints,
        errors: database.errors,
        sampled_tables,
    }
}

/// Reads the header. SQLite documents its format under "Database File Format".
fn header(head: &[u8]) -> Option<Header> {
    if !head.starts_with(b"SQLite format 3\0") {
        return None;
    }
    let page_size = match be16(head, 16)? {
        1 => 65_536,
        size => u64::from(size),
    };
    if page_size < 512 || !page_size.is_power_of_two() {
        return None;
    }
    Some(Header {
        page_size,
        page_count: u64::from(be32(head, 28)?),
        encoding: match be32(head, 56)? {
            2 => "UTF-16le",
            3 => "UTF-16be",
            _ => "UTF-8",
        },
        write_ahead_log: head.get(18) == Some(&2) || head.get(19) == Some(&2),
        user_version: be32(head, 60)?,
        application_id: be32(head, 68)?,
        schema_cookie: be32(head, 40)?,
        freelist_pages: be32(head, 36)?,
    })
}

/// Whether there is a write-ahead log with content beside a database. It is not opened, and a link
/// does not count.
fn has_log(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::symlink_metadata(name).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// Copies an open database into a folder of its own, which is removed when the first value is
/// dropped.
fn copy(input: &Input) -> io::Result<(Scratch, PathBuf)> {
    if input.size() > LIMIT {
        let why = format!("too large: {} bytes, {LIMIT} are read at most", input.size());
        return Err(io::Error::other(why));
    }
    let folder = Scratch::new("database")?;
    let path = folder.path().join("copy.db");
    let mut copy = File::create_new(&path)?;
    // A file that grows while it is read is cut off.
    io::copy(&mut input.reader().take(LIMIT), &mut copy)?;
    Ok((folder, path))
}

/// The progress reports that may still be used.
#[derive(Debug, Clone)]
struct Budget {
    /// The budget of one statement.
    statement: u64,
    /// The remaining budget of the present statement, and of all statements.
    left: Arc<[AtomicU64; 2]>,
}

impl Budget {
    /// The budget for a file of this size.
    fn of(size: u64) -> Self {
        let statement = STEPS + size / u64::from(STEP.unsigned_abs());
        let left = [statement, statement.saturating_mul(STATEMENTS)].map(AtomicU64::new);
        Self { statement, left: Arc::new(left) }
    }

    /// Gives the next statement its full budget.
    fn refill(&self) {
        let [statement, _] = &*self.left;
        statement.store(self.statement, Ordering::Relaxed);
    }

    /// Uses one report; false if none is left.
    fn spend(&self) -> bool {
        self.left.iter().all(|left| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok()
        })
    }
}

/// Opens a database in such a way that nothing in it can do harm.
fn open(path: &Path, size: u64) -> rusqlite::Result<(Connection, Budget)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(uri(path), flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 64 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 4 << 20),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ] {
        connection.set_limit(limit, value)?;
    }
    let budget = Budget::of(size);
    let spender = budget.clone();
    connection.progress_handler(STEP, Some(move || !spender.spend()))?;
    connection.execute_batch("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")?;
    Ok((connection, budget))
}

/// The path as a URI that says read-only and immutable.
fn uri(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = String::from("file:");
    for byte in absolute.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    uri
}

#[cfg(test)]
mod tests;
