//! Copies of a repository that may be written to, in another folder and with files created in another
//! order.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use record::digest;

use crate::corpus::{
    disk::{self, At, DiskError},
    repository::{Materialised, RepositoryError},
};

/// The order in which a copy's files are created; some file systems list them in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreationOrder {
    /// By path.
    Sorted,
    /// By a digest of the path: the same on every machine, and unrelated to the names.
    Shuffled,
}

/// A copy that may be written to. It is removed when this value is dropped.
#[derive(Debug)]
pub struct ScratchCopy {
    path: PathBuf,
}

impl ScratchCopy {
    /// The work tree of the copy.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchCopy {
    fn drop(&mut self) {
        // A failure cannot be reported from here; the system clears the temporary folder eventually.
        disk::remove_tree(&self.path).ok();
    }
}

impl Materialised {
    /// Copies the repository with its times to `destination`, which must not exist, and checks
    /// the copy.
    pub fn scratch_copy(
        &self,
        destination: &Path,
        order: CreationOrder,
    ) -> Result<ScratchCopy, RepositoryError> {
        disk::create_dir(destination.parent().unwrap_or(destination))?;
        // The folder is created before the value that removes it on drop exists, so that an older
        // folder at `destination` is never removed.
        fs::create_dir(destination).at("create the folder", destination)?;
        let copy = ScratchCopy { path: destination.to_path_buf() };
        copy_in_order(&self.path, destination, order)?;
        self.verify(destination)?;
        Ok(copy)
    }
}

/// Copies files and links in `order`. A folder is created for its first file, an empty folder at the end.
fn copy_in_order(from: &Path, to: &Path, order: CreationOrder) -> Result<(), DiskError> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        let full = from.join(&folder);
        for entry in fs::read_dir(&full).at("list", &full)? {
            let entry = entry.at("list", &full)?;
            let path = folder.join(entry.file_name());
            if entry.file_type().at("inspect", &entry.path())?.is_dir() {
                pending.push(path.clone());
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    match order {
        CreationOrder::Sorted => files.sort(),
        CreationOrder::Shuffled => {
            files.sort_by_cached_key(|path| digest::sha256(path.as_os_str().as_encoded_bytes()));
        }
    }
    for path in &files {
        let (source, target) = (from.join(path), to.join(path));
        disk::create_dir(target.parent().unwrap_or(to))?;
        let metadata = fs::symlink_metadata(&source).at("inspect", &source)?;
        if metadata.is_symlink() {
            let link = fs::read_link(&source).at("read the link", &source)?;
            symlink(link, &target).at("link", &target)?;
            continue;
        }
        fs::copy(&source, &target).at("copy to", &target)?;
        disk::set_mode(&target, metadata.permissions().mode() & 0o777 | 0o200)?;
        let time = metadata.modified().at("read the time of", &source)?;
        fs::File::options()
            .write(true)
            .open(&target)
            .and_then(|file| file.set_modified(time))
            .at("set the time of", &target)?;
    }
    folders.iter().try_for_each(|folder| disk::create_dir(&to.join(folder)))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::CreationOrder;
    use crate::corpus::{Authored, Store};

    #[test]
    fn copies_are_complete_and_may_be_written_to() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let authored = Authored::load(&root.join("corpora/authored/slice")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let ready = Store::open(folder.path().join("cache")).ensure_authored(&authored).unwrap();
        for order in [CreationOrder::Sorted, CreationOrder::Shuffled] {
            let place = folder.path().join(format!("{order:?}"));
            let copy = ready.scratch_copy(&place, order).unwrap();
            fs::write(copy.path().join("README.md"), "changed").unwrap();
            assert!(ready.scratch_copy(&place, order).is_err(), "the folder is there already");
            drop(copy);
            assert!(!place.exists());
        }
        ready.verify_unchanged().unwrap();
    }
}
