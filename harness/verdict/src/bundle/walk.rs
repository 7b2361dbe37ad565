//! The files of a bundle directory, and reading each of them once.
//!
//! A bundle holds regular files under portable names and nothing else: a link or a device could
//! show other bytes to the next reader.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use record::digest::Hasher;
use rustix::fs::OFlags;

use super::name;

/// The most files a bundle may hold.
pub const MAX_FILES: usize = 100_000;

/// The most bytes the files of a bundle may hold together.
pub const MAX_TOTAL_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// Why a directory cannot be a bundle.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// A symbolic link, device, socket or pipe.
    #[error("{0}: neither a regular file nor a directory; a bundle holds nothing else")]
    NotRegular(String),
    /// A file with a second name.
    #[error(
        "{0}: has another name somewhere (a hard link), by which its bytes can change; \
         make a copy of the bundle with files of its own"
    )]
    HardLink(String),
    /// A directory without files.
    #[error("{0}: an empty directory, which no list of files can cover; remove it")]
    EmptyDirectory(String),
    /// A name outside the portable subset.
    #[error("{file}: not a name for a file of a bundle: {reason}")]
    Name {
        /// The file, escaped.
        file: String,
        /// What is wrong with its name.
        reason: &'static str,
    },
    /// Two names that differ in letter case only.
    #[error("{second}: differs from {first} in letter case only")]
    Twins {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// More than [`MAX_FILES`].
    #[error("{0}: more than {MAX_FILES} files in the bundle")]
    TooMany(String),
    /// A directory could not be read.
    #[error("{file}: {source}")]
    Io {
        /// The directory or file, escaped.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// What is below a directory.
#[derive(Debug)]
pub struct Listing {
    /// Every file by its path relative to the directory, with `/`.
    pub files: BTreeSet<String>,
    /// The first directory without anything in it, if there is one.
    empty: Option<String>,
}

impl Listing {
    /// Refuses an empty directory, because only files are signed. Check the files first: a missing file may
    /// have been the only one in its directory.
    pub fn expect_no_empty_directory(&self) -> Result<(), WalkError> {
        self.empty.clone().map_or(Ok(()), |directory| Err(WalkError::EmptyDirectory(directory)))
    }
}

/// Lists what is below `root`, without recursion.
pub fn list(root: &Path) -> Result<Listing, WalkError> {
    let mut empty = None;
    let mut files = BTreeSet::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(directory) = pending.pop() {
        let io = |source| WalkError::Io { file: name::shown(&root.join(&directory)), source };
        let mut is_empty = true;
        for entry in fs::read_dir(root.join(&directory)).map_err(io)? {
            let entry = entry.map_err(io)?;
            is_empty = false;
            let path = directory.join(entry.file_name());
            let kind = entry.file_type().map_err(io)?;
            let refuse = |reason| WalkError::Name { file: name::shown(&path), reason };
            let text = path.to_str().ok_or_else(|| refuse("not UTF-8"))?;
            if !kind.is_dir() && !kind.is_file() {
                return Err(WalkError::NotRegular(name::shown(&path)));
            }
            name::check(text).map_err(refuse)?;
            if files.len() + pending.len() >= MAX_FILES {
                return Err(WalkError::TooMany(text.to_owned()));
            }
            if kind.is_dir() {
                pending.push(path);
            } else if entry.metadata().map_err(io)?.nlink() > 1 {
                return Err(WalkError::HardLink(text.to_owned()));
            } else {
                files.insert(text.to_owned());
            }
        }
        if is_empty && !directory.as_os_str().is_empty() {
            empty.get_or_insert_with(|| name::shown(&directory));
        }
    }
    match name::twins(files.iter().map(String::as_str)) {
        Some((first, second)) => Err(WalkError::Twins { first, second }),
        None => Ok(Listing { files, empty }),
    }
}

/// Opens a regular file for reading. Does not follow a link in its place and does not block on a pipe in its
/// place.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Reads a regular file whole, but at most `limit + 1` bytes: that many tell that the file is longer.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads `source` to its end, at most `limit` bytes, writing what it reads to `copy`. Returns the
/// sha256 and the length in bytes of exactly those bytes.
pub fn digest(source: &mut File, limit: u64, copy: &mut dyn Write) -> io::Result<(String, u64)> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 128 * 1024];
    let mut length = 0;
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finish().into(), length)),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        length += count as u64;
        if length > limit {
            let why = format!("the bundle has more than {MAX_TOTAL_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        let bytes = buffer.get(..count).unwrap_or_default();
        hasher.update(bytes);
        copy.write_all(bytes)?;
    }
}

#[cfg(test)]
mod tests {
    use super::{WalkError, list, open};
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_are_listed_and_empty_directories_are_refused() {
        let root = tempfile::tempdir().expect("directory");
        list(root.path()).expect("lists").expect_no_empty_directory().expect("the root may be");
        fs::create_dir_all(root.path().join("a/b")).expect("directories");
        fs::write(root.path().join("a/b/c"), "").expect("file");
        fs::write(root.path().join("z"), "").expect("file");
        let files: Vec<_> = list(root.path()).expect("lists").files.into_iter().collect();
        assert_eq!(files, ["a/b/c", "z"]);
        fs::create_dir(root.path().join("a/empty")).expect("directory");
        let listing = list(root.path()).expect("lists");
        assert!(matches!(
            listing.expect_no_empty_directory(),
            Err(WalkError::EmptyDirectory(at)) if at == "a/empty"
        ));
    }

    #[test]
    fn files_with_two_names_are_refused() {
        let root = tempfile::tempdir().expect("directory");
        let outside = tempfile::tempdir().expect("directory");
        fs::write(root.path().join("a"), "").expect("file");
        fs::hard_link(root.path().join("a"), outside.path().join("b")).expect("link");
        assert!(matches!(list(root.path()), Err(WalkError::HardLink(file)) if file == "a"));
    }

    #[test]
    fn links_pipes_and_twins_are_refused() {
        let root = tempfile::tempdir().expect("directory");
        let at = |name: &str| root.path().join(name);
        symlink("/", at("out")).expect("link");
        assert!(matches!(list(root.path()), Err(WalkError::NotRegular(file)) if file == "out"));
        fs::remove_file(at("out")).expect("removed");

        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .expect("pipe");
        assert!(matches!(list(root.path()), Err(WalkError::NotRegular(file)) if file == "pipe"));
        assert!(open(&at("pipe")).is_err());
        fs::remove_file(at("pipe")).expect("removed");

        for name in ["Same", "same"] {
            fs::write(at(name), "").expect("file");
        }
        assert!(matches!(list(root.path()), Err(WalkError::Twins { .. })));
    }
}
