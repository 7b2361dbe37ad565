//! File-system operations whose errors say what was tried, and where.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// A file-system operation that failed.
#[derive(Debug, Error)]
#[error(
    "could not {action} `{}`: {source}; check the space and the permissions there, \
     or set PARITY_CACHE_DIR to a writable folder",
    path.display()
)]
pub struct DiskError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl DiskError {
    /// An error at `path`; `action` completes "could not …".
    pub fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_path_buf(), source }
    }

    /// Exit code of the program when this error ends it: 74, an input or output error.
    pub const fn exit_code(&self) -> u8 {
        74
    }
}

/// Adds the action and the path to a bare I/O error.
pub trait At<T> {
    /// Turns an I/O error into a [`DiskError`]; `action` completes "could not …".
    fn at(self, action: &'static str, path: &Path) -> Result<T, DiskError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, DiskError> {
        self.map_err(|source| DiskError::new(action, path, source))
    }
}

/// Creates `path` and its parents.
pub fn create_dir(path: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(path).at("create the folder", path)
}

/// Replaces whatever is at `path` with an empty folder, which removes what an interrupted run left there.
pub fn fresh_dir(path: &Path) -> Result<(), DiskError> {
    remove_tree(path)?;
    create_dir(path)
}

/// Removes a file or a whole folder, read-only folders included; a missing one is not an error.
pub fn remove_tree(path: &Path) -> Result<(), DiskError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).at("inspect", path),
        Ok(metadata) if !metadata.is_dir() => return fs::remove_file(path).at("remove", path),
        Ok(_) => {}
    }
    let mut pending = vec![path.to_path_buf()];
    while let Some(folder) = pending.pop() {
        set_mode(&folder, 0o755)?;
        for entry in fs::read_dir(&folder).at("list", &folder)? {
            let entry = entry.at("list", &folder)?;
            if entry.file_type().at("inspect", &entry.path())?.is_dir() {
                pending.push(entry.path());
            }
        }
    }
    fs::remove_dir_all(path).at("remove", path)
}

/// Sets the permission bits of `path`.
pub fn set_mode(path: &Path, mode: u32) -> Result<(), DiskError> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).at("set permissions of", path)
}

/// Moves `from` to `to` on the same file system in one step, after flushing `from` itself, and
/// flushes the folder that now holds it, so that the name survives a power cut.
pub fn publish(from: &Path, to: &Path) -> Result<(), DiskError> {
    File::open(from).and_then(|file| file.sync_all()).at("flush", from)?;
    fs::rename(from, to).at("move into place", to)?;
    match to.parent() {
        Some(parent) => File::open(parent).and_then(|folder| folder.sync_all()).at("flush", parent),
        None => Ok(()),
    }
}

/// Takes an exclusive lock on the file at `path`, which is created if it is missing, and waits for it.
/// The lock is released when the returned file is dropped or its process dies.
pub fn lock(path: &Path) -> Result<File, DiskError> {
    if let Some(parent) = path.parent() {
        create_dir(parent)?;
    }
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .at("open the lock file", path)?;
    file.lock().at("lock", path)?;
    Ok(file)
}

/// Writes a small file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), DiskError> {
    fs::write(path, bytes).at("write", path)
}
