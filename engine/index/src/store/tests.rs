#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
};

use rusqlite::Connection;

use super::{FILE, LONG_LOG, Lock, Store, StoreError, VERSION, Waiting};

type Damage<'a> = &'a dyn Fn(&mut Vec<u8>);

/// Writes a row into the store.
fn add(store: &mut Store, path: &str) -> Result<(), StoreError> {
    store.write(Waiting::None, |store| {
        store.execute("INSERT INTO root (path, used) VALUES (?, 1)", [path.as_bytes()]).map(drop)
    })
}

fn roots(store: &Store) -> Vec<Vec<u8>> {
    let mut statement = store.reader().prepare("SELECT path FROM root ORDER BY path").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn opened(folder: &Path) -> Store {
    let (store, notice) = Store::open(folder);
    assert_eq!(notice, None);
    assert!(!store.is_in_memory());
    store
}

#[test]
fn what_is_written_is_there_when_it_is_opened_again_and_for_those_that_read_already() {
    let place = tempfile::tempdir().unwrap();
    let mut store = opened(place.path());
    let reader = opened(place.path());
    add(&mut store, "a").unwrap();
    assert_eq!(roots(&store), [b"a"]);
    assert_eq!(roots(&reader), [b"a"]);
    assert_eq!(roots(&opened(place.path())), [b"a"]);
}

#[test]
fn a_long_log_is_emptied_as_soon_as_nobody_reads_it() {
    let place = tempfile::tempdir().unwrap();
    let log = || fs::metadata(place.path().join(format!("{FILE}-wal"))).unwrap().len();
    let long = "a".repeat(2 * LONG_LOG as usize);
    add(&mut opened(place.path()), &long).unwrap();
    assert_eq!(log(), 0);
    // What a short one holds stays there.
    add(&mut opened(place.path()), "b").unwrap();
    let short = log();
    assert!(0 < short && short < LONG_LOG, "{short}");

    let reader = opened(place.path());
    let mut statement = reader.reader().prepare("SELECT path FROM root").unwrap();
    let mut rows = statement.query([]).unwrap();
    assert!(rows.next().unwrap().is_some());
    let longer = "c".repeat(2 * LONG_LOG as usize);
    add(&mut opened(place.path()), &longer).unwrap();
    assert!(log() > LONG_LOG);
    drop(rows);
    add(&mut opened(place.path()), "d").unwrap();
    assert_eq!(log(), 0);
    let found = roots(&opened(place.path()));
    assert_eq!(found, [long.as_bytes(), b"b", longer.as_bytes(), b"d"]);
}

#[test]
fn the_folder_is_for_its_owner_alone_even_if_it_was_open_before() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("made/here");
    opened(&folder);
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    opened(&folder);
    assert_eq!(mode(&folder), 0o700);
    let link = place.path().join("link");
    symlink(&folder, &link).unwrap();
    let (store, notice) = Store::open(&link);
    assert!(store.is_in_memory() && notice.unwrap().contains("is not used"));
}

#[test]
fn a_busy_store_is_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let mut store = opened(place.path());
    add(&mut store, "a").unwrap();
    let lock = Lock::take(place.path(), Waiting::None).unwrap();
    assert!(matches!(add(&mut store, "b"), Err(StoreError::Busy)));
    assert_eq!(roots(&opened(place.path())), [b"a"], "one can read meanwhile");
    drop(lock);
    add(&mut store, "b").unwrap();
    assert_eq!(roots(&store), [b"a", b"b"]);
}

#[test]
fn a_damaged_store_is_made_anew_and_that_is_said() {
    let place = tempfile::tempdir().unwrap();
    let mut store = opened(place.path());
    for number in 0..2000 {
        if number % 500 == 0 {
            add(&mut store, &format!("{number}{}", "x".repeat(4000))).unwrap();
        }
    }
    drop(store);
    let file = place.path().join(FILE);
    let whole = fs::read(&file).unwrap();
    let damages: [Damage; 3] =
        [&|bytes| bytes.truncate(bytes.len() / 2), &|bytes| bytes[..100].fill(b'x'), &|bytes| {
            bytes[100..4096].fill(0xee);
        }];
    for (number, damage) in damages.iter().enumerate() {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&file, bytes).unwrap();
        for log in ["-wal", "-shm"] {
            drop(fs::remove_file(place.path().join(format!("{FILE}{log}"))));
        }
        let (mut store, notice) = Store::open(place.path());
        // Some damage shows only when the rows are read.
        let notice = notice.or_else(|| {
            let read = store
                .reader()
                .query_row("SELECT sum(used) FROM root", [], |row| row.get::<_, i64>(0));
            store.reopen_damaged(read.unwrap_err())
        });
        assert!(notice.unwrap().contains("made anew"), "{number}");
        assert!(!store.is_in_memory(), "{number}");
        assert!(roots(&store).is_empty(), "{number}");
        add(&mut store, "new").unwrap();
        drop(store);
        assert_eq!(roots(&opened(place.path())), [b"new"], "{number}");
    }
}

#[test]
fn an_empty_file_becomes_a_store() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(FILE), "").unwrap();
    assert!(roots(&opened(place.path())).is_empty());
}

#[test]
fn a_store_of_a_newer_version_is_not_touched() {
    let place = tempfile::tempdir().unwrap();
    let mut store = opened(place.path());
    add(&mut store, "a").unwrap();
    drop(store);
    let file = place.path().join(FILE);
    let newer = Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", VERSION + 1).unwrap();
    drop(newer);
    let before = fs::read(&file).unwrap();
    let (store, notice) = Store::open(place.path());
    assert!(store.is_in_memory());
    let said = format!("it has version {}", VERSION + 1);
    assert!(notice.unwrap().contains(&said));
    drop(store);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_folder_that_cannot_be_made_costs_nothing_but_the_store() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "").unwrap();
    let (mut store, notice) = Store::open(&place.path().join("file/index"));
    assert!(store.is_in_memory() && notice.is_some());
    add(&mut store, "a").unwrap();
    assert_eq!(roots(&store), [b"a"]);
}
