//! The index as its user sees it: bring a root up to date, show its status, prune it.

use std::path::{Path, PathBuf};

use map::repo::{Present, UniverseError, present};
use rusqlite::Result;
use serde::Serialize;

use crate::{
    extractor::Navigated,
    prune::{self, Most, Pruned},
    rows,
    settings::Settings,
    store::{Store, StoreError, Waiting},
    sync::{self, Pending, Progress},
};

/// Why a command about the index failed.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The root cannot be listed.
    #[error(transparent)]
    Root(#[from] UniverseError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system cannot report changes.
    #[error(
        "the folders cannot be watched: {0}; on Linux, fs.inotify.max_user_watches says how many may be"
    )]
    Unwatched(#[from] notify::Error),
    /// The store cannot be used, for the given reason.
    #[error("{0}")]
    Unused(String),
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What happened when a root was brought up to date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Synced {
    /// The root.
    pub root: PathBuf,
    /// Number of files that the index knows now.
    pub files: usize,
    /// Number of files whose symbols were extracted; the others had not changed.
    pub extracted: usize,
    /// Files that could not be read or parsed.
    pub pending: Vec<Pending>,
    /// Number of the last change of the store.
    pub generation: u64,
    /// What the user should know about the store, if anything.
    pub notice: Option<String>,
}

/// What the store holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The file of the store; `None` if it cannot be used.
    pub file: Option<PathBuf>,
    /// Bytes of its pages in use.
    pub bytes: u64,
    /// Its maximum size, in bytes.
    pub max_bytes: u64,
    /// Number of the last change.
    pub generation: u64,
    /// Number of contents that something was extracted from.
    pub contents: u64,
    /// Number of roots with known files.
    pub roots: u64,
    /// Number of files of the root in question.
    pub files: u64,
    /// What the user should know about the store, if anything.
    pub notice: Option<String>,
}

/// Brings the root around a directory up to date.
///
/// # Errors
/// The directory cannot be listed.
pub fn sync(settings: &Settings, dir: &Path, progress: Progress) -> Result<Synced, IndexError> {
    sync_present(settings, &present(dir, &settings.excluded)?, progress)
}

/// Brings a root up to date, given the list of its files.
pub(crate) fn sync_present(
    settings: &Settings,
    present: &Present,
    progress: Progress,
) -> Result<Synced, IndexError> {
    let (mut store, mut notice) = Store::open(&settings.folder);
    let level = Navigated::new();
    let library = match sync::sync(&mut store, settings, present, &level, progress) {
        Ok(library) => library,
        Err(error) => {
            notice = store.reopen_damaged(error);
            sync::sync(&mut store, settings, present, &level, progress)?
        }
    };
    Ok(Synced {
        root: library.root,
        files: library.files.len(),
        extracted: library.extracted,
        pending: library.pending,
        generation: library.generation,
        notice: notice.or(library.notice),
    })
}

/// What the store holds, in total and of the root around a directory.
///
/// # Errors
/// The directory does not exist, or the store cannot be read.
pub fn status(settings: &Settings, dir: &Path) -> Result<Status, IndexError> {
    let root = map::repo::root_of(dir)
        .map_err(|error| UniverseError::Directory { path: dir.to_owned(), error })?;
    let (store, notice) = Store::open(&settings.folder);
    let reader = store.reader();
    let count = |query: &str| reader.query_row(query, [], |row| row.get::<_, i64>(0));
    let files = match rows::find_root(reader, &root)? {
        Some(root) => rows::files(reader, root)?.len() as u64,
        None => 0,
    };
    Ok(Status {
        file: store.file(),
        bytes: prune::used_bytes(reader)?,
        max_bytes: settings.max_store_bytes,
        generation: rows::generation(reader)?.unsigned_abs(),
        contents: count("SELECT count(DISTINCT sha256) FROM content")?.unsigned_abs(),
        roots: count("SELECT count(*) FROM root")?.unsigned_abs(),
        files,
        notice,
    })
}

/// Prunes the store to a size in bytes.
///
/// # Errors
/// The store cannot be used, or another program keeps writing to it for too long.
pub fn prune(settings: &Settings, most: u64) -> Result<Pruned, IndexError> {
    let (mut store, notice) = Store::open(&settings.folder);
    if let (true, Some(notice)) = (store.is_in_memory(), notice) {
        return Err(IndexError::Unused(notice));
    }
    let pruned = store.write(Waiting::Long, |store| {
        rows::begin_change(store)?;
        prune::to(store, Most::bytes(most), None)
    })?;
    store.give_back()?;
    Ok(pruned)
}
