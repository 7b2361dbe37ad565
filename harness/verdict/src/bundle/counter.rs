//! The counter of a key: larger in every bundle that it seals.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::Path,
};

use record::write_atomically;

/// The folder of counters in the configuration directory.
const FOLDER: &str = "counters";

/// Locks what is kept in a configuration directory until the file is dropped. Waits while another process
/// holds the lock.
pub(super) fn lock(directory: &Path) -> io::Result<File> {
    let folder = directory.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let lock = OpenOptions::new().create(true).append(true).open(folder.join("lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// The next counter of a key, kept in its owner's configuration directory before it is given out.
///
/// `now` is the number of seconds since 1970. A counter is never below it, so it still grows if its file is
/// lost. If the clock stands still or goes backwards, it grows by one.
///
/// # Errors
/// The file cannot be read or written, or does not hold a counter. It is then not treated as new.
pub fn next(directory: &Path, keyid: &str, now: u64) -> io::Result<u64> {
    let _held = lock(directory)?;
    let path = directory.join(FOLDER).join(keyid);
    let last = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
        Ok(file) => {
            let mut text = String::new();
            file.take(32).read_to_string(&mut text)?;
            let malformed = |_| io::Error::new(io::ErrorKind::InvalidData, "not a counter");
            text.trim().parse::<u64>().map_err(malformed)?
        }
    };
    let next = now.max(last.saturating_add(1));
    write_atomically(&path, format!("{next}\n").as_bytes()).map_err(io::Error::other)?;
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn it_grows_whatever_the_clock_says() {
        let place = tempfile::tempdir().unwrap();
        let counter = |now| next(place.path(), "ab", now).unwrap();
        assert_eq!([counter(100), counter(100), counter(7), counter(200)], [100, 101, 102, 200]);
        assert_eq!(next(place.path(), "cd", 5).unwrap(), 5);
        std::fs::write(place.path().join("counters/ab"), "rubbish").unwrap();
        assert!(next(place.path(), "ab", 300).is_err());
    }
}
