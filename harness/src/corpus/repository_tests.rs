//! Every change to a repository or to its copy is found.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, thread::sleep, time::Duration};

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

/// Overwrites `a.txt`, which holds `one` and a DOS line end.
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
            // The size is the same and the time is put back, so only the content differs.
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

/// A repository whose check passed and is remembered, as an attacker would wish it.
fn checked() -> (Materialised, tempfile::TempDir) {
    let (made, cache) = sample();
    sleep(Duration::from_millis(120));
    made.check().unwrap();
    (made, cache)
}

#[test]
fn a_corpus_that_was_edited_after_a_check_is_refused() {
    let changes: [(&str, Change); 12] = [
        ("tree digest", |root| rewrite(root, "one\n")),
        ("tree digest", |root| {
            // The size is the same and the time is put back.
            let file = root.join("a.txt");
            let time = fs::metadata(&file).unwrap().modified().unwrap();
            rewrite(root, "two\r\n");
            fs::File::open(&file).unwrap().set_modified(time).unwrap();
        }),
        ("tree digest", |root| fs::write(root.join("new.py"), "").unwrap()),
        ("tree digest", |root| {
            // Git is told not to compare the file.
            git::run(root, &["update-index", "--skip-worktree", "a.txt"]).unwrap();
            rewrite(root, "one\n");
        }),
        ("git does not look at a file: S a.txt", |root| {
            git::run(root, &["update-index", "--skip-worktree", "a.txt"]).unwrap();
        }),
        ("git does not look at a file: h a.txt", |root| {
            git::run(root, &["update-index", "--assume-unchanged", "a.txt"]).unwrap();
        }),
        (".git/config has another content", |root| {
            git::run(root, &["config", "core.fsmonitor", "/bin/true"]).unwrap();
        }),
        (".git/info/attributes has another content", |root| {
            fs::write(root.join(".git/info/attributes"), "* text\n").unwrap();
        }),
        (".git/hooks/post-index-change does not belong", |root| {
            fs::create_dir(root.join(".git/hooks")).unwrap();
            fs::write(root.join(".git/hooks/post-index-change"), "").unwrap();
        }),
        (".git/objects/info/alternates does not belong", |root| {
            fs::create_dir_all(root.join(".git/objects/info")).unwrap();
            fs::write(root.join(".git/objects/info/alternates"), "/\n").unwrap();
        }),
        ("commit", |root| {
            git::run(root, &["commit", "--quiet", "--allow-empty", "-m", "more"]).unwrap();
        }),
        (".git/refs/replace/", |root| {
            let other = git::run(root, &["commit-tree", "HEAD^{tree}", "-m", "x"]).unwrap();
            git::run(root, &["replace", "HEAD", other.trim()]).unwrap();
        }),
    ];
    let mut wrong = Vec::new();
    for (found, change) in changes {
        let (made, _cache) = checked();
        change(&made.path);
        match made.check() {
            Err(error) if error.exit_code() == 21 && error.to_string().contains(found) => {}
            other => wrong.push(format!("{found}: {other:?}")),
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_damaged_object_is_found() {
    let (made, _cache) = checked();
    let id = git::run(&made.path, &["rev-parse", "HEAD:a.txt"]).unwrap();
    let (folder, file) = id.trim().split_at(2);
    let object = made.path.join(".git/objects").join(folder).join(file);
    let other = git::run(&made.path, &["rev-parse", "HEAD:bin/run"]).unwrap();
    let (folder, file) = other.trim().split_at(2);
    disk::set_mode(&object, 0o644).unwrap();
    fs::copy(made.path.join(".git/objects").join(folder).join(file), &object).unwrap();
    let error = made.check().unwrap_err();
    assert!(error.to_string().contains("fsck"), "{error}");
}

#[test]
fn other_times_lead_to_a_full_check_and_no_more() {
    let (made, _cache) = checked();
    let file = fs::File::open(made.path.join("a.txt")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    sleep(Duration::from_millis(120));
    made.check().unwrap();
    // The bytes are not read again, or a wrong digest would be noticed.
    Materialised { tree_sha256: "0".repeat(64), ..made.clone() }.check().unwrap();
    crate::corpus::seen::Seen::of(&made.path).forget();
    Materialised { tree_sha256: "0".repeat(64), ..made }.check().unwrap_err();
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
