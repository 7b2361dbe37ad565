//! Reads an archive under limits, writes the wanted part of it, and lists everything in it.
//!
//! Nothing is written outside the destination, no link is ever followed, and the limits count
//! what really comes out of the archive, not what a header claims.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Write},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    rc::Rc,
};

use record::digest;
use thiserror::Error;

use crate::corpus::{
    disk::{self, At, DiskError},
    lock::{Form, Packing},
    safe_path,
    tree::{Entry, Tree},
};

mod stream;
mod tar_stream;
mod wheel;

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
    /// The program that decodes archives of this form cannot be started.
    #[error("`{}` needs the program `{program}`: {why}; install it, then run again", archive.display())]
    NoProgram {
        /// The archive.
        archive: PathBuf,
        /// The program.
        program: &'static str,
        /// What the system said.
        why: String,
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
            Self::Damaged { .. }
            | Self::Unsafe { .. }
            | Self::TooBig { .. }
            | Self::NoProgram { .. } => 20,
        }
    }
}

/// Unpacks into `destination`, an empty folder, the files that `keep` accepts. If `form` says that all
/// files are in one top folder, that folder is left out of all paths.
///
/// Returns every file and link of the archive, kept or not.
pub fn unpack(
    archive: &Path,
    form: Form,
    caps: Caps,
    keep: &dyn Fn(&str) -> bool,
    destination: &Path,
) -> Result<Tree, UnpackError> {
    let mut unpacking = Unpacking {
        archive,
        caps,
        keep,
        destination,
        has_top: form.top_folder,
        top: None,
        seen: 0,
        tree: Tree::new(),
        spellings: BTreeMap::new(),
        reached: Rc::new(OnceCell::new()),
    };
    match form.packing {
        Packing::Zip => wheel::read(&mut unpacking)?,
        tar => tar_stream::read(&mut unpacking, tar)?,
    }
    unpacking.link()?;
    Ok(unpacking.tree)
}

/// What an archive says about one of its entries.
struct Head {
    /// The path as it is written in the archive.
    path: Vec<u8>,
    sort: Sort,
    /// The size of the content as the archive announces it, in bytes.
    size: u64,
    executable: bool,
}

enum Sort {
    Folder,
    File,
    Link { target: Vec<u8> },
    Other,
}

struct Unpacking<'a> {
    archive: &'a Path,
    caps: Caps,
    keep: &'a dyn Fn(&str) -> bool,
    destination: &'a Path,
    has_top: bool,
    top: Option<String>,
    /// Entries so far.
    seen: u64,
    tree: Tree,
    /// Lower-case spelling of every path and folder so far, with the spelling that was used.
    spellings: BTreeMap<String, String>,
    /// The limit that stopped the stream.
    reached: Rc<OnceCell<String>>,
}

impl Unpacking<'_> {
    /// Counts one more entry of any kind.
    fn count(&mut self) -> Result<(), UnpackError> {
        self.seen += 1;
        if self.seen > self.caps.entries {
            return Err(self.too_big(format!("{} entries", self.caps.entries)));
        }
        Ok(())
    }

    fn take(&mut self, head: &Head, content: &mut impl Read) -> Result<(), UnpackError> {
        let Ok(full) = std::str::from_utf8(&head.path) else {
            return Err(self.refuse(&String::from_utf8_lossy(&head.path), "is not UTF-8"));
        };
        let is_folder = matches!(head.sort, Sort::Folder);
        let full = if is_folder { full.trim_end_matches('/') } else { full };
        let path = if self.has_top { self.below_top(full, is_folder)? } else { full };
        // A file that is left out is only listed; a name can do harm only where it is written.
        let kept = (self.keep)(path);
        if kept {
            safe_path::check(full).map_err(|why| self.refuse(full, why))?;
            self.check_spelling(path)?;
        }
        if is_folder || path.is_empty() {
            return Ok(());
        }
        if self.tree.contains_key(path) {
            return Err(self.refuse(path, "comes twice"));
        }
        let found = match &head.sort {
            Sort::File => self.write(path, kept, head, content)?,
            Sort::Link { target } => {
                let Ok(target) = String::from_utf8(target.clone()) else {
                    return Err(self.refuse(path, "is a link to a name that is not UTF-8"));
                };
                if kept {
                    safe_path::check_link(path, &target)
                        .map_err(|_| self.refuse(path, "is a link out of the tree"))?;
                }
                Entry::Symlink { target }
            }
            Sort::Folder | Sort::Other => {
                return Err(self.refuse(path, "is neither a file, a folder nor a symbolic link"));
            }
        };
        self.tree.insert(path.to_owned(), found);
        Ok(())
    }

    /// The path without the one top folder; empty for the top folder itself.
    fn below_top<'p>(&mut self, full: &'p str, is_folder: bool) -> Result<&'p str, UnpackError> {
        let (top, path) = match full.split_once('/') {
            Some((top, path)) => (top, path),
            None if is_folder => (full, ""),
            None => return Err(self.refuse(full, "lies beside the top folder")),
        };
        if *self.top.get_or_insert_with(|| top.to_owned()) != top {
            return Err(self.refuse(full, "lies outside the top folder"));
        }
        Ok(path)
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
        kept: bool,
        head: &Head,
        content: &mut impl Read,
    ) -> Result<Entry, UnpackError> {
        let (declared, executable) = (head.size, head.executable);
        let full = self.destination.join(path);
        let (sha256, size) = if kept {
            disk::create_dir(full.parent().unwrap_or(self.destination))?;
            // Fails if something is already there, above all a link.
            let mut output = File::create_new(&full).at("create", &full)?;
            let copied = digest::copy(content, &mut output);
            output.flush().at("write", &full)?;
            disk::set_mode(&full, if executable { 0o755 } else { 0o644 })?;
            copied
        } else {
            digest::copy(content, &mut io::sink())
        }
        .map_err(|error| self.stream_error(error))?;
        if size == declared {
            Ok(Entry::File { sha256: sha256.into(), executable })
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

    fn no_program(&self, program: &'static str, error: &io::Error) -> UnpackError {
        let archive = self.archive.to_path_buf();
        UnpackError::NoProgram { archive, program, why: error.to_string() }
    }

    /// The error for a stream that ended: a limit that was reached, a full disk, or a damaged archive.
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

#[cfg(test)]
mod tests;
