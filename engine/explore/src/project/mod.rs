//! The project around a file: what of its imports is local.
//!
//! Facts of one ecosystem stand in a file of its name; they are read on first use and once.

mod c;
mod composer;
mod lua;
mod ruby;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// The project, or nothing known of it.
#[derive(Debug, Default)]
pub struct Project {
    root: Option<PathBuf>,
    headers: OnceLock<BTreeMap<String, Vec<String>>>,
}

impl Project {
    /// A project at a folder.
    pub fn at(root: &Path) -> Self {
        Self { root: Some(root.to_owned()), ..Self::default() }
    }

    /// The nearest folder above a file that is the root of a work tree.
    pub fn around(file: &Path) -> Self {
        let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        Self {
            root: absolute
                .ancestors()
                .skip(1)
                .find(|folder| folder.join(".git").exists())
                .map(Path::to_owned),
            ..Self::default()
        }
    }

    /// The root folder.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether a path below the root exists.
    pub fn has(&self, rel: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.join(rel).exists())
    }

    /// A file's path below the root, with `/`; none if it lies elsewhere or no root is known.
    pub fn relative(&self, file: &str) -> Option<String> {
        let root = std::path::absolute(self.root.as_ref()?).ok()?;
        let file = std::path::absolute(file).ok()?;
        let below = file.strip_prefix(root).ok()?;
        Some(below.to_string_lossy().replace('\\', "/"))
    }

    /// The text of a small file below the root, such as a manifest.
    pub fn read(&self, rel: &str) -> Option<String> {
        let path = self.root.as_ref()?.join(rel);
        let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?.len();
        (size <= MANIFEST_LIMIT).then(|| std::fs::read_to_string(path).ok()).flatten()
    }
}

/// No manifest that matters here is larger; 4 MiB.
const MANIFEST_LIMIT: u64 = 4 * 1024 * 1024;
