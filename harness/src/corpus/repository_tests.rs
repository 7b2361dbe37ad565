//! Every change to a repository or to its copy is found.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::{Materialised, RepositoryError};
use crate::corpus::{
    disk,
    fixture::{sample_archive, sample_row, store},
    git,
    progress::Silent,
};

fn sample() -> (Materialised, tempfile::TempDir) {
    let cache = tempfile::tempdir().unwrap();
    let made = store(cache.path(), sample_archive()).ensure(&sample_row(), &mut Silent).unwrap();
    (made, cache)
}

/// Something that may happen to a repository.
type Change = fn(&Path);

fn writable(path: &Path) {
    disk::set_mode(path, 0o755).unwrap();
}

/// Gives `a.txt`, which holds `one` and a DOS line end, another content.
fn rewrite(root: &Path, content: &str) {
    let file = root.join("a.txt");
    writable(&file);
    fs::write(&file, content).unwrap();
    disk::set_mode(&file, 0o444).unwrap();
}

#[test]
fn a_changed_time_does_not_matter() {
    let (made, _cache) = sample();
    let file = fs::File::open(made.path.join("a.txt")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    made.verify_unchanged().unwrap();
}

#[test]
fn changes_are_found() {
    let tamper: [(&str, Change); 9] = [
        ("tree digest", |root| {
            // Same size, and the time is put back: only the content tells.
            let file = root.join("a.txt");
            let time = fs::metadata(&file).unwrap().modified().unwrap();
            writable(&file);
            fs::write(&file, "two\r\n").unwrap();
            fs::File::open(&file).unwrap().set_modified(time).unwrap();
            disk::set_mode(&file, 0o444).unwrap();
        }),
        ("tree digest", |root| fs::write(root.join(".aider.tags"), "").unwrap()),
        // Truncated; line ends converted; replaced by a pointer to large-file storage.
        ("tree digest", |root| rewrite(root, "on")),
        ("tree digest", |root| rewrite(root, "one\n")),
        ("tree digest", |root| {
            rewrite(root, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
        }),
        ("tree digest", |root| fs::remove_file(root.join("link")).unwrap()),
        ("git status", |root| disk::set_mode(&root.join("a.txt"), 0o555).unwrap()),
        ("git status", |root| {
            git::run(root, &["rm", "--cached", "--quiet", "a.txt"]).unwrap();
        }),
        ("commit", |root| {
            git::commit_all(root, "another").unwrap();
        }),
    ];
    for (index, (found, change)) in tamper.into_iter().enumerate() {
        let (made, _cache) = sample();
        made.verify_unchanged().unwrap();
        change(&made.path);
        let error = made.verify_unchanged().unwrap_err();
        assert_eq!(error.exit_code(), 21);
        assert!(
            matches!(&error, RepositoryError::Changed { what, .. } if what.contains(found)),
            "change {index}: {error}"
        );
        let copy = tempfile::tempdir().unwrap();
        assert!(made.read_only_copy(&copy.path().join("copy")).is_err(), "change {index}");
        assert!(!copy.path().join("copy").exists(), "a bad copy stayed");
    }
}

#[test]
fn a_copy_is_equal_and_has_no_write_permission() {
    let (made, _cache) = sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy");
    let copy = made.read_only_copy(&path).unwrap();
    for relative in ["", "a.txt", "bin", "bin/run", ".git", ".git/index", ".git/objects"] {
        let mode = fs::metadata(path.join(relative)).unwrap().permissions().mode();
        assert_eq!(mode & 0o222, 0, "{relative}");
    }
    copy.verify_unchanged().unwrap();
    assert_eq!(made.read_only_copy(&path).unwrap_err().exit_code(), 74);
    copy.verify_unchanged().unwrap();
    drop(copy);
    assert!(!path.exists());
}

#[test]
fn a_copy_that_was_written_to_is_found() {
    let (made, _cache) = sample();
    let folder = tempfile::tempdir().unwrap();
    let copy = made.read_only_copy(&folder.path().join("copy")).unwrap();
    writable(copy.path());
    fs::write(copy.path().join("new"), "").unwrap();
    assert_eq!(copy.verify_unchanged().unwrap_err().exit_code(), 21);
    made.verify_unchanged().unwrap();
}
