//! Remembers that a folder was checked in full, so that the next check is cheap.
//!
//! A file beside the folder holds one digest over the stat data of everything in the folder. While the
//! digest stays the same, nothing was written there: the system gives a file a new change time
//! (`ctime`) with every write, rename and change of its attributes, and no program can set it back.
//! When it differs, the folder is checked in full again, which reads every byte.
//!
//! This finds what people and programs change. It does not protect against somebody who also writes the
//! file with the digest; for that, [`Seen::forget`] makes the next check a full one.

use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use record::{Digest, write_atomically};

use crate::corpus::disk::{At, DiskError};

/// A change this soon after the last one may get the same change time: the kernel counts it in
/// ticks of 1 to 10 ms.
const TICK: Duration = Duration::from_millis(50);

/// The folders of the cache whose subfolders are checked.
const KEPT: [&str; 3] = ["comparators", "oracles", "repos"];

/// The record that one folder was checked.
#[derive(Debug, Clone)]
pub struct Seen {
    folder: PathBuf,
}

impl Seen {
    /// The record of `folder`, in a file beside it.
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Where the digest is kept.
    pub fn file(&self) -> PathBuf {
        self.folder.with_added_extension("seen")
    }

    /// Whether nothing was written into the folder since it was last checked in full.
    ///
    /// # Errors
    /// The folder cannot be walked.
    pub fn is_unchanged(&self) -> Result<bool, DiskError> {
        let (now, _) = stat_digest(&self.folder)?;
        Ok(self.known().is_some_and(|known| known == now.as_str()))
    }

    /// Calls `full` if anything was written into the folder since a call of it last succeeded, and
    /// records the folder if this call succeeds.
    ///
    /// # Errors
    /// The folder cannot be walked, or `full` failed.
    pub fn check<E: From<DiskError>>(&self, full: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        // Taken before the full check, so that the next check finds what is written during this one.
        let (now, newest) = stat_digest(&self.folder)?;
        if self.known().is_some_and(|known| known == now.as_str()) {
            return Ok(());
        }
        full()?;
        #[expect(
            clippy::disallowed_methods,
            reason = "it is compared with times of the file system"
        )]
        let clock = SystemTime::now();
        if newest + TICK < clock {
            // Without the record the next check is a full one, which only costs time.
            write_atomically(&self.file(), now.as_str().as_bytes()).ok();
        }
        Ok(())
    }

    /// Makes the next check a full one.
    pub fn forget(&self) {
        fs::remove_file(self.file()).ok();
    }

    /// Makes the next check of every folder in a cache a full one.
    pub fn forget_all(cache: &Path) {
        for folder in KEPT {
            for entry in fs::read_dir(cache.join(folder)).into_iter().flatten().flatten() {
                if entry.path().extension() == Some("seen".as_ref()) {
                    fs::remove_file(entry.path()).ok();
                }
            }
        }
    }

    fn known(&self) -> Option<String> {
        fs::read_to_string(self.file()).ok()
    }
}

/// One digest over name, kind, permissions, size, times and inode of everything below `root`, and
/// the newest change time. Folders count by name and permissions alone: what is in them is listed.
fn stat_digest(root: &Path) -> Result<(Digest, SystemTime), DiskError> {
    let mut lines = Vec::new();
    let mut newest = UNIX_EPOCH;
    let mut pending = vec![root.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).at("list", &folder)? {
            let path = entry.at("list", &folder)?.path();
            let stat = fs::symlink_metadata(&path).at("inspect", &path)?;
            let mut line = path.strip_prefix(root).unwrap_or(&path).as_os_str().as_bytes().to_vec();
            line.push(0);
            if stat.is_dir() {
                line.extend_from_slice(&stat.mode().to_be_bytes());
                pending.push(path);
            } else {
                for number in [stat.size(), stat.ino(), u64::from(stat.mode())] {
                    line.extend_from_slice(&number.to_be_bytes());
                }
                for time in [stat.mtime(), stat.mtime_nsec(), stat.ctime(), stat.ctime_nsec()] {
                    line.extend_from_slice(&time.to_be_bytes());
                }
                newest = newest.max(change_time(&stat));
            }
            lines.push(line);
        }
    }
    lines.sort_unstable();
    let mut all = Vec::new();
    for line in lines {
        // The length before each line keeps two lines from being taken for one.
        all.extend_from_slice(&u64::try_from(line.len()).unwrap_or(u64::MAX).to_be_bytes());
        all.extend_from_slice(&line);
    }
    Ok((Digest::of(&all), newest))
}

fn change_time(stat: &fs::Metadata) -> SystemTime {
    let seconds = u64::try_from(stat.ctime()).unwrap_or_default();
    let nanoseconds = u32::try_from(stat.ctime_nsec()).unwrap_or_default();
    UNIX_EPOCH + Duration::new(seconds, nanoseconds)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::thread::sleep;

    use super::*;

    /// A folder with a file, a file in a folder and a link.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let around = tempfile::tempdir().unwrap();
        let root = around.path().join("folder");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::write(root.join("a"), "one").unwrap();
        fs::write(root.join("inner/b"), "two").unwrap();
        symlink("a", root.join("link")).unwrap();
        (around, root)
    }

    /// How many full checks `times` checks lead to.
    fn full_checks(root: &Path, times: usize) -> usize {
        let count = Cell::new(0);
        for _ in 0..times {
            let full = || {
                count.set(count.get() + 1);
                Ok::<(), DiskError>(())
            };
            Seen::of(root).check(full).unwrap();
        }
        count.get()
    }

    #[test]
    fn every_change_leads_to_one_full_check() {
        type Change = fn(&Path);
        let changes: [(&str, Change); 8] = [
            ("nothing", |_| ()),
            ("another content of the same length, and the time put back", |root| {
                let file = root.join("a");
                let time = fs::metadata(&file).unwrap().modified().unwrap();
                fs::write(&file, "two").unwrap();
                fs::File::open(&file).unwrap().set_modified(time).unwrap();
            }),
            ("a file more", |root| fs::write(root.join("inner/c"), "").unwrap()),
            ("a folder more", |root| fs::create_dir(root.join("inner/d")).unwrap()),
            ("a file less", |root| fs::remove_file(root.join("inner/b")).unwrap()),
            ("a mode", |root| {
                fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
            }),
            ("a link elsewhere", |root| {
                fs::remove_file(root.join("link")).unwrap();
                symlink("b", root.join("link")).unwrap();
            }),
            ("a file in place of another, with its times", |root| {
                let time = fs::metadata(root.join("a")).unwrap().modified().unwrap();
                fs::write(root.join("inner/new"), "six").unwrap();
                let new = fs::File::open(root.join("inner/new")).unwrap();
                new.set_modified(time).unwrap();
                fs::rename(root.join("inner/new"), root.join("a")).unwrap();
            }),
        ];
        for (what, change) in changes {
            let (_around, root) = folder();
            sleep(TICK * 2);
            assert_eq!(full_checks(&root, 3), 1, "{what}, before");
            change(&root);
            sleep(TICK * 2);
            assert_eq!(full_checks(&root, 3), usize::from(what != "nothing"), "{what}");
        }
    }

    #[test]
    fn a_full_check_that_fails_is_not_remembered() {
        let (_around, root) = folder();
        sleep(TICK * 2);
        let refused = || Err(DiskError::new("like", &root, std::io::Error::other("no")));
        assert!(Seen::of(&root).check(refused).is_err());
        assert!(!Seen::of(&root).is_unchanged().unwrap());
        assert_eq!(full_checks(&root, 1), 1);
        assert!(Seen::of(&root).is_unchanged().unwrap());
        Seen::of(&root).forget();
        assert_eq!(full_checks(&root, 1), 1);
    }

    /// A write in the tick of the check would keep the change time.
    #[test]
    fn what_was_written_just_now_is_not_remembered() {
        let (_around, root) = folder();
        fs::write(root.join("a"), "new").unwrap();
        assert_eq!(full_checks(&root, 2), 2);
    }
}
