//! The program `parity-store`: its exit codes, what it prints, and what is left when it is killed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use std::{
    fs,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use hyper::Method;
use record::{Digest, exit, fault};
use serde_json::Value;
use store::Kind;

use support::{ONE, OTHER, Place, key, make_old, server::Fault};

fn run(command: &mut Command) -> (u8, Value, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let code = u8::try_from(status.code().unwrap()).unwrap();
    let printed = serde_json::from_slice(&stdout).unwrap_or(Value::Null);
    (code, printed, String::from_utf8(stderr).unwrap())
}

#[test]
fn every_command_prints_its_result_and_ends_with_its_code() {
    for place in Place::both() {
        let (one, other) = (place.scratch.path().join("one"), place.scratch.path().join("other"));
        fs::write(&one, ONE).unwrap();
        fs::write(&other, OTHER).unwrap();
        let back = place.scratch.path().join("back");
        let run_with = |args: &[&str], file: Option<&std::path::Path>| {
            run(place.program().args(args).args(file).arg("--json"))
        };
        let (code, ..) = run_with(&["verify"], None);
        assert_eq!(code, exit::NOTHING_RAN, "nothing was read, which is no pass");
        let (code, printed, _) = run_with(&["get", "answer", "k"], Some(&back));
        assert_eq!((code, printed["outcome"].as_str()), (exit::NOT_HERE, Some("absent")));
        let (code, printed, _) = run_with(&["put", "answer", "k"], Some(&one));
        assert_eq!((code, printed["outcome"].as_str()), (exit::PASS, Some("stored")));
        assert_eq!(printed["entry"]["sha256"], Digest::of(ONE).as_str());
        let (code, printed, _) = run_with(&["put", "answer", "k"], Some(&one));
        assert_eq!((code, printed["outcome"].as_str()), (exit::PASS, Some("present")));
        let (code, _, said) = run_with(&["put", "answer", "k"], Some(&other));
        assert_eq!(code, exit::DIGEST);
        assert!(said.contains(Digest::of(OTHER).as_str()), "{said}");
        let (code, printed, _) = run_with(&["get", "answer", "k"], Some(&back));
        assert_eq!((code, printed["outcome"].as_str()), (exit::PASS, Some("found")));
        assert_eq!(fs::read(&back).unwrap(), ONE);
        let (code, printed, _) = run_with(&["list"], None);
        assert_eq!((code, printed["entries"][0]["key"].as_str()), (exit::PASS, Some("k")));
        let (code, printed, _) = run_with(&["verify"], None);
        assert_eq!((code, printed["verified"]["objects"].as_u64()), (exit::PASS, Some(1)));
        fs::write(place.files.join("objects/answer").join(Digest::of(ONE).as_str()), OTHER)
            .unwrap();
        let (code, printed, _) = run_with(&["verify"], None);
        assert_eq!(code, exit::DIGEST);
        assert_eq!(printed["verified"]["problems"].as_array().map(Vec::len), Some(1));
        let (code, printed, _) = run_with(&["gc", "--remove", "answer/k"], None);
        assert_eq!((code, printed["collected"]["young"].as_u64()), (exit::PASS, Some(1)));
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let place = Place::folder();
    for args in [
        &["put", "answer", "../k", "f"][..],
        &["put", "thing", "k", "f"],
        &["gc", "--remove", "k"],
        &["gc", "--remove", "thing/k"],
        &["list", "--store", "http://host/x"],
        &["list", "--store", "file://host/x"],
        &["list", "--store", "s3://me@bucket/x"],
        &["list", "--store", "store"],
    ] {
        let (code, _, said) = run(place.program().args(args));
        assert_eq!(code, exit::USAGE, "{args:?}: {said}");
        assert!(!said.is_empty());
    }
}

#[test]
fn a_folder_comes_back_as_it_was() {
    for place in Place::both() {
        let wheels = place.scratch.path().join("wheels");
        fs::create_dir(&wheels).unwrap();
        fs::write(wheels.join("b.whl"), ONE).unwrap();
        fs::write(wheels.join("a.whl"), OTHER).unwrap();
        let put = |key: &str| {
            run(place.program().args(["put", "comparator", key, "--json", "--folder"]).arg(&wheels))
        };
        let (code, first, said) = put("one");
        assert_eq!(code, exit::PASS, "{said}");
        make_old(&wheels.join("a.whl"), 1000);
        assert_eq!(put("two").1["entry"]["sha256"], first["entry"]["sha256"], "times are left out");
        let back = place.scratch.path().join("inner/back");
        let get = || run(place.program().args(["get", "comparator", "one", "--folder"]).arg(&back));
        assert_eq!(get().0, exit::PASS);
        assert_eq!(fs::read(back.join("b.whl")).unwrap(), ONE);
        assert_eq!(fs::read(back.join("a.whl")).unwrap(), OTHER);
        assert_eq!(get().0, exit::IO, "a folder with files is not replaced");
        assert_eq!(
            fs::read_dir(back.parent().unwrap()).unwrap().count(),
            1,
            "nothing else is left"
        );
    }
}

/// Waits until something is so.
fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_writer_that_is_killed_while_it_writes_to_a_server_leaves_nothing_half_published() {
    for part in ["/objects/", "/names/"] {
        let place = Place::service();
        let file = place.scratch.path().join("file");
        fs::write(&file, ONE).unwrap();
        place.server().fail(&Method::PUT, part, 1, Fault::Silent);
        let mut put = place.program();
        put.args(["put", "answer", "k"]).arg(&file).stderr(Stdio::null());
        let child = put.spawn().unwrap();
        wait_for("the write that hangs", || place.server().served_wrongly() == 1);
        kill(child);
        assert!(!place.has_names(), "{part}");
        assert_eq!(place.accepted(Kind::Answer, &key("k")).unwrap(), None);
        // Other bytes may still get the name: nobody was told that the first ones have it.
        place.open().put_bytes(Kind::Answer, &key("k"), OTHER.to_vec()).unwrap();
        assert_eq!(place.accepted(Kind::Answer, &key("k")).unwrap().as_deref(), Some(OTHER));
        assert_eq!(place.open().verify(|_, _| ()).unwrap().problems, []);
    }
}

#[test]
fn a_writer_that_is_killed_between_two_steps_leaves_nothing_half_published() {
    for place in Place::both() {
        let file = place.scratch.path().join("file");
        fs::write(&file, ONE).unwrap();
        let mut killed = Vec::new();
        for point in 1..=4 {
            let name = format!("k{point}");
            let put = || {
                let mut put = place.program();
                put.args(["put", "answer", &name]).arg(&file);
                put
            };
            let ended = put().env(fault::VARIABLE, point.to_string()).output().unwrap();
            if ended.status.code().is_none() {
                killed.push(point);
            }
            let accepted = place.accepted(Kind::Answer, &key(&name)).unwrap();
            assert_eq!(accepted.is_some(), point > 2, "the name is what makes it public");
            assert!(accepted.is_none_or(|bytes| bytes == ONE));
            assert_eq!(place.open().verify(|_, _| ()).unwrap().problems, []);
            assert!(put().status().unwrap().success());
            let accepted = place.accepted(Kind::Answer, &key(&name)).unwrap();
            assert_eq!(accepted.as_deref(), Some(ONE));
        }
        assert_eq!(killed, [1, 2, 3], "there are three points, and the fourth is none");
    }
}

#[test]
fn what_killed_writers_left_in_a_folder_is_swept_when_it_is_old() {
    let place = Place::folder();
    place.open().put_bytes(Kind::Answer, &key("k"), ONE.to_vec()).unwrap();
    let left = ["old#1", "young#1"].map(|name| place.files.join("objects/answer").join(name));
    for file in &left {
        fs::write(file, ONE).unwrap();
    }
    make_old(&left[0], 10 * 24 * 60 * 60);
    assert_eq!(place.open().verify(|_, _| ()).unwrap().problems, [], "it is in no list");
    let (code, ..) = run(place.program().arg("gc"));
    assert_eq!(code, exit::PASS);
    assert_eq!(left.map(|file| file.exists()), [false, true]);
    assert_eq!(place.accepted(Kind::Answer, &key("k")).unwrap().as_deref(), Some(ONE));
}
