//! The database of a store: one SQLite file with its write-ahead log, which only its owner may read.
//!
//! Data that belongs together is written in one transaction, so a process that dies leaves all of
//! it or nothing. Readers never wait for a writer; writers wait for each other. Each thread or
//! process should open a store once.

mod check;
mod export;
mod file;
mod message;
mod number;
mod removal;
mod scope;
mod session;
mod summary;

use std::{
    fs::{self, DirBuilder, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use base::text::open;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, config::DbConfig,
};

pub use check::{Report, Tally};
pub use file::{LargeFile, NewFile, Payload, StorageKind};
pub use message::{Message, Role};
pub use removal::Removed;
pub use scope::Scope;
pub use session::Session;
pub use summary::{NewSummary, Summary};

use crate::{
    Error,
    fault::{self, Stage, Write},
};

/// The steps from each version to the next, in order.
const MIGRATIONS: [&str; 1] = [include_str!("1.sql")];
/// `PRAGMA application_id` of a store: LCM1 in ASCII.
const APPLICATION: i32 = 0x4c43_4d31;
/// How long to wait for others that are writing.
const PATIENCE: Duration = Duration::from_mins(1);
/// Pause between two attempts to switch the log on.
const PAUSE: Duration = Duration::from_millis(5);
/// Permission bits of the file: its owner may read and write it, nobody else.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens a store; a missing one is created.
    ///
    /// # Errors
    /// The file is something else, is damaged, or cannot be used.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(path)?;
        make_file(&path)?;
        Self::existing(&path)
    }

    /// Opens a store that must exist.
    ///
    /// # Errors
    /// As [`Store::open`], or the store does not exist.
    pub fn existing(path: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(path)?;
        open::expect_regular(&fs::metadata(&path)?)
            .map_err(|_| not_a_store(&path, "is not a regular file"))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let mut store = Self { connection, path };
        store.recognise()?;
        store.close_to_others()?;
        store.configure()?;
        store.migrate()?;
        Ok(store)
    }

    /// The path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that the database is a store or is empty.
    fn recognise(&self) -> Result<(), Error> {
        // One transaction, so that the checks see one state even if another process creates a store
        // meanwhile.
        let _reading = self.connection.unchecked_transaction()?;
        let application: i32 = self.pragma("application_id")?;
        let version: i32 = self.pragma("user_version")?;
        let tables: i64 =
            self.connection
                .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        match (application, usize::try_from(version)) {
            (APPLICATION, Ok(version)) if version <= MIGRATIONS.len() => Ok(()),
            (APPLICATION, _) => Err(not_a_store(&self.path, "is a store of a newer version")),
            (0, Ok(0)) if tables == 0 => Ok(()),
            _ => Err(not_a_store(&self.path, "is a database, but not a store of large content")),
        }
    }

    /// Removes other people's access to the file and its log.
    fn close_to_others(&self) -> Result<(), Error> {
        for suffix in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            match fs::metadata(&path) {
                Ok(metadata) if metadata.permissions().mode() & 0o077 != 0 => {
                    fs::set_permissions(&path, Permissions::from_mode(FILE_MODE))?;
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    fn configure(&self) -> Result<(), Error> {
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        self.switch_log_on()?;
        // Committed data survives a power failure, and removed data is overwritten.
        self.connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
             PRAGMA cell_size_check = ON;",
        )?;
        Ok(())
    }

    /// Switches the write-ahead log on, which has to be done once for a file. SQLite does not wait
    /// on its own for others that do so at the same time.
    fn switch_log_on(&self) -> Result<(), Error> {
        let until = Instant::now() + PATIENCE;
        loop {
            let switch = "PRAGMA journal_mode = WAL";
            let switched = if self.pragma::<String>("journal_mode")? == "wal" {
                return Ok(());
            } else {
                self.connection.query_row(switch, [], |row| row.get::<_, String>(0))
            };
            match switched {
                Ok(mode) if mode == "wal" => return Ok(()),
                Ok(_) => return Err(not_a_store(&self.path, "is where no log can be kept")),
                Err(error) if is_busy(&error) && Instant::now() < until => thread::sleep(PAUSE),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn migrate(&mut self) -> Result<(), Error> {
        let newest = MIGRATIONS.len() as i32;
        if self.pragma::<i32>("user_version")? == newest {
            return Ok(());
        }
        self.write(Write::Schema, |transaction| {
            // Another process may have migrated it meanwhile.
            let version: i32 =
                transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
            for migration in MIGRATIONS.iter().skip(version as usize) {
                transaction.execute_batch(migration)?;
            }
            Ok(transaction.pragma_update(None, "user_version", newest)?)
        })
    }

    fn pragma<T: rusqlite::types::FromSql>(&self, name: &str) -> Result<T, Error> {
        Ok(self.connection.pragma_query_value(None, name, |row| row.get(0))?)
    }

    /// Runs `work` in one transaction.
    fn write<T>(
        &mut self,
        what: Write,
        change: impl FnOnce(&Transaction) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        fault::at(what, Stage::Begun);
        let changed = change(&transaction)?;
        fault::at(what, Stage::Changed);
        transaction.commit()?;
        fault::at(what, Stage::Committed);
        Ok(changed)
    }
}

/// Creates the file of a store and its folder, if they do not exist.
#[expect(clippy::disallowed_methods, reason = "makes a file and opens none that is there")]
fn make_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    }
    // An existing file is not opened here: closing it would release the locks that SQLite holds on
    // it in this process.
    match OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn not_a_store(path: &Path, what: &'static str) -> Error {
    Error::NotAStore { path: path.to_owned(), what }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
