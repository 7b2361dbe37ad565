//! Run folders after a process was killed.

use std::{collections::BTreeMap, fs, io::Write, path::Path, time::Duration};

use record::{Capped, Capture, Origin, Places, Profile, Recording, Set, Side};

use super::*;

fn plan() -> Plan {
    Plan::new(Set::Smoke, Profile::Parity)
}

/// A recording of a program that printed `answer`.
fn recorded(dir: &RunDir, answer: &str) -> Kept {
    let stream = |text: &str| Capped {
        bytes: text.as_bytes().to_vec(),
        head: text.len(),
        total: text.len() as u64,
        truncated: false,
    };
    let capture = Capture {
        argv: vec!["program".to_owned()],
        env: BTreeMap::new(),
        stdin: Vec::new(),
        stdout: stream(answer),
        stderr: stream(""),
        exit_code: Some(0),
        signal: None,
        stopped: None,
        pipe_held: false,
        duration: Duration::from_millis(1),
    };
    let store = Store::at(dir.evidence());
    let origin = Origin { side: Side::Engine, corpus: "corpus", unit: "corpus/maps" };
    let (_, name) = Recording::write(&store, origin, &capture, &Places::default()).unwrap();
    Kept::new(name, capture.duration)
}

fn files(folder: &Path) -> usize {
    ["recordings", "blobs"].map(|one| fs::read_dir(folder.join(one)).unwrap().count()).iter().sum()
}

#[test]
fn a_killed_run_goes_on_with_what_was_noted() {
    let runs = tempfile::tempdir().unwrap();
    let mut dir = RunDir::open(runs.path(), &plan()).unwrap();
    let (path, one, two) = (dir.path().to_owned(), recorded(&dir, "one"), recorded(&dir, "two"));
    dir.note("one", one.clone().into()).unwrap();
    dir.note("two", two.clone().into()).unwrap();
    assert!(matches!(RunDir::open(runs.path(), &plan()), Err(RunDirError::Busy(_))));
    drop(dir);
    // The log ends in the middle of a line, and one recording is damaged.
    let mut log = OpenOptions::new().append(true).open(path.join(EVENTS)).unwrap();
    log.write_all(b"{\"unit\":\"three\",\"reco").unwrap();
    fs::write(path.join(format!("evidence/recordings/{}.json", two.name)), "{}").unwrap();

    let mut dir = RunDir::open(runs.path(), &plan()).unwrap();
    assert_eq!(dir.path(), path);
    assert_eq!(dir.recorded("one"), Some(&one.name));
    assert_eq!(dir.durations(), BTreeMap::from([("one".to_owned(), 1)]));
    assert_eq!((dir.recorded("two"), dir.recorded("three")), (None, None));
    let again = recorded(&dir, "two");
    dir.note("two", again.clone().into()).unwrap();
    drop(dir);

    let dir = RunDir::open(runs.path(), &plan()).unwrap();
    assert_eq!(dir.recorded("two"), Some(&again.name));
    dir.complete().unwrap();
    drop(dir);
    assert_ne!(RunDir::open(runs.path(), &plan()).unwrap().path(), path);
}

#[test]
fn what_a_killed_attempt_did_not_note_is_no_evidence() {
    let runs = tempfile::tempdir().unwrap();
    let mut dir = RunDir::open(runs.path(), &plan()).unwrap();
    let noted = recorded(&dir, "noted");
    dir.note("noted", noted.into()).unwrap();
    let alone = files(&dir.evidence());
    recorded(&dir, "killed before it was noted");
    for half_written in ["evidence/blobs/.partial-x", "evidence/.partial-y"] {
        fs::write(dir.path().join(half_written), "half").unwrap();
    }
    drop(dir);

    let dir = RunDir::open(runs.path(), &plan()).unwrap();
    dir.write_index().unwrap();
    assert_eq!(files(&dir.evidence()), alone);
    assert!(!dir.evidence().join(".partial-y").exists());
    let noted = dir.recorded("noted").unwrap();
    let store = Store::at(dir.evidence());
    let kept = store.recording(noted).unwrap().capture(&store).unwrap();
    assert_eq!(kept.stdout.bytes, b"noted");
}

#[test]
fn only_a_complete_run_of_the_very_plan_is_found_again() {
    let place = tempfile::tempdir().unwrap();
    let runs = place.path();
    assert_eq!(RunDir::last_complete(runs, &plan()), None);
    let dir = RunDir::open(runs, &plan()).unwrap();
    // An interrupted run is resumed, and not taken for its result.
    assert_eq!(RunDir::last_complete(runs, &plan()), None);
    dir.complete().unwrap();
    assert_eq!(RunDir::last_complete(runs, &plan()).as_deref(), Some(dir.path()));
    let newer = RunDir::open(runs, &plan()).unwrap();
    assert_eq!(RunDir::last_complete(runs, &plan()).as_deref(), Some(dir.path()));
    newer.complete().unwrap();
    assert_eq!(RunDir::last_complete(runs, &plan()).as_deref(), Some(newer.path()));
    let other = Plan { unpinned: Some("another comparator".to_owned()), ..plan() };
    assert_eq!(RunDir::last_complete(runs, &other), None);
}

#[test]
fn all_recordings_of_a_unit_are_known_after_a_killed_run() {
    let runs = tempfile::tempdir().unwrap();
    let mut dir = RunDir::open(runs.path(), &plan()).unwrap();
    let [first, second, third] = ["one", "two", "three"].map(|answer| recorded(&dir, answer));
    let many = Recorded { first, further: vec![second, third] };
    let single = Recorded::from(recorded(&dir, "four"));
    dir.note("many", many.clone()).unwrap();
    dir.note("single", single.clone()).unwrap();
    drop(dir);
    let dir = RunDir::open(runs.path(), &plan()).unwrap();
    assert_eq!(dir.all_recorded("many"), Some(many));
    assert_eq!(dir.all_recorded("single"), Some(single));
    assert_eq!(dir.all_recorded("none"), None);
}
