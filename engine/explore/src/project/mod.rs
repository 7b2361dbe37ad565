//! The project around a file: what of its imports is local.
//!
//! Facts of one ecosystem stand in a file of its name; they are read on first use and once.

mod go;
mod python;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

/// The project, or nothing known of it.
#[derive(Debug, Default)]
pub struct Project {
    root: Option<PathBuf>,
    python: OnceLock<BTreeSet<String>>,
    go: Mutex<BTreeMap<PathBuf, Option<String>>>,
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

    /// A file's path below the root: the file is named as it is found from here, or relative to
    /// the root.
    pub fn inside(&self, file: &str) -> Option<PathBuf> {
        let root = std::path::absolute(self.root.as_ref()?).ok()?;
        let absolute = std::path::absolute(file).ok()?;
        if let Ok(inside) = absolute.strip_prefix(&root) {
            return Some(inside.to_owned());
        }
        let real = |path: &Path| path.canonicalize().ok();
        let inside = real(&absolute)
            .zip(real(&root))
            .and_then(|(file, root)| file.strip_prefix(root).ok().map(Path::to_owned));
        inside.or_else(|| Path::new(file).is_relative().then(|| PathBuf::from(file)))
    }

    /// Whether a path below the root exists.
    pub fn has(&self, rel: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.join(rel).exists())
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
