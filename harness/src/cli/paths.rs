//! Paths of a command line as files and folders of a work tree.

use std::path::Path;

use record::exit;

use crate::Failure;

/// A path of the command line, with links resolved and relative to the root; empty for the root.
pub fn below(root: &Path, path: &Path) -> Result<String, Failure> {
    let wrong = |why: String| Failure::new(exit::USAGE, format!("{}: {why}", path.display()));
    let found = std::fs::canonicalize(path).map_err(|error| wrong(error.to_string()))?;
    let below = found
        .strip_prefix(root)
        .map_err(|_| wrong(format!("lies outside of {}", root.display())))?;
    Ok(below.to_string_lossy().into_owned())
}

/// Whether a file is at or below a path; both are relative to the root.
pub fn is_below(file: &str, path: &str) -> bool {
    path.is_empty()
        || file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
