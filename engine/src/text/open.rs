//! The one way in which a file is opened: only if it is a regular file, and never waiting.
//!
//! A pipe waits for its writer, a device may do anything when it is opened, and what a name stands
//! for may change between a look and the opening. So the kind is looked at before, the file is
//! opened without waiting, and kind and size are taken from what was opened.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::{FileTypeExt, OpenOptionsExt},
    path::Path,
    time::{Duration, Instant},
};

use rustix::fs::OFlags;

use super::read::ReadError;

/// Longest time that the reading of one file may take. A disk gives a file of the largest size
/// that anybody reads, 50 MiB, in a second; what trickles for longer is no file of a repository.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes between two looks at the clock.
const PIECE: u64 = 1 << 20;

/// Opens a regular file for reading, and says how many bytes it has. Links are followed.
///
/// # Errors
/// It is no regular file, or it cannot be opened.
pub fn regular(path: &Path) -> io::Result<(File, u64)> {
    // A device is not even opened, unless it takes the file's place within this call.
    expect_regular(&fs::metadata(path)?)?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file =
        fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    expect_regular(&metadata)?;
    Ok((file, metadata.len()))
}

/// The bytes of a regular file, at most `cap`. No more than that is ever held in memory, whatever
/// the file claims or becomes meanwhile.
///
/// # Errors
/// It is larger, is no regular file, cannot be read, or does not end in time.
pub fn bytes(path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
    let (file, size) = regular(path)?;
    if size > cap {
        return Err(ReadError::TooLarge { size, cap });
    }
    let started = Instant::now();
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    let mut rest = file.take(cap + 1);
    while rest.by_ref().take(PIECE).read_to_end(&mut bytes)? > 0 {
        if started.elapsed() > PATIENCE {
            return Err(ReadError::Io(io::ErrorKind::TimedOut.into()));
        }
    }
    if bytes.len() as u64 > cap {
        return Err(ReadError::TooLarge { size: bytes.len() as u64, cap });
    }
    Ok(bytes)
}

/// Says what something is that is no regular file.
pub fn expect_regular(metadata: &fs::Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("is {}, not a regular file", kind_in_words(kind))))
}

/// What a file is that is no regular file and no link, with its article.
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
