//! Where the files of a store lie: on the disk, or in memory for a store that is never looked at again.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::atomic;

/// The files of a store.
#[derive(Debug, Clone)]
pub(crate) enum Files {
    /// Each is written so that its name appears only with its whole content.
    Disk,
    /// They end with the last store that has them.
    Memory(Arc<Mutex<BTreeMap<PathBuf, Vec<u8>>>>),
}

impl Files {
    /// At most `most` bytes of a file.
    pub(crate) fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self {
            Self::Disk => {
                let mut bytes = Vec::new();
                File::open(path)?.take(most).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Self::Memory(files) => {
                let files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }

    /// Writes a file with what `content` produces.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Disk => atomic::stream(path, &mut |file| content(file)),
            Self::Memory(files) => {
                let mut bytes = Vec::new();
                content(&mut bytes)?;
                let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.insert(path.to_owned(), bytes);
                Ok(())
            }
        }
    }

    /// The files in a folder; none if there is no such folder.
    pub(crate) fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        match self {
            Self::Disk if !folder.is_dir() => Ok(Vec::new()),
            Self::Disk => fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect(),
            Self::Memory(files) => {
                let files = files.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(files.keys().filter(|path| path.starts_with(folder)).cloned().collect())
            }
        }
    }

    /// Removes a file.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Disk => fs::remove_file(path),
            Self::Memory(files) => {
                files.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
                Ok(())
            }
        }
    }
}
