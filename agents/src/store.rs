//! What is kept of one repository between two requests: maps, and what each session was given.
//!
//! It is in the user's cache, never in the repository, and only its owner can read it. A file that
//! cannot be read counts as missing, and one that cannot be written is made again next time.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use record::{Digest, write_atomically};
use rustix::{
    fs::{FlockOperation, flock},
    process::geteuid,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Artifact, files::work_tree};

/// Maximum number of maps kept for one repository; the oldest are removed.
const MOST_MAPS: usize = 64;
/// Maximum number of sessions remembered for one repository.
const MOST_SESSIONS: usize = 256;
/// Largest file that is read back, in bytes.
const LARGEST: u64 = 64 << 20;

/// Pause between two checks whether a lock is free.
const PAUSE: Duration = Duration::from_millis(2);

/// The folder of one repository.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A map, with the state of the files that it was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// See [`crate::files::stamp`].
    pub stamp: Digest,
    /// The map.
    pub artifact: Artifact,
}

/// The right to make maps of a repository; dropping it gives the right back.
#[derive(Debug)]
pub struct Turn(#[expect(dead_code, reason = "the lock lives as long as the open file")] File);

impl Store {
    /// Opens the folder of the repository around a directory, below a cache folder; a missing
    /// folder is created.
    ///
    /// # Errors
    /// It cannot be created, or somebody else can write into it.
    pub fn open(cache: &Path, dir: &Path) -> io::Result<Self> {
        let name = Digest::of(work_tree(dir)?.as_os_str().as_encoded_bytes());
        let name = name.as_str().get(..16).unwrap_or_default();
        let folder = cache.join("agents").join(name);
        for part in ["maps", "sessions"] {
            DirBuilder::new().recursive(true).mode(0o700).create(folder.join(part))?;
        }
        let found = fs::symlink_metadata(&folder)?;
        if found.uid() != geteuid().as_raw() || found.mode() & 0o022 != 0 {
            return Err(io::Error::other("others can write into the folder of kept maps"));
        }
        Ok(Self { folder })
    }

    /// The stored map for a question, if there is one.
    pub fn find(&self, key: &Digest) -> Option<Kept> {
        read(&self.map(key))
    }

    /// The last map that was made of this repository, for any question.
    pub fn last(&self) -> Option<Kept> {
        read(&self.folder.join("last.json"))
    }

    /// Stores the map for a question.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, key: &Digest, kept: &Kept) -> io::Result<()> {
        let bytes = serde_json::to_vec(kept)?;
        write_atomically(&self.map(key), &bytes).map_err(io::Error::other)?;
        write_atomically(&self.folder.join("last.json"), &bytes).map_err(io::Error::other)?;
        prune(&self.folder.join("maps"), MOST_MAPS)
    }

    /// The stored state of a session. The id may be any text.
    pub fn session<T: DeserializeOwned>(&self, id: &str) -> Option<T> {
        read(&self.session_file(id))
    }

    /// Stores the state of a session.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep_session(&self, id: &str, session: &impl Serialize) -> io::Result<()> {
        let bytes = serde_json::to_vec(session)?;
        write_atomically(&self.session_file(id), &bytes).map_err(io::Error::other)?;
        prune(&self.folder.join("sessions"), MOST_SESSIONS)
    }

    /// Takes the turn to make maps; `None` while another process has it.
    ///
    /// # Errors
    /// The lock file cannot be created.
    pub fn turn(&self) -> io::Result<Option<Turn>> {
        self.lock("turn")
    }

    /// Waits until no other process changes the stored sessions, which takes milliseconds. `None`
    /// if that does not happen in time, or the lock cannot be used.
    pub fn alone(&self, until: Instant) -> Option<Turn> {
        loop {
            match self.lock("sessions.lock") {
                Ok(None) if Instant::now() < until => thread::sleep(PAUSE),
                other => return other.ok().flatten(),
            }
        }
    }

    /// The folder of this repository's artifacts, unless the user names another.
    pub fn artifacts(&self) -> PathBuf {
        self.folder.join("artifacts")
    }

    fn lock(&self, name: &str) -> io::Result<Option<Turn>> {
        let file = File::options().create(true).append(true).open(self.folder.join(name))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Turn(file))),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn map(&self, key: &Digest) -> PathBuf {
        self.folder.join("maps").join(format!("{key}.json"))
    }

    fn session_file(&self, id: &str) -> PathBuf {
        self.folder.join("sessions").join(format!("{}.json", Digest::of(id)))
    }
}

/// Reads a file of ours; `None` if it is missing, too large or malformed.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Removes the least recently written files until at most `most` are left.
fn prune(folder: &Path, most: usize) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A file that another process has just removed is not counted.
        if let Ok(found) = entry.metadata() {
            files.push(((found.mtime(), found.mtime_nsec()), entry.path()));
        }
    }
    files.sort_unstable();
    let excess = files.len().saturating_sub(most);
    for (_, path) in files.into_iter().take(excess) {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use record::Digest;

    use super::{Kept, MOST_MAPS, Store};
    use crate::{Artifact, Code, Job, Problem};

    fn kept(message: &str) -> Kept {
        let problem = Problem::new(Code::Timeout, message);
        let artifact = Artifact::of_failure(&Job::new("/nowhere"), &problem, None);
        Kept { stamp: Digest::of(message), artifact }
    }

    #[test]
    fn what_was_kept_comes_back() {
        let cache = tempfile::tempdir().unwrap();
        let work_tree = tempfile::tempdir().unwrap();
        fs::create_dir_all(work_tree.path().join(".git")).unwrap();
        fs::create_dir_all(work_tree.path().join("src/deep")).unwrap();
        let store = Store::open(cache.path(), work_tree.path()).unwrap();
        let inside = Store::open(cache.path(), &work_tree.path().join("src/deep")).unwrap();
        let other = Store::open(cache.path(), cache.path()).unwrap();
        let key = Digest::of("question");
        assert_eq!(store.find(&key), None);
        store.keep(&key, &kept("a")).unwrap();
        assert_eq!(store.find(&key), Some(kept("a")));
        assert_eq!(store.last(), Some(kept("a")));
        assert_eq!(inside.find(&key), Some(kept("a")), "a folder of the work tree shares them");
        assert_eq!(other.find(&key), None, "another work tree has its own maps");
    }

    #[test]
    fn what_is_broken_counts_as_absent() {
        let cache = tempfile::tempdir().unwrap();
        let store = Store::open(cache.path(), cache.path()).unwrap();
        let key = Digest::of("question");
        store.keep(&key, &kept("a")).unwrap();
        fs::write(store.map(&key), "{\"stamp\": \"half").unwrap();
        assert_eq!(store.find(&key), None);
        store.keep(&key, &kept("b")).unwrap();
        assert_eq!(store.find(&key), Some(kept("b")));
    }

    #[test]
    fn the_oldest_maps_go() {
        let cache = tempfile::tempdir().unwrap();
        let store = Store::open(cache.path(), cache.path()).unwrap();
        for number in 0..MOST_MAPS + 3 {
            store.keep(&Digest::of(number.to_string()), &kept("a")).unwrap();
        }
        assert_eq!(fs::read_dir(store.folder.join("maps")).unwrap().count(), MOST_MAPS);
        assert_eq!(store.find(&Digest::of("0")), None);
    }

    #[test]
    fn one_process_has_the_turn() {
        let cache = tempfile::tempdir().unwrap();
        let store = Store::open(cache.path(), cache.path()).unwrap();
        let turn = store.turn().unwrap();
        assert!(turn.is_some() && store.turn().unwrap().is_none());
        drop(turn);
        assert!(store.turn().unwrap().is_some());
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let cache = tempfile::tempdir().unwrap();
        let store = Store::open(cache.path(), cache.path()).unwrap();
        assert_eq!(fs::metadata(&store.folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::set_permissions(&store.folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(Store::open(cache.path(), cache.path()).is_err());
    }
}
