//! The file universe: the files that a map may show.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use base::text::{folder::Folder, open, paths, visible::path as shown};
use rayon::prelude::*;
use serde::Serialize;

use super::{
    committed::Committed,
    git::{GitError, Repository},
    ignore::{IgnoreError, IgnoreFile},
    listing::Listing,
    resolve::Resolver,
    walk,
};
use crate::Skipped;

/// Number of files that are looked up one after the other, with one look at each of their directories.
const LOOKED_UP_AT_ONCE: usize = 512;

/// Where the list of files came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSource {
    /// HEAD's blobs and the index, filtered by subtree and ignore file.
    GitTrackedFiltered,
    /// No work tree: the chat files themselves.
    InchatFallback,
    /// No work tree: all files of the directory that no ignore file excludes. Only in the
    /// enhancement profile.
    WalkerFallback,
}

/// Which part of a work tree belongs to the universe.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Only files below the given directory.
    pub subtree_only: bool,
    /// The ignore file; `.aiderignore` in the root if absent.
    pub ignore_file: Option<PathBuf>,
    /// Patterns of files to leave out, in the syntax of an ignore file and relative to the root.
    pub excluded: Vec<String>,
}

/// One file of the universe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoFile {
    /// Path with symbolic links resolved, relative to the root; may start with `../`.
    pub rel: String,
    /// Absolute resolved path.
    pub abs: String,
    /// True if the path is that of a regular file below the root now. Nothing else is opened.
    pub is_file: bool,
}

impl RepoFile {
    /// True if a link or `../` led outside the root.
    pub fn is_outside(&self) -> bool {
        self.rel == ".." || self.rel.starts_with("../")
    }
}

/// The files of a repository.
#[derive(Debug)]
pub struct Universe {
    /// Absolute resolved root.
    pub root: PathBuf,
    /// The root, opened so that no file outside it can be read.
    pub folder: Arc<Folder>,
    /// Where the list of files came from.
    pub source: FileSource,
    /// Names as git lists them, relative to the root and sorted.
    pub listed: Vec<String>,
    /// The resolved files, by absolute path.
    pub files: BTreeMap<String, Arc<RepoFile>>,
    /// Paths that were left out, with the reason.
    pub skipped: Vec<Skipped>,
    /// HEAD's tree; empty without git or a commit.
    pub committed: Committed,
    ignore: Option<IgnoreFile>,
    excluded: Option<IgnoreFile>,
    subtree: Option<String>,
    /// The repository, to ask git about; `None` without git.
    repository: Option<Repository>,
}

/// Why there is no universe.
#[derive(Debug, thiserror::Error)]
pub enum UniverseError {
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The ignore file cannot be used.
    #[error(transparent)]
    Ignore(#[from] IgnoreError),
    /// The directory cannot be opened.
    #[error("{} cannot be opened: {error}", shown(path))]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

impl Universe {
    /// Lists the work tree around a directory.
    pub fn of_work_tree(dir: &Path, scope: &Scope) -> Result<Self, UniverseError> {
        Self::of_listing(Listing::of(dir)?, scope)
    }

    /// Looks up the files that git has listed.
    pub fn of_listing(listing: Listing, scope: &Scope) -> Result<Self, UniverseError> {
        let Listing { dir, repository, tracked, committed } = listing;
        let root = repository.root().to_owned();
        let subtree = scope
            .subtree_only
            .then(|| paths::relative(&dir.to_string_lossy(), &root.to_string_lossy()));
        let folder = folder(&root)?;
        let mut universe = Self {
            ignore: ignore_file(&folder, scope)?,
            excluded: IgnoreFile::of(&scope.excluded)?,
            folder,
            subtree,
            repository: Some(repository),
            root,
            source: FileSource::GitTrackedFiltered,
            listed: Vec::new(),
            files: BTreeMap::new(),
            skipped: Vec::new(),
            committed,
        };
        for path in tracked {
            match String::from_utf8(path) {
                Ok(path) if !paths::is_inside(&path) => {
                    let why = "is no path that git can check out";
                    universe.skipped.push(Skipped::new(&path, why));
                }
                Ok(path) if universe.counts(&path) => universe.listed.push(path),
                Ok(_) => {}
                Err(error) => universe.skipped.push(Skipped::unnameable(error.as_bytes())),
            }
        }
        universe.listed.sort_unstable();
        universe.files = universe.look_up(&universe.listed);
        Ok(universe)
    }

    /// The universe of a directory without git: the chat files, given relative to it.
    pub fn of_chat_files(dir: &Path, chat: &[String]) -> Result<Self, UniverseError> {
        let dir = canonical(dir)?;
        let mut resolver = Resolver::default();
        let files: Vec<_> = chat.iter().map(|path| resolver.resolve(&dir.join(path))).collect();
        let root = common_root(files.iter().map(|file| file.path.as_path())).unwrap_or(dir);
        let mut universe = Self {
            folder: folder(&root)?,
            root,
            source: FileSource::InchatFallback,
            listed: Vec::new(),
            files: BTreeMap::new(),
            skipped: Vec::new(),
            committed: Committed::default(),
            ignore: None,
            excluded: None,
            subtree: None,
            repository: None,
        };
        for resolved in files {
            let file = universe.named(&resolved.path, resolved.is_file);
            universe.listed.push(file.rel.clone());
            universe.files.insert(file.abs.clone(), file.into());
        }
        universe.listed.sort_unstable();
        universe.listed.dedup();
        Ok(universe)
    }

    /// The universe of a directory without git in the enhancement profile: the files below it,
    /// without hidden files and those that `.gitignore` and `.ignore` files in it exclude.
    /// Configuration outside the directory is ignored. Links are listed but not entered.
    pub fn of_directory(dir: &Path, scope: &Scope) -> Result<Self, UniverseError> {
        let dir = canonical(dir)?;
        std::fs::read_dir(&dir)
            .map_err(|error| UniverseError::Directory { path: dir.clone(), error })?;
        let folder = folder(&dir)?;
        let mut universe = Self {
            ignore: ignore_file(&folder, scope)?,
            excluded: IgnoreFile::of(&scope.excluded)?,
            folder,
            subtree: None,
            repository: None,
            root: dir,
            source: FileSource::WalkerFallback,
            listed: Vec::new(),
            files: BTreeMap::new(),
            skipped: Vec::new(),
            committed: Committed::default(),
        };
        let (found, skipped) = walk::files(&universe.folder);
        universe.skipped = skipped;
        universe.listed = found.into_iter().filter(|path| universe.counts(path)).collect();
        universe.listed.sort_unstable();
        universe.files = universe.look_up(&universe.listed);
        Ok(universe)
    }

    /// The files at some paths relative to the root, by absolute path.
    fn look_up(&self, listed: &[String]) -> BTreeMap<String, Arc<RepoFile>> {
        let of_some = |paths: &[String]| {
            let mut resolver = Resolver::below(&self.root);
            let named = paths.iter().map(|path| {
                let file = self.file(&mut resolver, path);
                (file.abs.clone(), file.into())
            });
            named.collect::<Vec<_>>()
        };
        let parts: Vec<_> = listed.par_chunks(LOOKED_UP_AT_ONCE).map(of_some).collect();
        parts.into_iter().flatten().collect()
    }

    /// Resolves a path that is relative to the root.
    pub fn resolve(&self, path: &str) -> RepoFile {
        self.file(&mut Resolver::below(&self.root), path)
    }

    /// True if the subtree, the ignore file and the excluded patterns all allow a listed path.
    pub fn counts(&self, path: &str) -> bool {
        let in_subtree = self.subtree.as_deref().is_none_or(|subtree| {
            subtree == "."
                || path == subtree
                || path.strip_prefix(subtree).is_some_and(|rest| rest.starts_with('/'))
        });
        let excludes = |patterns: &IgnoreFile| patterns.excludes(path);
        in_subtree
            && !self.ignore.as_ref().is_some_and(excludes)
            && !self.excluded.as_ref().is_some_and(excludes)
    }

    /// The given paths that git ignores.
    pub fn git_ignored(&self, paths: &[String]) -> Result<Vec<String>, GitError> {
        self.repository.as_ref().map_or_else(|| Ok(Vec::new()), |git| git.ignored(paths))
    }

    fn file(&self, resolver: &mut Resolver, path: &str) -> RepoFile {
        let resolved = resolver.resolve(&self.root.join(path));
        self.named(&resolved.path, resolved.is_file)
    }

    fn named(&self, path: &Path, is_file: bool) -> RepoFile {
        let abs = path.to_string_lossy().into_owned();
        let rel = paths::relative(&abs, &self.root.to_string_lossy());
        RepoFile { rel, abs, is_file }
    }
}

pub(super) fn canonical(path: &Path) -> Result<PathBuf, UniverseError> {
    path.canonicalize().map_err(|error| UniverseError::Directory { path: path.to_owned(), error })
}

pub(super) fn folder(root: &Path) -> Result<Arc<Folder>, UniverseError> {
    Folder::open(root)
        .map(Arc::new)
        .map_err(|error| UniverseError::Directory { path: root.to_owned(), error })
}

/// The ignore file that the user names, which may be anywhere, or that of the repository, which
/// must not lead out of it.
fn ignore_file(folder: &Folder, scope: &Scope) -> Result<Option<IgnoreFile>, IgnoreError> {
    match &scope.ignore_file {
        Some(path) => IgnoreFile::load(&folder.path().join(path), open::bytes),
        None => IgnoreFile::load(&folder.path().join(".aiderignore"), |path, cap| {
            folder.bytes(path, cap)
        }),
    }
}

/// The deepest directory that contains all files; for a single file, its directory.
fn common_root<'a>(mut files: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    let mut root = files.next()?.parent()?.to_owned();
    for file in files {
        while !file.starts_with(&root) {
            root = root.parent()?.to_owned();
        }
    }
    Some(root)
}
