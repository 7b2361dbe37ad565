//! A corpus appears complete or not at all, and a complete one is never made again.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{Stamp, Store};
use crate::corpus::{
    Row,
    fetch::client::ClientError,
    fixture::{names, sample_archive, sample_row, store},
    progress::Silent,
    tree,
};

/// A store whose registry cannot be reached.
fn offline(cache: &std::path::Path) -> Store {
    Store::with_download(cache, |_, _, _| {
        Err(ClientError::Missing { client: "none", install: "there is no network here" })
    })
}

#[test]
fn a_complete_corpus_needs_nothing_any_more() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let first = store(cache.path(), sample_archive()).ensure(&row, &mut Silent).unwrap();
    assert_eq!(first.commit, row.commit);
    assert_eq!(first.tree_sha256, row.filtered_tree_sha256);
    first.verify_unchanged().unwrap();
    assert!(names(&cache.path().join("tmp")).is_empty());
    fs::remove_dir_all(cache.path().join("artifacts")).unwrap();
    let second = offline(cache.path()).ensure(&row, &mut Silent).unwrap();
    assert_eq!(first, second);
    let ids: Vec<&str> = first.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["none", "chat", "message"]);
}

#[test]
fn a_complete_corpus_that_was_edited_is_refused_whatever_its_stamp_says() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let store = store(cache.path(), sample_archive());
    let made = store.ensure(&row, &mut Silent).unwrap();
    let file = made.path.join("a.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&file, "two\r\n").unwrap();
    let error = store.ensure(&row, &mut Silent).unwrap_err();
    assert_eq!(error.exit_code(), 21);
    assert!(error.to_string().contains("delete that folder"), "{error}");
    // A stamp that calls the edited files complete is not the stamp of this row, so the repository is
    // made again.
    let stamp = made.path.join(".git/parity.json");
    let tree_sha256 = tree::sha256(&tree::read(&made.path).unwrap());
    let text = fs::read_to_string(&stamp).unwrap();
    fs::write(&stamp, text.replace(&row.filtered_tree_sha256, &tree_sha256)).unwrap();
    store.ensure(&row, &mut Silent).unwrap().verify_unchanged().unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"one\r\n");
}

#[test]
fn a_corpus_that_differs_from_its_lock_does_not_appear() {
    let cache = tempfile::tempdir().unwrap();
    let row = Row { commit: "0".repeat(40), ..sample_row() };
    let error = store(cache.path(), sample_archive()).ensure(&row, &mut Silent).unwrap_err();
    assert_eq!(error.exit_code(), 21);
    assert!(names(&cache.path().join("repos")).is_empty());
    assert!(names(&cache.path().join("tmp")).is_empty());
}

#[test]
fn only_what_cannot_be_had_is_an_absence() {
    let cache = tempfile::tempdir().unwrap();
    let row = Row { required: false, ..sample_row() };
    let gone = Store::with_download(cache.path(), |_, _, _| {
        Err(ClientError::Gone { client: "fake", said: "404".to_owned() })
    });
    let error = gone.ensure(&row, &mut Silent).unwrap_err();
    assert_eq!(error.absence(), Some("its registry does not have it"));
    let tampered = store(cache.path(), b"other bytes".to_vec()).ensure(&row, &mut Silent);
    assert_eq!(tampered.unwrap_err().absence(), None);
    let drifted = Row { commit: "0".repeat(40), ..row };
    let drifted = store(cache.path(), sample_archive()).ensure(&drifted, &mut Silent);
    assert_eq!(drifted.unwrap_err().absence(), None);
}

#[test]
fn leftovers_and_torn_repositories_are_replaced() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let store = store(cache.path(), sample_archive());
    let leftover = cache.path().join("tmp").join(format!("repo-{}", row.sha256)).join("work");
    fs::create_dir_all(&leftover).unwrap();
    fs::write(leftover.join("half"), "x").unwrap();
    let torn = store.path(&row);
    fs::create_dir_all(torn.join(".git")).unwrap();
    fs::write(torn.join(".git/parity.json"), "{ half").unwrap();
    fs::write(torn.join("stray"), "x").unwrap();
    store.ensure(&row, &mut Silent).unwrap().verify_unchanged().unwrap();
    assert!(names(&cache.path().join("tmp")).is_empty());
}

#[test]
fn a_stamp_of_another_row_does_not_count() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let made = store(cache.path(), sample_archive()).ensure(&row, &mut Silent).unwrap();
    assert!(Stamp::read(&made.path, &row.fingerprint()).is_some());
    let other = Row { licence: "other".to_owned(), ..row };
    assert!(Stamp::read(&made.path, &other.fingerprint()).is_none());
}

#[test]
fn a_cache_that_cannot_be_written_is_an_io_error() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    let mut caches = vec![blocked.join("cache")];
    if !rustix::process::geteuid().is_root() {
        let read_only = folder.path().join("read-only");
        fs::create_dir(&read_only).unwrap();
        fs::set_permissions(&read_only, fs::Permissions::from_mode(0o555)).unwrap();
        caches.push(read_only);
    }
    for cache in caches {
        let error = store(&cache, sample_archive()).ensure(&sample_row(), &mut Silent).unwrap_err();
        assert_eq!(error.exit_code(), 74);
        assert!(error.to_string().contains("PARITY_CACHE_DIR"), "{error}");
    }
}

#[test]
fn two_at_once_make_one() {
    let cache = tempfile::tempdir().unwrap();
    let results: Vec<_> = std::thread::scope(|scope| {
        let run = || store(cache.path(), sample_archive()).ensure(&sample_row(), &mut Silent);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    });
    assert!(results.iter().all(|made| *made == results[0]));
    results[0].verify_unchanged().unwrap();
}

#[test]
fn what_a_killed_process_left_is_removed_unless_somebody_works_on_it() {
    let cache = tempfile::tempdir().unwrap();
    let store = offline(cache.path());
    let folder = |name: &str| {
        let path = cache.path().join("tmp").join(name);
        fs::create_dir_all(path.join("work")).unwrap();
        fs::set_permissions(path.join("work"), fs::Permissions::from_mode(0o555)).unwrap();
        path
    };
    let locked = |name: &str| crate::corpus::disk::lock(&cache.path().join("locks").join(name));
    let (left, fetched) = (folder("repo-aa"), folder("fetch-aa"));
    let (tools, busy) = (folder("tools-bb"), folder("authored-x-cc"));
    for lock in ["aa", "tools-bb"] {
        drop(locked(lock).unwrap());
    }
    let _held = locked("authored-x-cc").unwrap();
    store.collect();
    assert!([left, fetched, tools].iter().all(|path| !path.exists()));
    assert!(busy.exists());
}
