//! Temporary folders that are not left behind.
//!
//! A folder is removed when its value is dropped. A killed process removes nothing, so each folder
//! is locked by its owner: the kernel frees the lock when the owner is gone, and the next process
//! that needs a folder removes those that nobody has locked. Their names,
//! `parity-KIND-RANDOM.scratch`, are unlikely to be chosen by anybody else, and folders of other
//! users are left alone.

use std::{
    fs::{self, DirEntry, File, Metadata, TryLockError},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Once,
};

use rustix::fs::OFlags;
use tempfile::TempDir;

const PREFIX: &str = "parity-";
const SUFFIX: &str = ".scratch";
/// Permission bits of every such folder: access for its owner only.
const MODE: u32 = 0o700;
/// Permission bits that let anybody but the owner write.
const OTHERS_WRITE: u32 = 0o022;
/// How often to try again when another process removes a new folder before it is locked.
const TRIES: usize = 8;

/// A temporary folder of this process.
#[derive(Debug)]
pub struct Scratch {
    // Dropped before the lock, so the folder is removed before the lock is released.
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes an empty folder below `$TMPDIR` (`/tmp` if unset); `kind` becomes part of its name and
    /// says what it is for. The first call of a process removes what killed processes left.
    ///
    /// # Errors
    /// It cannot be made or locked.
    pub fn new(kind: &str) -> io::Result<Self> {
        static COLLECTED: Once = Once::new();
        let parent = std::env::temp_dir();
        COLLECTED.call_once(|| collect(&parent));
        Self::below(&parent, kind)
    }

    fn below(parent: &Path, kind: &str) -> io::Result<Self> {
        let prefix = format!("{PREFIX}{kind}-");
        for _ in 0..TRIES {
            let mut made = tempfile::Builder::new();
            made.permissions(fs::Permissions::from_mode(MODE)).rand_bytes(12);
            let folder = made.prefix(&prefix).suffix(SUFFIX).tempdir_in(parent)?;
            match lock(folder.path()) {
                Ok(Some(lock)) => return Ok(Self { folder, _lock: lock }),
                // Another process found it before it was locked, and removed it.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("temporary folders are removed as soon as they are made"))
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder; `None` if it was removed meanwhile. On a file system without such locks nobody
/// can lock a folder, so nobody removes it either.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let lock = open(folder)?;
    lock.lock().ok();
    Ok((lock.metadata()?.nlink() > 0).then_some(lock))
}

/// Opens a folder that is not a link. Programs that this process starts do not inherit the lock.
#[expect(clippy::disallowed_methods, reason = "a folder of our own, and no link is followed")]
fn open(folder: &Path) -> io::Result<File> {
    let flags = (OFlags::DIRECTORY | OFlags::NOFOLLOW).bits().cast_signed();
    fs::OpenOptions::new().read(true).custom_flags(flags).open(folder)
}

/// Removes the folders below `parent` whose owners are gone. What cannot be removed stays.
fn collect(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(is_named_so) {
        let path = entry.path();
        let Ok(folder) = open(&path) else { continue };
        if folder.metadata().is_ok_and(|metadata| is_ours(&metadata)) && is_free(&folder) {
            remove(&path).ok();
        }
    }
}

fn is_named_so(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

/// Whether a folder belongs to this user and nobody else may write into it. Others may be able to
/// read it: a program that ran in it may have changed its permissions before the owner was killed.
fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & OTHERS_WRITE == 0
}

/// Whether nobody held the lock of a folder; then this process holds it, as long as `folder` is
/// open.
fn is_free(folder: &File) -> bool {
    !matches!(folder.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
}

/// Removes a folder with everything in it, read-only folders included. Follows no links.
fn remove(folder: &Path) -> io::Result<()> {
    let mut pending: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(MODE))?;
        for entry in fs::read_dir(&folder)?.flatten() {
            if entry.file_type()?.is_dir() {
                pending.push(entry.path());
            }
        }
    }
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
        path::PathBuf,
    };

    use super::{Scratch, collect};

    #[test]
    fn what_nobody_holds_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let folder = |name: &str, mode: u32| -> PathBuf {
            let path = parent.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let held = Scratch::below(parent.path(), "git").unwrap();
        // This is what a killed process leaves: the lock is gone, the folder is not.
        let Scratch { folder: left, _lock: lock } = Scratch::below(parent.path(), "git").unwrap();
        drop(lock);
        let left = left.keep();
        fs::create_dir_all(left.join("deep/closed")).unwrap();
        fs::write(left.join("deep/closed/file"), "x").unwrap();
        fs::set_permissions(left.join("deep/closed"), fs::Permissions::from_mode(0o500)).unwrap();
        let readable = folder("parity-readable.scratch", 0o755);
        let kept = [
            folder("parity-git-work", 0o700),
            folder("other.scratch", 0o700),
            folder("parity-open.scratch", 0o777),
        ];
        fs::write(kept[0].join("file"), "mine").unwrap();
        // A link with such a name; its target must not be removed.
        symlink(&kept[0], left.join("link")).unwrap();
        symlink(&kept[0], parent.path().join("parity-link.scratch")).unwrap();
        collect(parent.path());
        assert!(!left.exists() && !readable.exists() && held.path().exists());
        assert!(kept.iter().all(|path| path.exists()) && kept[0].join("file").exists());
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_that_was_taken_away_is_not_used() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("gone");
        fs::create_dir(&folder).unwrap();
        let other = super::open(&folder).unwrap();
        other.lock().unwrap();
        // A process that waits for the lock gets it only after the folder is gone.
        let waiting = {
            let folder = folder.clone();
            std::thread::spawn(move || super::lock(&folder).unwrap().is_none())
        };
        std::thread::sleep(std::time::Duration::from_millis(300));
        fs::remove_dir(&folder).unwrap();
        drop(other);
        assert!(waiting.join().unwrap());
    }
}
