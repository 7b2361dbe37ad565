//! The files of the checkout that belong to a version or a result.

use std::{fs, io, path::Path};

/// The files at or below some paths relative to `root`, as sorted paths relative to `root`. A path that is missing has
/// none.
///
/// # Errors
/// A folder cannot be read.
pub fn below(root: &Path, paths: &[String]) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut pending: Vec<_> = paths.iter().map(|path| root.join(path)).collect();
    pending.retain(|path| path.exists());
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        } else {
            found.push(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned());
        }
    }
    found.sort();
    Ok(found)
}
