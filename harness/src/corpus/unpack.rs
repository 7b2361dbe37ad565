//! Reads a gzip-compressed tar archive under limits, writes the wanted part, and lists all.
//!
//! Nothing is written outside the destination, no link is ever followed, and the limits count
//! what really comes out of the stream, not what a header claims.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::corpus::disk::{self, At, DiskError};
use crate::corpus::tree::{Entry, Tree};
use crate::corpus::{digest, safe_path};

/// How much an archive may hold.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// Entries of any kind.
    pub entries: u64,
    /// Uncompressed bytes, headers included.
    pub bytes: u64,
    /// Uncompressed bytes for each compressed byte, once the output exceeds 16 MiB.
    pub ratio: u64,
}

impl Default for Caps {
    /// Several times what the largest known corpus needs.
    fn default() -> Self {
        Self { entries: 100_000, bytes: 2 << 30, ratio: 100 }
    }
}

/// Output below this size is never suspected of being a bomb.
const RATIO_FLOOR: u64 = 16 << 20;

/// Why an archive was refused.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// It ends early or does not decode.
    #[error("`{}` is damaged: {why}; delete it and fetch again", archive.display())]
    Damaged {
        /// The archive.
        archive: PathBuf,
        /// What the decoder said.
        why: String,
    },
    /// An entry would leave the destination or would not survive on every file system.
    #[error("`{}` is refused: its entry `{entry}` {why}", archive.display())]
    Unsafe {
        /// The archive.
        archive: PathBuf,
        /// The entry's path, escaped.
        entry: String,
        /// The end of the sentence.
        why: &'static str,
    },
    /// It holds more than the limits allow.
    #[error("`{}` is refused: it holds more than {limit}", archive.display())]
    TooBig {
        /// The archive.
        archive: PathBuf,
        /// The limit that it passed.
        limit: String,
    },
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl UnpackError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Disk(error) => error.exit_code(),
            Self::Damaged { .. } | Self::Unsafe { .. } | Self::TooBig { .. } => 20,
        }
    }
}

/// Unpacks into `destination`, an empty folder, the files that `keep` accepts. The one top
/// folder of the archive is left out of all paths.
///
/// Returns every file and link of the archive, kept or not.
pub fn unpack(
    archive: &Path,
    caps: Caps,
    keep: &dyn Fn(&str) -> bool,
    destination: &Path,
) -> Result<Tree, UnpackError> {
    let file = File::open(archive).at("open", archive)?;
    let packed = Rc::new(Cell::new(0));
    let counted = Counted { inner: BufReader::new(file), total: Rc::clone(&packed) };
    let reached = Rc::new(OnceCell::new());
    let limited = Limited {
        inner: MultiGzDecoder::new(counted),
        packed,
        unpacked: 0,
        caps,
        reached: Rc::clone(&reached),
    };
    let mut reader = tar::Archive::new(limited);
    let mut unpacking = Unpacking {
        archive,
        keep,
        destination,
        top: None,
        tree: Tree::new(),
        spellings: BTreeMap::new(),
        reached,
    };
    let mut seen = 0;
    for entry in reader.entries().map_err(|error| unpacking.stream_error(error))? {
        let mut entry = entry.map_err(|error| unpacking.stream_error(error))?;
        seen += 1;
        if seen > caps.entries {
            return Err(unpacking.too_big(format!("{} entries", caps.entries)));
        }
        unpacking.take(&mut entry)?;
    }
    // The check sum of the compressed stream comes after the end of the tar archive.
    io::copy(&mut reader.into_inner(), &mut io::sink())
        .map_err(|error| unpacking.stream_error(error))?;
    unpacking.link()?;
    Ok(unpacking.tree)
}

struct Unpacking<'a> {
    archive: &'a Path,
    keep: &'a dyn Fn(&str) -> bool,
    destination: &'a Path,
    top: Option<String>,
    tree: Tree,
    /// Lower-case spelling of every path and folder so far, with the spelling that was used.
    spellings: BTreeMap<String, String>,
    /// The limit that stopped the stream.
    reached: Rc<OnceCell<String>>,
}

impl Unpacking<'_> {
    fn take(&mut self, entry: &mut tar::Entry<'_, impl Read>) -> Result<(), UnpackError> {
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            return Ok(());
        }
        let raw = entry.path_bytes().into_owned();
        let Ok(full) = std::str::from_utf8(&raw) else {
            return Err(self.refuse(&String::from_utf8_lossy(&raw), "is not UTF-8"));
        };
        let full = if kind.is_dir() { full.trim_end_matches('/') } else { full };
        safe_path::check(full).map_err(|why| self.refuse(full, why))?;
        let (top, path) = match full.split_once('/') {
            Some((top, path)) => (top, path),
            None if kind.is_dir() => (full, ""),
            None => return Err(self.refuse(full, "lies beside the top folder")),
        };
        if *self.top.get_or_insert_with(|| top.to_owned()) != top {
            return Err(self.refuse(full, "lies outside the top folder"));
        }
        if path.is_empty() {
            return Ok(());
        }
        self.check_spelling(path)?;
        if kind.is_dir() {
            return Ok(());
        }
        if self.tree.contains_key(path) {
            return Err(self.refuse(path, "comes twice"));
        }
        let found = if kind.is_file() {
            self.write(path, entry)?
        } else if kind.is_symlink() {
            let target = entry.link_name_bytes().unwrap_or_default().into_owned();
            let Ok(target) = String::from_utf8(target) else {
                return Err(self.refuse(path, "is a link to a name that is not UTF-8"));
            };
            safe_path::check_link(path, &target)
                .map_err(|_| self.refuse(path, "is a link out of the tree"))?;
            Entry::Symlink { target }
        } else {
            return Err(self.refuse(path, "is neither a file, a folder nor a symbolic link"));
        };
        self.tree.insert(path.to_owned(), found);
        Ok(())
    }

    /// Refuses two spellings of one path, and a file that is also used as a folder.
    fn check_spelling(&mut self, path: &str) -> Result<(), UnpackError> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        for part in ends.filter_map(|end| path.get(..end)) {
            let used = self.spellings.entry(part.to_lowercase()).or_insert_with(|| part.to_owned());
            if used != part {
                return Err(self.refuse(path, "differs from another path only in case"));
            }
            if part != path && self.tree.contains_key(part) {
                return Err(self.refuse(path, "lies below a file or a link"));
            }
        }
        Ok(())
    }

    fn write(
        &self,
        path: &str,
        entry: &mut tar::Entry<'_, impl Read>,
    ) -> Result<Entry, UnpackError> {
        let declared = entry.size();
        let executable = entry.header().mode().unwrap_or(0) & 0o100 != 0;
        let full = self.destination.join(path);
        let (sha256, size) = if (self.keep)(path) {
            disk::create_dir(full.parent().unwrap_or(self.destination))?;
            // Refuses to open what is there already, a link above all.
            let mut output = File::create_new(&full).at("create", &full)?;
            let copied = digest::copy(entry, &mut output);
            output.flush().at("write", &full)?;
            disk::set_mode(&full, if executable { 0o755 } else { 0o644 })?;
            copied
        } else {
            digest::copy(entry, &mut io::sink())
        }
        .map_err(|error| self.stream_error(error))?;
        if size == declared {
            Ok(Entry::File { sha256, executable })
        } else {
            Err(self.damaged(format!("`{path}` ends after {size} of {declared} bytes")))
        }
    }

    /// Makes the links, after all files, so that no file was written through one.
    fn link(&self) -> Result<(), UnpackError> {
        for (path, entry) in &self.tree {
            if let Entry::Symlink { target } = entry
                && (self.keep)(path)
            {
                let full = self.destination.join(path);
                disk::create_dir(full.parent().unwrap_or(self.destination))?;
                symlink(target, &full).at("link", &full)?;
            }
        }
        Ok(())
    }

    fn refuse(&self, entry: &str, why: &'static str) -> UnpackError {
        let entry = entry.escape_debug().to_string();
        UnpackError::Unsafe { archive: self.archive.to_path_buf(), entry, why }
    }

    fn too_big(&self, limit: String) -> UnpackError {
        UnpackError::TooBig { archive: self.archive.to_path_buf(), limit }
    }

    fn damaged(&self, why: String) -> UnpackError {
        UnpackError::Damaged { archive: self.archive.to_path_buf(), why }
    }

    /// Tells a limit that was reached and a full disk from a damaged stream.
    fn stream_error(&self, error: io::Error) -> UnpackError {
        if let Some(limit) = self.reached.get() {
            self.too_big(limit.clone())
        } else if error.raw_os_error().is_some() {
            DiskError::new("unpack into", self.destination, error).into()
        } else {
            self.damaged(error.to_string())
        }
    }
}

/// Counts what is read from the compressed file.
struct Counted<R> {
    inner: R,
    total: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.total.set(self.total.get() + read as u64);
        Ok(read)
    }
}

/// Stops the stream at the limits.
struct Limited<R> {
    inner: R,
    packed: Rc<Cell<u64>>,
    unpacked: u64,
    caps: Caps,
    reached: Rc<OnceCell<String>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.unpacked += read as u64;
        let limit = if self.unpacked > self.caps.bytes {
            format!("{} bytes", self.caps.bytes)
        } else if self.unpacked > RATIO_FLOOR
            && self.unpacked / self.packed.get().max(1) > self.caps.ratio
        {
            format!("{} bytes for each packed byte", self.caps.ratio)
        } else {
            return Ok(read);
        };
        Err(io::Error::other(self.reached.get_or_init(|| limit).clone()))
    }
}

#[cfg(test)]
#[path = "unpack_tests.rs"]
mod tests;
