//! The cache of artifacts and materialised repositories, shared by all runs of a user.
//!
//! `artifacts/<sha256>/` holds what was fetched, `repos/` the repositories made of it, `tools/` the
//! clients' environments, `locks/` the lock files, and `tmp/` unfinished work. A folder in the first
//! three is complete as soon as it has its final name.

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::{PlannedCorpus, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::corpus::{
    Progress,
    disk::{self, DiskError},
    fetch::{self, Download, FetchError, client::ClientError},
    lock::Row,
    materialise::{self, MaterialiseError},
    repository::{Materialised, RepositoryError},
};

/// File in the `.git` of a materialised repository that says what it is. Written last.
const STAMP: &str = "parity.json";

/// Raised when the way in which repositories are made changes, so that cached ones are made again.
const LAYOUT: u32 = 2;

/// Why a corpus is not ready.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The artifact could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The artifact could not be turned into a repository.
    #[error(transparent)]
    Materialise(#[from] MaterialiseError),
    /// The repository was changed after it was made.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl StoreError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Fetch(error) => error.exit_code(),
            Self::Materialise(error) => error.exit_code(),
            Self::Repository(error) => error.exit_code(),
            Self::Disk(error) => error.exit_code(),
        }
    }

    /// Why a corpus is not available here, if nothing else is wrong: an optional one may then be
    /// skipped. Bytes that differ from the lock are never an absence.
    pub const fn absence(&self) -> Option<&'static str> {
        match self {
            Self::Fetch(FetchError::Client { source, .. }) => source.absence(),
            _ => None,
        }
    }
}

/// The content of the stamp of a complete repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stamp {
    layout: u32,
    fingerprint: String,
    pub commit: String,
    pub tree_sha256: String,
    pub status: String,
}

impl Stamp {
    pub fn new(fingerprint: &str, commit: String, tree_sha256: String, status: String) -> Self {
        Self { layout: LAYOUT, fingerprint: fingerprint.to_owned(), commit, tree_sha256, status }
    }

    /// The stamp of the repository at `path`, if that is complete and made of `fingerprint`.
    pub fn read(path: &Path, fingerprint: &str) -> Option<Self> {
        let text = fs::read(path.join(".git").join(STAMP)).ok()?;
        let stamp: Self = serde_json::from_slice(&text).ok()?;
        (stamp.layout == LAYOUT && stamp.fingerprint == fingerprint).then_some(stamp)
    }

    /// Marks the repository at `work` as complete and moves it to `path`.
    pub fn publish(&self, work: &Path, path: &Path) -> Result<(), DiskError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        disk::write(&work.join(".git").join(STAMP), text + "\n")?;
        if let Some(parent) = path.parent() {
            disk::create_dir(parent)?;
        }
        disk::remove_tree(path)?;
        disk::publish(work, path)
    }
}

/// The cache, with the function that downloads artifacts into it.
pub struct Store {
    cache: PathBuf,
    download: Box<Download>,
}

impl Store {
    /// The store in `cache`, filled from the registries. Creates nothing yet.
    pub fn open(cache: impl Into<PathBuf>) -> Self {
        Self::with_download(cache, fetch::from_registry)
    }

    /// A store that is filled by `download`, for mirrors and tests.
    pub fn with_download(
        cache: impl Into<PathBuf>,
        download: impl Fn(&Row, &Path, &Path) -> Result<PathBuf, ClientError> + Send + Sync + 'static,
    ) -> Self {
        Self { cache: cache.into(), download: Box::new(download) }
    }

    /// The folder of the cache.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Removes what killed processes left in `tmp/`. The process that uses a folder there holds its
    /// lock, so locked folders stay; so does what cannot be removed.
    pub fn collect(&self) {
        let Ok(entries) = fs::read_dir(self.cache.join("tmp")) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(lock) = fs::File::open(self.cache.join("locks").join(lock_of(&name))) else {
                continue;
            };
            if lock.try_lock().is_ok() {
                disk::remove_tree(&entry.path()).ok();
            }
        }
    }

    /// Returns the repository of `row`: at once if it is complete, otherwise after fetching and making
    /// it. A repository that was changed since it was made is refused; see [`Materialised::check`].
    ///
    /// Safe to call from several processes; the second one waits for the first.
    pub fn ensure(
        &self,
        row: &Row,
        progress: &mut dyn Progress,
    ) -> Result<Materialised, StoreError> {
        let ready = materialised(row, self.path(row));
        if is_complete(row, &ready.path) {
            ready.check()?;
            return Ok(ready);
        }
        progress.start(&row.name, 3);
        let _lock = disk::lock(&self.cache.join("locks").join(&row.sha256))?;
        if is_complete(row, &ready.path) {
            progress.finish();
            ready.check()?;
            return Ok(ready);
        }
        progress.advance("fetch");
        let archive = fetch::artifact(&self.cache, row, &*self.download)?;
        progress.advance("unpack and commit");
        let temporary = self.cache.join("tmp").join(format!("repo-{}", row.sha256));
        disk::fresh_dir(&temporary)?;
        let made = make(row, &archive, &temporary.join("work"), &ready.path);
        disk::remove_tree(&temporary)?;
        made?;
        progress.advance("complete");
        progress.finish();
        Ok(ready)
    }

    /// The repository of a planned corpus that is already in the cache; `None` if there is none that was made of
    /// the same lock or folder. Nothing is fetched or made. The caller compares tree and status with what it
    /// expects.
    ///
    /// # Errors
    /// The repository was changed since it was made.
    pub fn find(&self, corpus: &PlannedCorpus) -> Result<Option<Materialised>, RepositoryError> {
        let PlannedCorpus { name, commit, fingerprint, .. } = corpus;
        let short = |text: &str| text.get(..12).unwrap_or(text).to_owned();
        let folder = if corpus.authored {
            format!("authored-{name}-{}", short(fingerprint))
        } else {
            format!("{name}-{}", short(commit))
        };
        // A name that comes from outside must not lead out of the cache.
        if folder.contains(['/', '\0']) {
            return Ok(None);
        }
        let path = self.cache.join("repos").join(folder);
        let Some(stamp) = Stamp::read(&path, fingerprint) else { return Ok(None) };
        let found = Materialised {
            name: name.clone(),
            path,
            commit: stamp.commit,
            tree_sha256: stamp.tree_sha256,
            status: stamp.status,
            cases: corpus.cases.clone(),
            view: corpus.view.clone(),
        };
        found.check()?;
        Ok(Some(found))
    }

    /// Fetches the artifact of `row` and measures the values that a lock holds. Only the artifact is
    /// kept. This is how a new row gets its values.
    pub fn measure(&self, row: &Row) -> Result<materialise::Measured, StoreError> {
        let _lock = disk::lock(&self.cache.join("locks").join(&row.sha256))?;
        let archive = fetch::artifact(&self.cache, row, &*self.download)?;
        let temporary = self.cache.join("tmp").join(format!("repo-{}", row.sha256));
        disk::fresh_dir(&temporary)?;
        let measured = materialise::build(row, &archive, &temporary);
        disk::remove_tree(&temporary)?;
        Ok(measured?)
    }

    /// The verified artifact of `row` in the cache, fetched if it is not there yet.
    pub fn artifact(&self, row: &Row) -> Result<PathBuf, StoreError> {
        let _lock = disk::lock(&self.cache.join("locks").join(&row.sha256))?;
        Ok(fetch::artifact(&self.cache, row, &*self.download)?)
    }

    /// Where the repository of `row` is once it is complete.
    pub fn path(&self, row: &Row) -> PathBuf {
        let commit = row.commit.get(..12).unwrap_or(&row.commit);
        self.cache.join("repos").join(format!("{}-{commit}", row.name))
    }
}

/// The name of the lock of a folder in `tmp/`. Fetching an artifact and making its repository share one
/// lock.
fn lock_of(temporary: &str) -> &str {
    ["fetch-", "repo-"].iter().find_map(|step| temporary.strip_prefix(step)).unwrap_or(temporary)
}

fn make(row: &Row, archive: &Path, work: &Path, path: &Path) -> Result<(), StoreError> {
    disk::create_dir(work)?;
    materialise::build(row, archive, work)?.check(row)?;
    Ok(stamp_of(row).publish(work, path)?)
}

/// The stamp that a complete repository of `row` has.
fn stamp_of(row: &Row) -> Stamp {
    let (commit, tree_sha256) = (row.commit.clone(), row.filtered_tree_sha256.clone());
    Stamp::new(&row.fingerprint(), commit, tree_sha256, String::new())
}

/// Whether the repository at `path` was made to the end, of this row.
fn is_complete(row: &Row, path: &Path) -> bool {
    let expected = stamp_of(row);
    Stamp::read(path, &expected.fingerprint).is_some_and(|stamp| stamp == expected)
}

/// The repository of `row` as the lock describes it; nothing is read from the disk.
fn materialised(row: &Row, path: PathBuf) -> Materialised {
    Materialised {
        name: row.name.clone(),
        path,
        commit: row.commit.clone(),
        tree_sha256: row.filtered_tree_sha256.clone(),
        status: String::new(),
        cases: row.questions(),
        view: View::default(),
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
