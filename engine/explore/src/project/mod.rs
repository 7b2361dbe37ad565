//! The project around a file, which decides which of its imports are local.
//!
//! Each ecosystem has a file of its name; its facts are read once, on first use.

mod c;
pub(crate) mod cargo;
mod composer;
mod dotnet;
mod files;
mod go;
mod lua;
mod python;
mod ruby;
mod swift;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

use base::text::folder::Folder;

/// The project around a file, which may be unknown: then only the form of an import can make it
/// local.
///
/// Each fact is read once, on first use; files that cannot be read count as missing.
#[derive(Debug, Default)]
pub struct Project {
    root: Option<PathBuf>,
    /// The root, opened so that nothing outside it can be read; `None` if it cannot be opened.
    folder: OnceLock<Option<Folder>>,
    python: OnceLock<BTreeSet<String>>,
    swift: OnceLock<BTreeSet<String>>,
    cargo: OnceLock<cargo::Cargo>,
    files: OnceLock<files::Files>,
    go: Mutex<BTreeMap<PathBuf, Option<String>>>,
    dotnet: OnceLock<BTreeSet<String>>,
    headers: OnceLock<BTreeMap<String, Vec<String>>>,
}

impl Project {
    /// A project with a root folder. Nothing is read yet.
    pub fn at(root: &Path) -> Self {
        Self { root: Some(root.to_owned()), ..Self::default() }
    }

    /// The project of a file: the nearest folder above it that contains `.git`; unknown if there is
    /// none.
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

    /// The root folder, as given; `None` if it is not known.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// A file's path below the root. `file` is relative to the working directory or to the root.
    pub(crate) fn inside(&self, file: &str) -> Option<PathBuf> {
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

    /// The root, opened so that nothing outside it can be read.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        let open = || self.root.as_ref().and_then(|root| Folder::open(root).ok());
        self.folder.get_or_init(open).as_ref()
    }

    /// Whether a path exists and its target is below the root.
    pub(crate) fn has(&self, rel: &str) -> bool {
        self.root.as_ref().is_some_and(|root| root.join(rel).exists())
            && self.folder().is_some_and(|folder| folder.find(Path::new(rel)).is_ok())
    }

    /// The text of a small file below the root, such as a manifest.
    pub(crate) fn read(&self, rel: &str) -> Option<String> {
        let bytes = self.folder()?.bytes(Path::new(rel), MANIFEST_LIMIT).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// A file's path relative to the root, if the file is below it. `file` is absolute, or relative
    /// to the root or to the working directory.
    pub(crate) fn relative(&self, file: &str) -> Option<String> {
        let root = self.root.as_ref()?;
        let path = Path::new(file);
        if path.is_relative() && root.join(path).is_file() {
            return Some(file.trim_start_matches("./").to_owned());
        }
        let (root, path) = (std::path::absolute(root).ok()?, std::path::absolute(path).ok()?);
        let below = path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
        Some(below)
    }

    /// All files with a name below the root, as sorted paths relative to it. Folders that are
    /// hidden, or that were created by a package manager or a build, are left out.
    pub(crate) fn find(&self, name: &str) -> Vec<String> {
        self.find_by(|base| base == name)
    }

    /// All files below the root whose names match, as in [`Project::find`].
    pub(crate) fn find_by(&self, fits: impl Fn(&str) -> bool) -> Vec<String> {
        let Some(root) = &self.root else { return Vec::new() };
        let mut found = Vec::new();
        let mut open = vec![String::new()];
        let mut seen = 0_usize;
        while let Some(folder) = open.pop() {
            let Ok(entries) = std::fs::read_dir(root.join(&folder)) else { continue };
            for entry in entries.flatten() {
                seen += 1;
                let base = entry.file_name().to_string_lossy().into_owned();
                let path =
                    if folder.is_empty() { base.clone() } else { format!("{folder}/{base}") };
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => {
                        let left_out = base.starts_with('.')
                            || matches!(base.as_str(), "node_modules" | "target");
                        if !left_out && seen < ENTRY_LIMIT {
                            open.push(path);
                        }
                    }
                    Ok(kind) if kind.is_file() && fits(&base) => found.push(path),
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }

    /// Namespaces of the .NET projects.
    pub(crate) fn dotnet(&self) -> &BTreeSet<String> {
        self.dotnet.get_or_init(|| dotnet::namespaces(self))
    }

    /// The facts from Cargo's manifests.
    pub(crate) fn cargo(&self) -> &cargo::Cargo {
        self.cargo.get_or_init(|| cargo::Cargo::read(self))
    }
}

/// Size of the largest manifest that is read, 4 MiB.
const MANIFEST_LIMIT: u64 = 4 * 1024 * 1024;

/// Maximum number of entries of a tree that are searched.
const ENTRY_LIMIT: usize = 500_000;
