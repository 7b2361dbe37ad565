//! The files of a repository as an agent sees them: all existing files except those that git
//! ignores.
//!
//! A map follows the comparator and ranks tracked files only. An agent that works in the repository
//! also needs files that were written a moment ago, and the files of submodules.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use base::text::{folder::Folder, paths};

use super::{
    git::{GitError, Repository},
    ignore::IgnoreFile,
    resolve::Resolver,
    universe::{RepoFile, UniverseError, canonical, folder},
    walk,
};

/// Maximum number of submodules whose files are listed.
const MAX_SUBMODULES: usize = 1000;

/// The existing files of a repository.
#[derive(Debug)]
pub struct Present {
    /// Absolute resolved root.
    pub root: PathBuf,
    /// The root, opened so that no file outside it can be read.
    pub folder: Arc<Folder>,
    /// The regular files below the root, by resolved path, each once.
    pub files: Vec<RepoFile>,
}

/// Lists the work tree around a directory, or the directory itself if it is not in one, without the
/// files that these patterns exclude.
///
/// # Errors
/// Git gives no answer, the directory cannot be entered, or a pattern is not valid.
pub fn present(dir: &Path, excluded: &[String]) -> Result<Present, UniverseError> {
    let dir = canonical(dir)?;
    let excluded = IgnoreFile::of(excluded)?;
    let (root, listed) = match Repository::around(&dir) {
        Ok(repository) => (repository.root().to_owned(), listed(&repository)?),
        Err(GitError::NotARepository(_)) => {
            let (files, _) = walk::files(&folder(&dir)?);
            (dir, files)
        }
        Err(error) => return Err(error.into()),
    };
    let mut resolver = Resolver::below(&root);
    let mut files = Vec::new();
    for path in listed {
        let resolved = resolver.resolve(&root.join(&path));
        if resolved.is_file {
            let abs = resolved.path.to_string_lossy().into_owned();
            let rel = paths::relative(&abs, &root.to_string_lossy());
            files.push(RepoFile { rel, abs, is_file: true });
        }
    }
    files.sort_unstable_by(|one, other| one.rel.cmp(&other.rel));
    files.dedup();
    files.retain(|file| {
        !file.is_outside()
            && !excluded.as_ref().is_some_and(|patterns| patterns.excludes(&file.rel))
    });
    Ok(Present { folder: folder(&root)?, root, files })
}

/// The files of a work tree and of its submodules. Paths that are not UTF-8 are left out.
fn listed(repository: &Repository) -> Result<Vec<String>, GitError> {
    let root = repository.root().to_owned();
    let text = |path: Vec<u8>| String::from_utf8(path).ok().filter(|path| paths::is_inside(path));
    let mut open: Vec<String> = repository.present()?.into_iter().filter_map(text).collect();
    let (mut files, mut entered) = (Vec::new(), 0);
    while let Some(path) = open.pop() {
        let below = root.join(&path);
        if !std::fs::symlink_metadata(&below).is_ok_and(|found| found.is_dir()) {
            files.push(path);
            continue;
        }
        entered += 1;
        // A submodule that cannot be listed counts as empty.
        let Ok(module) = Repository::around(&below) else { continue };
        if module.root() == below && entered <= MAX_SUBMODULES {
            let path = path.trim_end_matches('/');
            let inner = module.present().unwrap_or_default().into_iter().filter_map(text);
            open.extend(inner.map(|inner| format!("{path}/{inner}")));
        }
    }
    Ok(files)
}
