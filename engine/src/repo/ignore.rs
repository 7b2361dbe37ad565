//! The comparator's own ignore file, `.aiderignore`, in gitignore syntax.

use std::path::{Path, PathBuf};

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Compiled patterns, relative to the root of the work tree.
#[derive(Debug)]
pub struct IgnoreFile(Gitignore);

/// The ignore file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the ignore file {path} cannot be used: {why}")]
pub struct IgnoreError {
    path: PathBuf,
    why: String,
}

impl IgnoreFile {
    /// Reads an ignore file. A file that does not exist ignores nothing.
    pub fn load(root: &Path, path: &Path) -> Result<Option<Self>, IgnoreError> {
        if !path.is_file() {
            return Ok(None);
        }
        let fail = |why: String| IgnoreError { path: path.to_owned(), why };
        let text = crate::text::read::read_text(path).map_err(|error| fail(error.to_string()))?;
        let mut builder = GitignoreBuilder::new(root);
        for line in crate::text::lines::lines(&text) {
            builder.add_line(None, line).map_err(|error| fail(error.to_string()))?;
        }
        builder
            .build()
            .map(|patterns| Some(Self(patterns)))
            .map_err(|error| fail(error.to_string()))
    }

    /// True if the patterns exclude a path that is relative to the root.
    pub fn excludes(&self, path: &str) -> bool {
        // A path that climbs out of the root cannot be matched by rooted patterns.
        if path.starts_with("../") || path.starts_with('/') {
            return false;
        }
        self.0.matched_path_or_any_parents(path, false).is_ignore()
    }
}
