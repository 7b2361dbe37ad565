//! The lock that allows one writer at a time. The system releases it when the process ends, in
//! whatever way.

use std::{
    fs::{File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::StoreError;

/// Name of the lock file in the store's folder.
const FILE: &str = "writer.lock";
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// How long to wait for another writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Not at all: nobody depends on what would be written.
    None,
    /// As long as a few transactions take.
    Long,
}

/// The lock; dropping it releases it.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "it is held")] File);

impl Lock {
    /// Takes the lock of the store in a folder.
    ///
    /// # Errors
    /// Another program holds the lock for longer than `waiting` allows, or the file cannot be
    /// created.
    pub fn take(folder: &Path, waiting: Waiting) -> Result<Self, StoreError> {
        let path = folder.join(FILE);
        let failed = |error| StoreError::Folder { path: path.clone(), error };
        #[expect(clippy::disallowed_methods, reason = "a file of our own folder")]
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        let patience = match waiting {
            Waiting::None => Duration::ZERO,
            Waiting::Long => Duration::from_secs(10),
        };
        let started = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if started.elapsed() < patience => {
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}
