//! What lies below a directory that is no work tree.

use std::{collections::BTreeSet, path::Path};

use ::ignore::WalkBuilder;

/// Paths left out, with the reason.
type Skipped = Vec<(String, String)>;

/// Files and links below a directory, relative to it and sorted, and what was left out.
///
/// Hidden files and those that a `.gitignore` or `.ignore` below the directory excludes are not
/// listed; what is above it, and the user's own configuration, does not count, so that the
/// answer is a function of the directory alone.
pub fn files(dir: &Path) -> (Vec<String>, Skipped) {
    let mut walk = WalkBuilder::new(dir);
    walk.parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .follow_links(false)
        .sort_by_file_name(Ord::cmp);
    let (mut found, mut skipped) = (BTreeSet::new(), Vec::new());
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                skipped.push(unreadable(dir, &error));
                continue;
            }
        };
        if entry.file_type().is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path().strip_prefix(dir).unwrap_or_else(|_| entry.path());
        match path.to_str() {
            Some(path) => drop(found.insert(path.to_owned())),
            None => skipped.push((
                path.to_string_lossy().into_owned(),
                "its name is not valid UTF-8".to_owned(),
            )),
        }
    }
    skipped.sort();
    (found.into_iter().collect(), skipped)
}

/// A directory that cannot be listed, and why, without the machine's own path before it.
fn unreadable(dir: &Path, error: &::ignore::Error) -> (String, String) {
    use ::ignore::Error;
    let (mut path, mut cause) = (None, error);
    loop {
        cause = match cause {
            Error::WithPath { path: at, err } => {
                path = Some(at);
                err
            }
            Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    let path = path.map_or(dir, |path| path.strip_prefix(dir).unwrap_or(path));
    (path.to_string_lossy().into_owned(), format!("cannot be read: {cause}"))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::files;

    #[test]
    fn hidden_and_ignored_files_are_left_out_and_links_are_not_entered() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("src/deep")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for file in ["a.py", "src/b.py", "src/deep/c.py", "src/x.log", ".hidden/d.py", ".e.py"] {
            fs::write(root.join(file), "x = 1\n").unwrap();
        }
        fs::write(root.join("src/.gitignore"), "*.log\n").unwrap();
        symlink("src", root.join("link")).unwrap();
        symlink(".", root.join("src/loop")).unwrap();
        let (found, skipped) = files(root);
        assert_eq!(found, ["a.py", "link", "src/b.py", "src/deep/c.py", "src/loop"]);
        assert!(skipped.is_empty());
    }
}
