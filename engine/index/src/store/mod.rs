//! The store: one SQLite file in the user's cache, shared by all programs.
//!
//! Readers open it read-only. A writer holds the lock on a file beside it for one transaction, so
//! there is only one writer at a time, and a killed writer leaves nothing behind. An unusable store
//! is never an error: a store in memory takes its place, and a notice says why. A busy store is not
//! treated as damaged; it is created again only if SQLite's own check fails.

mod lock;
mod place;
mod schema;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use base::text::visible;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

pub use lock::{Lock, Waiting};
pub use schema::VERSION;

use schema::MIGRATIONS;

/// How long SQLite waits for another program's lock.
const BUSY: Duration = Duration::from_secs(2);
/// Length of a log in bytes above which it is copied into the file. An edit adds some 50,000 bytes.
const LONG_LOG: u64 = 1 << 19;
/// Name of the store in its folder.
pub const FILE: &str = "index.sqlite";

/// Why the store in the folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be used.
    #[error("{}: {error}", visible::path(path))]
    Folder {
        /// The folder, or a file in it.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another program is writing to the store.
    #[error("another program is writing it")]
    Busy,
    /// The store was made by a newer version of this program.
    #[error("it has version {0}, and this program knows {VERSION}")]
    Newer(i64),
    /// An error of SQLite.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

impl StoreError {
    /// Whether SQLite reports that the file is damaged.
    fn is_damage(&self) -> bool {
        let Self::Sqlite(error) = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        )
    }
}

/// A store that can be read.
#[derive(Debug)]
pub struct Store {
    /// The connection for reading; a store in memory is also written through it.
    connection: Connection,
    /// The folder of the store; `None` in memory.
    folder: Option<PathBuf>,
}

impl Store {
    /// Opens the store in a folder. If that fails, opens one in memory and returns the reason.
    pub fn open(folder: &Path) -> (Self, Option<String>) {
        match Self::open_file(folder) {
            Ok(store) => (store, None),
            Err(error) if error.is_damage() => match Self::repair(folder) {
                Ok((store, notice)) => (store, notice),
                Err(error) => (Self::in_memory(), Some(unused(&error))),
            },
            Err(error) => (Self::in_memory(), Some(unused(&error))),
        }
    }

    /// A store in memory, which is lost when this program ends.
    ///
    /// # Panics
    /// There is no memory for an empty store.
    pub fn in_memory() -> Self {
        let made = Connection::open_in_memory().map_err(StoreError::from).and_then(|mut store| {
            migrate(&mut store)?;
            Ok(store)
        });
        #[expect(clippy::expect_used, reason = "an empty store takes some kilobytes")]
        let connection = made.expect("an empty store in memory");
        Self { connection, folder: None }
    }

    /// True if the store is in memory and lost when this program ends.
    pub const fn is_in_memory(&self) -> bool {
        self.folder.is_none()
    }

    /// The connection for reading.
    pub const fn reader(&self) -> &Connection {
        &self.connection
    }

    /// The file of the store; `None` in memory.
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(FILE))
    }

    /// Runs `work` in one transaction.
    ///
    /// # Errors
    /// Another program writes for longer than `waiting` allows, or SQLite cannot write. Nothing is
    /// written then.
    pub fn write<T>(
        &mut self,
        waiting: Waiting,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let Some(folder) = &self.folder else { return transact(&mut self.connection, work) };
        let _lock = Lock::take(folder, waiting)?;
        let mut connection = writable(folder)?;
        let done = transact(&mut connection, work)?;
        shorten_log(&connection, folder)?;
        Ok(done)
    }

    /// Returns free pages to the file system.
    ///
    /// # Errors
    /// Another program is writing, or SQLite fails.
    pub fn give_back(&self) -> Result<(), StoreError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let _lock = Lock::take(folder, Waiting::Long)?;
        let connection = writable(folder)?;
        connection.execute_batch("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }

    /// Replaces the store after an error that came up while it was in use. If SQLite's check
    /// confirms that the file is damaged, the file is created again. Returns the notice, if there
    /// is one.
    pub fn reopen_damaged(&mut self, error: rusqlite::Error) -> Option<String> {
        let error = StoreError::from(error);
        let Some(folder) = self.folder.clone().filter(|_| error.is_damage()) else {
            let notice = unused(&error);
            *self = Self::in_memory();
            return Some(notice);
        };
        let (store, notice) = Self::repair(&folder).unwrap_or_else(|error| {
            let notice = unused(&error);
            (Self::in_memory(), Some(notice))
        });
        *self = store;
        notice
    }

    fn open_file(folder: &Path) -> Result<Self, StoreError> {
        place::prepare(folder)
            .map_err(|error| StoreError::Folder { path: folder.to_owned(), error })?;
        let connection = match readable(folder) {
            Ok(connection) if version(&connection)? == VERSION => connection,
            Err(error) if error.is_damage() => return Err(error),
            _ => {
                let _lock = Lock::take(folder, Waiting::Long)?;
                migrate(&mut writable(folder)?)?;
                readable(folder)?
            }
        };
        Ok(Self { connection, folder: Some(folder.to_owned()) })
    }

    /// Creates the store again if SQLite's check says that it is damaged.
    fn repair(folder: &Path) -> Result<(Self, Option<String>), StoreError> {
        let lock = Lock::take(folder, Waiting::Long)?;
        let notice = if is_sound(folder) {
            None
        } else {
            for ending in ["", "-wal", "-shm"] {
                let path = folder.join(format!("{FILE}{ending}"));
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(StoreError::Folder { path, error });
                    }
                    _ => {}
                }
            }
            let shown = visible::path(&folder.join(FILE));
            Some(format!("the index {shown} failed its integrity check and is made anew"))
        };
        drop(lock);
        Ok((Self::open_file(folder)?, notice))
    }
}

fn unused(error: &StoreError) -> String {
    format!("the stored index is not used: {error}")
}

/// Opens an existing store for reading.
fn readable(folder: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(folder.join(FILE), flags)?;
    connection.busy_timeout(BUSY)?;
    // SQLite opens lazily; this reads the first page.
    version(&connection)?;
    Ok(connection)
}

/// Opens the store for writing. The caller holds the lock.
fn writable(folder: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(folder.join(FILE), flags)?;
    connection.busy_timeout(BUSY)?;
    // A lost transaction only means that its contents are extracted again.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // This writes a page even if nothing changes, and it has an effect on an empty store only.
    if version(&connection)? == 0 {
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
    Ok(connection)
}

fn transact<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

/// Copies a long log into the file and empties it, unless somebody reads it at this moment. How much of it is
/// copied is known only as long as some program has the store open. So without this, every program reads the
/// whole log when it opens the store, and copies all of it when it writes. After each transaction would be too
/// often: it takes longer than most transactions.
fn shorten_log(connection: &Connection, folder: &Path) -> Result<(), StoreError> {
    let length = fs::metadata(folder.join(format!("{FILE}-wal"))).map_or(0, |log| log.len());
    if length > LONG_LOG {
        connection.busy_timeout(Duration::ZERO)?;
        // The answer says whether somebody reads, which is no error: the next writer tries again.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Migrates the tables to this version.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let from = version(connection)?;
    let Some(steps) = usize::try_from(from).ok().and_then(|from| MIGRATIONS.get(from..)) else {
        return Err(StoreError::Newer(from));
    };
    transact(connection, |transaction| {
        for step in steps {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "user_version", VERSION)
    })
}

/// Whether SQLite's own check finds no damage.
fn is_sound(folder: &Path) -> bool {
    let check = || -> Result<String, StoreError> {
        let connection = writable(folder)?;
        Ok(connection.pragma_query_value(None, "integrity_check", |row| row.get(0))?)
    };
    check().is_ok_and(|said| said == "ok")
}

#[cfg(test)]
mod tests;
