//! A root that is watched is read again after every change.

use std::{fs, path::Path, sync::mpsc, thread, time::Duration};

use index::{Settings, watch};

/// Far more than a change takes, on a machine that does much else.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn every_change_is_told() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    let write = |name: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, "def f():\n    pass\n").unwrap();
    };
    write("a/one.py");
    let settings = Settings::in_folder(place.path().join("index"));
    let (sender, told) = mpsc::channel();
    thread::scope(|scope| {
        let ended = scope.spawn(|| {
            watch(&settings, &root, &|_, _| {}, &mut |done| sender.send(done.files).is_ok())
        });
        let until = |files| while told.recv_timeout(PATIENCE).unwrap() != files {};
        until(1);
        write("a/two.py");
        until(2);
        write("new/deep/three.py");
        until(3);
        write("new/four.py");
        until(4);
        fs::rename(root.join("new"), root.join("other")).unwrap();
        write("other/five.py");
        until(5);
        // A folder that is made again under its name.
        fs::remove_dir_all(root.join("a")).unwrap();
        write("a/one.py");
        until(4);
        write("a/two.py");
        until(5);
        fs::remove_file(root.join("a/one.py")).unwrap();
        until(4);
        drop(told);
        write("a/six.py");
        ended.join().unwrap().unwrap();
    });
}

#[test]
fn what_is_written_to_a_store_below_the_root_is_no_change() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    fs::create_dir_all(&root).unwrap();
    let write = |name: &str| fs::write(root.join(name), "def f():\n    pass\n").unwrap();
    write("one.py");
    let settings = Settings::in_folder(root.join("index"));
    let (sender, told) = mpsc::channel();
    let (first, more, second) = thread::scope(|scope| {
        let ended = scope.spawn(|| {
            watch(&settings, &root, &|_, _| {}, &mut |done| sender.send(done.files).is_ok())
        });
        let first = told.recv_timeout(PATIENCE);
        // Ten times as long as a root must be quiet before it is read.
        let more = told.recv_timeout(Duration::from_secs(2));
        write("two.py");
        let second = told.recv_timeout(PATIENCE);
        drop(told);
        write("three.py");
        ended.join().unwrap().unwrap();
        (first, more, second)
    });
    assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
    assert!(more.is_err(), "{more:?}");
}

#[test]
fn a_folder_that_does_not_exist_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let settings = Settings::in_folder(place.path().join("index"));
    let missing = place.path().join("missing");
    assert!(watch(&settings, &missing, &|_, _| {}, &mut |_| true).is_err());
}
