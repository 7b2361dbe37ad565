//! Which files of a corpus are in a language, and which of them are labelled.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use explore::{Input, dispatch::dispatch};
use record::digest::sha256;

/// A file of a corpus with its explorer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOf {
    /// The path, relative to the root, with `/`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
}

/// The files of a corpus cannot be listed.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be listed: {source}", path.display())]
pub struct SelectError {
    path: PathBuf,
    source: io::Error,
}

/// The regular files of a materialised corpus, sorted by path. Files whose names are not Unicode or
/// hold a line break are left out, because an oracle cannot be asked about them.
///
/// # Errors
/// A folder cannot be listed.
pub fn files(root: &Path) -> Result<Vec<FileOf>, SelectError> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |source| SelectError { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            let path = entry.path();
            if kind.is_dir() {
                if path != root.join(".git") {
                    folders.push(path);
                }
                continue;
            }
            let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) else { continue };
            if !kind.is_file() || name.contains(['\n', '\r']) {
                continue;
            }
            let size = entry.metadata().map_err(failed)?.len();
            found.push(FileOf { path: name.to_owned(), size });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Files of a corpus by the explorer that they are dispatched to, in the same order.
pub fn by_language(root: &Path, files: &[FileOf]) -> BTreeMap<String, Vec<FileOf>> {
    let mut found: BTreeMap<String, Vec<FileOf>> = BTreeMap::new();
    for file in files {
        let Ok(input) = Input::open(&file.path, &root.join(&file.path)) else { continue };
        let Ok(dispatched) = dispatch(&input, None) else { continue };
        found.entry(dispatched.explorer.id.clone()).or_default().push(file.clone());
    }
    found
}

/// At most `limit` files of at most `max_bytes` bytes each. They are chosen by the digest of their
/// path, which gives the same choice everywhere and prefers no folder. Sorted by path.
pub fn sample(files: &[FileOf], limit: usize, max_bytes: u64) -> Vec<String> {
    let mut keyed: Vec<(String, &String)> = files
        .iter()
        .filter(|file| file.size <= max_bytes)
        .map(|file| (sha256(&file.path), &file.path))
        .collect();
    keyed.sort();
    keyed.truncate(limit);
    let mut chosen: Vec<String> = keyed.into_iter().map(|(_, path)| path.clone()).collect();
    chosen.sort();
    chosen
}

#[cfg(test)]
mod tests {
    use super::{FileOf, by_language, files, sample};

    #[test]
    fn files_are_found_by_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("a/.git")).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        for (name, text) in [
            ("a/b.py", "x = 1\n"),
            ("a/a.py", "x = 1\n"),
            ("run", "#!/usr/bin/env python3\n"),
            (".git/c.py", "x = 1\n"),
            ("d.rs", "fn main() {}\n"),
        ] {
            std::fs::write(root.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("b.py", root.join("a/link.py")).unwrap();
        let found = by_language(root, &files(root).unwrap());
        let names: Vec<_> = found["python"].iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["a/a.py", "a/b.py", "run"]);
        assert_eq!(found["rust"].len(), 1);
    }

    #[test]
    fn the_sample_is_bounded_sorted_and_does_not_depend_on_the_order() {
        let file = |number: u64| FileOf { path: format!("f{number}"), size: number };
        let mut files: Vec<FileOf> = (0..100).map(file).collect();
        let chosen = sample(&files, 10, 90);
        files.reverse();
        assert_eq!(sample(&files, 10, 90), chosen);
        assert_eq!((chosen.len(), chosen.is_sorted()), (10, true));
        assert!(!sample(&files, 100, 90).contains(&"f91".to_owned()));
    }
}
