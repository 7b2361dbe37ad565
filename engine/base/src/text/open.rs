//! The only way to open a file: it must be a regular file, and opening it never waits.
//!
//! Opening a pipe waits for its writer, opening a device may do anything, and a name may refer to
//! another file between the check and the opening. So the kind is checked first, the file is opened
//! without waiting, and kind and size are then taken from the open file.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
    time::{Duration, Instant},
};

use rustix::fs::OFlags;

use super::read::{self, ReadError};

/// How long reading a file may take, in addition to what a slow network needs for the bytes read so
/// far. A file that takes longer does not belong to a repository.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes per second on a slow network.
const SLOW: u64 = 1 << 20;
/// Bytes read between two looks at the clock.
const PIECE: u64 = 1 << 20;

/// Opens a regular file for reading, and returns its size in bytes. Links are followed, so this is
/// for files that the user names; files that a repository names are opened by
/// [`super::folder::Folder`].
///
/// # Errors
/// It is not a regular file, or it cannot be opened.
#[expect(clippy::disallowed_methods, reason = "this is the way in which files are opened")]
pub fn regular(path: &Path) -> io::Result<(File, u64)> {
    // A device is not even opened, unless it replaces the file between these two calls.
    expect_regular(&fs::metadata(path)?)?;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    checked(fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?)
}

/// Makes sure that an open file is a regular file, and returns its size in bytes.
pub(super) fn checked(file: File) -> io::Result<(File, u64)> {
    let metadata = file.metadata()?;
    expect_regular(&metadata)?;
    Ok((file, metadata.len()))
}

/// The bytes of the regular file at a path that the user names, at most `cap`.
///
/// # Errors
/// The file is larger, is not a regular file, cannot be read, or reading it takes too long.
pub fn bytes(path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
    let (file, size) = regular(path)?;
    all(file, size, cap)
}

/// The text of the file at a path that the user names, as [`super::read::text`] reads it.
///
/// # Errors
/// As [`bytes`]; the file is not UTF-8.
pub fn text(path: &Path, cap: u64) -> Result<String, ReadError> {
    bytes(path, cap).and_then(read::text)
}

/// All bytes of an open file that claims to have `size` of them. No more than `cap` are ever held
/// in memory, whatever the file claims or becomes meanwhile.
pub(super) fn all(file: File, size: u64, cap: u64) -> Result<Vec<u8>, ReadError> {
    if size > cap {
        return Err(ReadError::TooLarge { size, cap });
    }
    let started = Instant::now();
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    let mut rest = file.take(cap + 1);
    while rest.by_ref().take(PIECE).read_to_end(&mut bytes)? > 0 {
        expect_pace(bytes.len() as u64, started.elapsed())?;
    }
    if bytes.len() as u64 > cap {
        return Err(ReadError::TooLarge { size: bytes.len() as u64, cap });
    }
    Ok(bytes)
}

/// Fails if reading the first `read` bytes of a file took too long.
pub fn expect_pace(read: u64, waited: Duration) -> io::Result<()> {
    if waited <= PATIENCE + Duration::from_secs(read / SLOW) {
        return Ok(());
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Fails for anything but a regular file, and says what it is.
pub fn expect_regular(metadata: &fs::Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("is {}, not a regular file", kind_in_words(kind))))
}

/// What a file is that is neither a regular file nor a link, with its article.
pub fn kind_in_words(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, process::Command, time::Instant};

    use super::{PATIENCE, bytes};

    #[test]
    fn what_is_no_regular_file_is_named_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let started = Instant::now();
        for (path, kind) in [
            (pipe.as_path(), "a pipe"),
            (&socket, "a socket"),
            (dir.path(), "a directory"),
            (Path::new("/dev/zero"), "a device"),
        ] {
            let error = bytes(path, 99).unwrap_err().to_string();
            assert!(error.contains(&format!("is {kind}")), "{error}");
        }
        assert!(started.elapsed() < PATIENCE);
    }

    // `/proc/kmsg` is a regular file, but reading it waits for the next message of the kernel.
    #[test]
    fn a_file_that_waits_is_an_error() {
        let kernel = Path::new("/proc/kmsg");
        if kernel.exists() {
            let started = Instant::now();
            assert!(bytes(kernel, 1 << 30).is_err());
            assert!(started.elapsed() < PATIENCE * 2);
        }
    }

    #[test]
    fn a_file_of_the_cap_is_read_and_a_larger_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, vec![b'x'; 3 << 20]).unwrap();
        assert_eq!(bytes(&path, 3 << 20).unwrap().len(), 3 << 20);
        assert!(bytes(&path, (3 << 20) - 1).unwrap_err().to_string().contains("too large"));
        // This file claims to be empty.
        assert!(bytes(Path::new("/proc/self/status"), 5).is_err());
    }
}
