//! Which files are audited: every regular file of the selected repositories.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::corpus::{
    Materialised,
    disk::DiskError,
    tree::{self, Entry},
};

/// One file of one corpus.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditedFile {
    /// Name of the corpus.
    pub corpus: String,
    /// Path relative to the root of the repository.
    pub path: String,
    /// Where it is.
    pub full: PathBuf,
    /// Whether it comes from a real project; files that we wrote do not.
    pub real: bool,
    /// Its size in bytes.
    pub size: u64,
}

/// The regular files of a repository, sorted. Links are left out: their targets are either files of the
/// repository themselves, or outside of it.
pub fn of_repository(repository: &Materialised, real: bool) -> Result<Vec<AuditedFile>, DiskError> {
    let tree = tree::read(&repository.path)?;
    let files = tree.iter().filter(|(_, entry)| matches!(entry, Entry::File { .. }));
    Ok(files.map(|(path, _)| of_file(&repository.name, &repository.path, path, real)).collect())
}

/// One file below `root`.
pub fn of_file(corpus: &str, root: &Path, path: &str, real: bool) -> AuditedFile {
    let full = root.join(path);
    // A file that cannot be read is a finding of the comparison and stays in the list.
    let size = fs::metadata(&full).map_or(0, |metadata| metadata.len());
    AuditedFile { corpus: corpus.to_owned(), path: path.to_owned(), full, real, size }
}
