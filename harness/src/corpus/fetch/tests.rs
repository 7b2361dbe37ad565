//! What a download leaves behind, in success and in every kind of failure.

use std::{
    cell::Cell,
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use super::{Download, FetchError, artifact};
use crate::corpus::{
    fetch::client::ClientError,
    fixture::{deliver, names, sample_archive, sample_row},
};

fn nothing_left(cache: &Path) {
    assert!(names(&cache.join("tmp")).is_empty());
    assert!(names(&cache.join("artifacts")).is_empty());
}

fn unreachable() -> ClientError {
    ClientError::Unreachable { client: "fake", said: "no route".to_owned() }
}

#[test]
fn an_artifact_is_stored_under_its_digest_and_not_fetched_again() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let first: &Download = &|row, _, into| deliver(row, into, &sample_archive());
    let path = artifact(cache.path(), &row, first).unwrap();
    assert_eq!(fs::read(&path).unwrap(), sample_archive());
    assert!(path.ends_with(format!("artifacts/{}/sample-1.0.0.tar.gz", row.sha256)));
    let second: &Download = &|_, _, _| panic!("fetched again");
    assert_eq!(artifact(cache.path(), &row, second).unwrap(), path);
}

#[test]
fn a_wrong_digest_is_named_and_nothing_is_kept() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let tampered: &Download = &|row, _, into| deliver(row, into, b"something else");
    let error = artifact(cache.path(), &row, tampered).unwrap_err();
    assert_eq!(error.exit_code(), 21);
    let text = error.to_string();
    assert!(text.contains(&row.sha256) && text.contains("sample-1.0.0.tar.gz"), "{text}");
    // SHA-256 of "something else", from coreutils.
    assert!(
        text.contains("f41f3fa625ff120ddca7ef456bf66371ecea23c129f4e4c32367101edb516cf8"),
        "{text}"
    );
    nothing_left(cache.path());
}

#[test]
fn a_wrong_size_is_a_mismatch_too() {
    let cache = tempfile::tempdir().unwrap();
    let row = crate::corpus::Row { size: 1, ..sample_row() };
    let download: &Download = &|row, _, into| deliver(row, into, &sample_archive());
    let error = artifact(cache.path(), &row, download).unwrap_err();
    assert!(matches!(error, FetchError::Mismatch { what: "size", .. }));
    nothing_left(cache.path());
}

#[test]
fn a_truncated_download_is_a_mismatch() {
    let cache = tempfile::tempdir().unwrap();
    let half: &Download = &|row, _, into| {
        let whole = sample_archive();
        deliver(row, into, &whole[..whole.len() / 2])
    };
    assert_eq!(artifact(cache.path(), &sample_row(), half).unwrap_err().exit_code(), 21);
    nothing_left(cache.path());
}

#[test]
fn leftovers_of_an_interrupted_run_go() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let leftover = cache.path().join("tmp").join(format!("fetch-{}", row.sha256));
    fs::create_dir_all(leftover.join("npm-cache")).unwrap();
    fs::write(leftover.join(&row.artifact), "half").unwrap();
    let download: &Download = &|row, _, into| {
        assert!(names(into).is_empty(), "the folder of a download is empty");
        deliver(row, into, &sample_archive())
    };
    artifact(cache.path(), &row, download).unwrap();
    assert!(names(&cache.path().join("tmp")).is_empty());
}

#[test]
fn a_damaged_artifact_is_fetched_again() {
    let cache = tempfile::tempdir().unwrap();
    let row = sample_row();
    let download: &Download = &|row, _, into| deliver(row, into, &sample_archive());
    let path = artifact(cache.path(), &row, download).unwrap();
    fs::write(&path, "rotten").unwrap();
    artifact(cache.path(), &row, download).unwrap();
    assert_eq!(fs::read(&path).unwrap(), sample_archive());
}

#[test]
fn network_trouble_is_tried_three_times() {
    let cache = tempfile::tempdir().unwrap();
    let tries = AtomicU32::new(0);
    let download = move |_: &_, _: &Path, _: &Path| {
        let tried = tries.fetch_add(1, Ordering::Relaxed) + 1;
        assert!(tried <= 3, "tried {tried} times");
        Err(unreachable())
    };
    let error = artifact(cache.path(), &sample_row(), &download).unwrap_err();
    assert_eq!(error.exit_code(), 20);
    assert!(error.to_string().contains("check the network"), "{error}");
    nothing_left(cache.path());
}

#[test]
fn an_optional_corpus_is_not_waited_for() {
    let cache = tempfile::tempdir().unwrap();
    let tries = AtomicU32::new(0);
    let download = move |_: &_, _: &Path, _: &Path| {
        assert_eq!(tries.fetch_add(1, Ordering::Relaxed), 0, "tried again");
        Err(unreachable())
    };
    let row = crate::corpus::Row { required: false, ..sample_row() };
    assert_eq!(artifact(cache.path(), &row, &download).unwrap_err().exit_code(), 20);
}

#[test]
fn a_second_try_may_succeed() {
    let cache = tempfile::tempdir().unwrap();
    let tries = AtomicU32::new(0);
    let download = move |row: &_, _: &Path, into: &Path| match tries.fetch_add(1, Ordering::Relaxed)
    {
        0 => Err(unreachable()),
        _ => deliver(row, into, &sample_archive()),
    };
    artifact(cache.path(), &sample_row(), &download).unwrap();
}

#[test]
fn a_missing_client_is_not_tried_again() {
    thread_local!(static TRIES: Cell<u32> = const { Cell::new(0) });
    let cache = tempfile::tempdir().unwrap();
    let download: &Download = &|_, _, _| {
        TRIES.set(TRIES.get() + 1);
        Err(ClientError::Missing { client: "npm", install: "install it" })
    };
    let error = artifact(cache.path(), &sample_row(), download).unwrap_err();
    assert_eq!((error.exit_code(), TRIES.get()), (20, 1));
    assert!(error.to_string().contains("corpus `sample`: `npm` is not installed"), "{error}");
    nothing_left(cache.path());
}
