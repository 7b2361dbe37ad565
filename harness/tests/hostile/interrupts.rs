//! An interrupt at any moment leads to one exit code and no advice. A killed command leaves no process
//! behind, and its temporary folders only until the next run.

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::{
    place::{Place, children, expect_gone, scratch, send, wait_until, wait_until_it_listens},
    repository::{committed, git},
};

const SLICE: [&str; 5] = ["run", "--corpus", "^slice$", "--gate", "A1"];

#[test]
fn an_interrupt_while_prerequisites_are_checked() {
    let place = Place::new();
    let compiler = place.path("bin/endless-cc");
    place.endless(&compiler, "");
    let environment = [("CC", compiler.to_str().unwrap())];
    for signal in [Signal::INT, Signal::TERM] {
        place.interrupted(&["preflight"], &environment, signal);
        place.interrupted(&SLICE, &environment, signal);
    }
}

#[test]
fn an_interrupt_while_the_comparator_says_who_it_is() {
    let place = Place::new();
    place.comparator();
    for (signal, arguments) in [
        (Signal::INT, &["preflight"][..]),
        (Signal::TERM, &SLICE),
        (Signal::INT, &["record", "--corpus", "^slice$"]),
    ] {
        let (mut parity, pids) = place.start_comparator(arguments);
        send(parity.id(), signal);
        place.expect_interrupt(&mut parity, &format!("{arguments:?} {signal:?}"));
        expect_gone(&pids);
    }
}

#[test]
fn an_interrupt_of_a_download() {
    let place = Place::new();
    place.endless_npm();
    let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
    place.interrupted(&arguments, &[], Signal::INT);
    place.interrupted(&arguments, &[], Signal::TERM);
}

#[test]
fn an_interrupt_of_an_installation() {
    let place = Place::new();
    let uv = "[ \"$1\" = --version ] && { echo uv 1; exit 0; }\ntrap '' TERM";
    place.endless(&place.path("bin/uv"), uv);
    place.interrupted(&SLICE, &[], Signal::INT);
}

#[test]
fn an_interrupt_while_the_source_is_looked_at() {
    let place = Place::new();
    place.endless(
        &place.path("bin/git"),
        "case \"$*\" in *write-tree*) ;; *) PATH=${PATH#*:} exec git \"$@\" ;; esac",
    );
    let arguments = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    place.interrupted(&arguments, &[], Signal::INT);
}

#[test]
fn an_interrupt_of_a_night_ends_its_step() {
    let place = Place::new();
    let step = place.path("bin/endless-step");
    place.endless(&step, "trap '' TERM INT HUP");
    let steps = place.path("steps.toml");
    let one = "[[step]]\nname = \"endless\"\nwhat = \"a step that never ends\"\n";
    fs::write(&steps, format!("{one}command = \"endless-step\"\n")).unwrap();
    let arguments = ["nightly", "run", "--steps", steps.to_str().unwrap()];
    place.interrupted(&arguments, &[], Signal::INT);
    place.interrupted(&arguments, &[], Signal::TERM);
    // A night that is killed takes its step along as well.
    let (mut parity, pids) = place.start(&arguments, &[]);
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&pids);
}

/// Whether a process has a file with this name open.
fn opens(process: u32, name: &str) -> bool {
    let files = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut names = files.filter_map(|file| fs::read_link(file.path()).ok());
    names.any(|file| file.ends_with(name))
}

#[test]
fn an_interrupt_of_work_that_does_not_look() {
    let place = Place::new();
    place.comparator();
    let row = "fc43a91e7dc7affb53c6ad7123a4f35485ed3c45226ae7a3847b7738e783e008";
    fs::create_dir(place.path("cache/locks")).unwrap();
    let lock = fs::File::create(place.path("cache/locks").join(row)).unwrap();
    lock.lock().unwrap();
    for signals in [1, 2] {
        let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
        let mut parity = place.command(&arguments, &[]).spawn().unwrap();
        wait_until("it waits for the lock", || opens(parity.id(), row));
        for _ in 0..signals {
            send(parity.id(), Signal::INT);
            thread::sleep(Duration::from_millis(300));
        }
        place.expect_interrupt(&mut parity, "waiting for a lock");
    }
}

#[test]
fn an_interrupt_at_any_moment_of_a_run() {
    let place = Place::new();
    let arguments = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    let started = Instant::now();
    let whole = place.command(&arguments, &[]).status().unwrap();
    let took = started.elapsed();
    assert!(matches!(whole.code(), Some(0 | 10 | 11)), "{}", place.said());
    for part in 0..8 {
        fs::remove_dir_all(place.path("checkout/artifacts")).unwrap();
        let mut parity = place.command(&arguments, &[]).spawn().unwrap();
        wait_until_it_listens(parity.id());
        thread::sleep(took * part / 8);
        send(parity.id(), Signal::INT);
        let mut ended = None;
        wait_until("it ends", || {
            ended = parity.try_wait().unwrap();
            ended.is_some()
        });
        if ended.unwrap().code() == whole.code() {
            // The program finished before the interrupt.
            continue;
        }
        place.expect_interrupt(&mut parity, &format!("part {part}"));
        fs::create_dir_all(place.path("checkout/artifacts")).unwrap();
    }
}

#[test]
fn a_killed_run_takes_its_children_along() {
    let place = Place::new();
    let compiler = place.path("bin/endless-cc");
    place.endless(&compiler, "trap '' TERM INT HUP");
    let (mut parity, pids) = place.start(&["preflight"], &[("CC", compiler.to_str().unwrap())]);
    let all = [children(parity.id()), pids].concat();
    assert!(all.len() >= 3, "the warden, the program, and what it started");
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&all);
}

#[test]
fn a_killed_download_is_taken_along_and_collected() {
    let place = Place::new();
    place.endless_npm();
    let arguments = ["run", "--corpus", "^express$", "--gate", "A1"];
    let (mut parity, pids) = place.start(&arguments, &[]);
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&pids);
    assert!(!scratch(&place.path("cache/tmp")).is_empty());
    // The next run is about another corpus.
    let next = ["run", "--corpus", "^slice$", "--profile", "enhancement"];
    let ended = place.command(&next, &[]).status().unwrap();
    assert!(matches!(ended.code(), Some(0 | 10 | 11)), "{}", place.said());
    assert!(scratch(&place.path("cache/tmp")).is_empty());
}

#[test]
fn what_a_killed_run_left_is_collected_by_the_next() {
    let place = Place::new();
    place.comparator();
    let (mut parity, pids) = place.start_comparator(&["preflight"]);
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&pids);
    assert_eq!(scratch(&place.path("tmp")).len(), 1);
    let map = place.command(&["map", "."], &[]).status().unwrap();
    assert!(map.success(), "{}", place.said());
    assert!(scratch(&place.path("tmp")).is_empty(), "{:?}", scratch(&place.path("tmp")));
}

#[test]
fn a_killed_map_takes_git_along() {
    let place = Place::new();
    let dir = committed(|_| {});
    let id = git(dir.path(), &["rev-parse", "HEAD^{tree}"]);
    let (folder, file) = id.trim().split_at(2);
    let object = dir.path().join(".git/objects").join(folder).join(file);
    fs::remove_file(&object).unwrap();
    assert!(Command::new("mkfifo").arg(&object).status().unwrap().success());
    let mut parity = place.command(&["map", dir.path().to_str().unwrap()], &[]).spawn().unwrap();
    // Listing the index ends at once; listing the tree waits for the pipe.
    let mut waiting = Vec::new();
    wait_until("git waits", || {
        thread::sleep(Duration::from_millis(500));
        waiting = children(parity.id());
        waiting.len() == 1
    });
    parity.kill().unwrap();
    parity.wait().unwrap();
    expect_gone(&waiting);
    assert_eq!(scratch(&place.path("tmp")).len(), 1);
    assert!(place.command(&["map", "."], &[]).status().unwrap().success());
    assert!(scratch(&place.path("tmp")).is_empty());
}
