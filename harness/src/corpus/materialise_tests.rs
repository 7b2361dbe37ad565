//! The repository has exactly the bytes of the artifact, and every locked value is compared.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{MaterialiseError, Measured, build};
use crate::corpus::{
    fixture::{names, sample_archive, sample_row},
    git,
    lock::{PathFilter, Row},
};

fn measured(row: &Row) -> (Measured, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    fs::write(&archive, sample_archive()).unwrap();
    let work = folder.path().join("work");
    fs::create_dir(&work).unwrap();
    (build(row, &archive, &work).unwrap(), folder)
}

#[test]
fn the_commit_is_the_one_that_plumbing_gives() {
    let row = sample_row();
    let (measured, folder) = measured(&row);
    measured.check(&row).unwrap();
    let work = folder.path().join("work");
    assert_eq!(names(&work), [".git", ".gitattributes", "a.txt", "bin", "link"]);
    assert_eq!(fs::read(work.join("a.txt")).unwrap(), b"one\r\n");
    assert_eq!(git::run(&work, &["cat-file", "blob", "HEAD:a.txt"]).unwrap(), "one\r\n");
    assert_eq!(git::status(&work).unwrap(), "");
    let mode = |path: &str| fs::metadata(work.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a.txt"), mode("bin/run")), (0o444, 0o555));
}

#[test]
fn a_path_filter_keeps_folders_files_and_drops_extensions() {
    let only = vec!["bin/".to_owned(), "a.txt".to_owned()];
    let filter = PathFilter { only, exclude: vec!["*.txt".to_owned()] };
    let row = Row { path_filter: filter, ..sample_row() };
    let (measured, folder) = measured(&row);
    assert_eq!(names(&folder.path().join("work")), [".git", "bin"]);
    assert_eq!(measured.filtered_files, 1);
    assert_eq!(measured.removed, Vec::<String>::new());
}

#[test]
fn every_locked_value_is_compared() {
    let row = sample_row();
    let (measured, _folder) = measured(&row);
    let wrong = [
        Row { tree_sha256: "0".repeat(64), ..row.clone() },
        Row { removed: Vec::new(), ..row.clone() },
        Row { filtered_files: 5, ..row.clone() },
        Row { filtered_tree_sha256: "0".repeat(64), ..row.clone() },
        Row { commit: "0".repeat(40), ..row.clone() },
    ];
    for (row, field) in wrong.iter().zip([
        "tree_sha256",
        "removed",
        "filtered_files",
        "filtered_tree_sha256",
        "commit",
    ]) {
        let error = measured.check(row).unwrap_err();
        assert_eq!(error.exit_code(), 21);
        assert!(matches!(error, MaterialiseError::Mismatch { what, .. } if what == field));
    }
}
