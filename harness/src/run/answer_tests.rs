use std::{collections::BTreeMap, time::Duration};

use record::{
    Capped, Capture, Case, Digest, Kept, Origin, Places, Plan, PlannedCorpus, Profile, Recording,
    Set, Side, Store, Unit, View,
};

use super::{Header, Kind, MAX_ANSWER, Part, Refusal, frame, opened, sealed, take_in};
use crate::{
    corpus::Materialised,
    run::{Recorded, UnitOrder},
};

/// An order for the maps of a corpus, made with some engine.
fn order(engine: &str, plan: &str) -> UnitOrder {
    let corpus = PlannedCorpus {
        cases: vec![Case { id: "none".to_owned(), ..Case::default() }],
        commit: "c".repeat(40),
        ..PlannedCorpus::new("one")
    };
    let whole = Plan {
        corpora: vec![corpus],
        budgets: vec![64],
        engine_sha256: Digest::of(engine).into(),
        ..Plan::new(Set::Smoke, Profile::Enhancement)
    };
    let repository = Materialised {
        name: "one".to_owned(),
        path: "/".into(),
        commit: "c".repeat(40),
        tree_sha256: "t".repeat(64),
        status: String::new(),
        cases: Vec::new(),
        view: View::default(),
    };
    let unit = Unit::Engine { corpus: 0 };
    UnitOrder::of(&whole, &Digest::of(plan), &unit, &repository, None).unwrap()
}

fn capture(said: &str) -> Capture {
    let whole = |bytes: &[u8]| Capped {
        bytes: bytes.to_vec(),
        head: bytes.len(),
        total: bytes.len() as u64,
        truncated: false,
    };
    Capture {
        argv: vec!["parity".to_owned()],
        env: BTreeMap::new(),
        stdin: b"asked".to_vec(),
        stdout: whole(said.as_bytes()),
        stderr: whole(b""),
        exit_code: Some(0),
        signal: None,
        stopped: None,
        pipe_held: false,
        duration: Duration::from_millis(7),
    }
}

/// The frame of a worker that recorded a run under an origin.
fn made(order: &UnitOrder, origin: Origin<'_>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let (_, name) =
        Recording::write(&store, origin, &capture("a map"), &Places::default()).unwrap();
    frame(order, Recorded::from(Kept { name, took_ms: Some(7) }), &store).unwrap()
}

const ORIGIN: Origin<'static> = Origin { side: Side::Engine, corpus: "one", unit: "one/maps" };

/// Takes a frame in, and returns what is then in the store, or why it was refused.
fn taken(order: &UnitOrder, frame: &[u8]) -> Result<Vec<u8>, Refusal> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let recorded = take_in(order, None, frame, &store);
    let recordings = std::fs::read_dir(folder.path().join("recordings"));
    let kept = recordings.map_or(0, Iterator::count);
    assert_eq!(kept, usize::from(recorded.is_ok()), "a refused recording is not kept");
    let recorded = recorded?;
    assert_eq!(recorded.first.took_ms, Some(7));
    let capture = store.recording(&recorded.first.name).unwrap().capture(&store).unwrap();
    Ok(capture.stdout.bytes)
}

fn parts(frame: &[u8]) -> (Header, Vec<Vec<u8>>) {
    let (header, parts) = opened(frame, MAX_ANSWER).unwrap();
    (header, parts.into_iter().map(|(_, body)| body.to_vec()).collect())
}

#[test]
fn an_answer_is_kept_as_a_recording_of_this_machine_would_be() {
    let asked = order("engine", "plan");
    assert_eq!(taken(&asked, &made(&asked, ORIGIN)).unwrap(), b"a map");
}

#[test]
fn an_answer_to_another_question_is_refused_by_what_differs() {
    let asked = order("engine", "plan");
    let what = |frame: &[u8]| match taken(&asked, frame) {
        Err(Refusal::Other { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(what(&made(&order("another engine", "plan"), ORIGIN)), "engine");
    assert_eq!(what(&made(&order("engine", "the plan before"), ORIGIN)), "plan");
    let mut elsewhere = asked.clone();
    elsewhere.tree_sha256 = "u".repeat(64);
    assert_eq!(what(&made(&elsewhere, ORIGIN)), "corpus");
    elsewhere = asked.clone();
    elsewhere.unit = "one/repeat/0".to_owned();
    assert_eq!(what(&made(&elsewhere, ORIGIN)), "unit");
    let (mut header, bodies) = parts(&made(&asked, ORIGIN));
    header.comparator_sha256 = Some("0".repeat(64));
    assert_eq!(what(&sealed(&header, &bodies)), "comparator");
}

#[test]
fn a_recording_of_another_unit_corpus_or_side_is_refused() {
    let asked = order("engine", "plan");
    for origin in [
        Origin { unit: "one/maps/1", ..ORIGIN },
        Origin { corpus: "two", ..ORIGIN },
        Origin { side: Side::Comparator, ..ORIGIN },
    ] {
        let refused = taken(&asked, &made(&asked, origin));
        assert!(matches!(refused, Err(Refusal::Recording { .. })), "{origin:?}: {refused:?}");
    }
}

#[test]
fn a_frame_that_is_cut_anywhere_is_truncated_and_one_that_goes_on_is_not_whole() {
    let asked = order("engine", "plan");
    let frame = made(&asked, ORIGIN);
    for length in 0..frame.len() {
        let refused = taken(&asked, &frame[..length]);
        assert!(matches!(refused, Err(Refusal::Truncated { .. })), "{length}: {refused:?}");
    }
    let refused = taken(&asked, &[&frame[..], b"x"].concat());
    assert!(matches!(refused, Err(Refusal::Extra { extra: 1 })), "{refused:?}");
}

#[test]
fn a_byte_that_changes_anywhere_is_found() {
    let asked = order("engine", "plan");
    let frame = made(&asked, ORIGIN);
    for at in 0..frame.len() {
        let mut changed = frame.clone();
        changed[at] ^= 1;
        assert!(taken(&asked, &changed).is_err(), "byte {at}");
    }
}

#[test]
fn garbage_and_another_schema_are_named() {
    let asked = order("engine", "plan");
    for garbage in ["Traceback (most recent call last):\n", "{}", "parity-answer x\n{}"] {
        let refused = taken(&asked, garbage.as_bytes());
        assert!(matches!(refused, Err(Refusal::Garbage(_))), "{garbage}: {refused:?}");
    }
    let (mut header, bodies) = parts(&made(&asked, ORIGIN));
    header.schema_version = 2;
    let refused = taken(&asked, &sealed(&header, &bodies));
    assert!(matches!(&refused, Err(Refusal::Schema { found }) if found == "2"), "{refused:?}");
}

/// Frames that are whole and carry the right header, with parts that are not what their names say.
#[test]
fn a_worker_that_lies_about_a_part_is_refused() {
    let asked = order("engine", "plan");
    let frame = made(&asked, ORIGIN);
    let change = |change: &dyn Fn(&mut Header, &mut Vec<Vec<u8>>)| {
        let (mut header, mut bodies) = parts(&frame);
        change(&mut header, &mut bodies);
        taken(&asked, &sealed(&header, &bodies))
    };
    assert!(change(&|_, _| ()).is_ok());
    // The bytes of one blob under the name of another.
    let swapped = change(&|header, bodies| {
        bodies.swap(1, 2);
        let (one, other) = (header.parts[1].sent, header.parts[2].sent);
        (header.parts[1].sent, header.parts[2].sent) = (other, one);
    });
    assert!(matches!(swapped, Err(Refusal::Part { .. })), "{swapped:?}");
    // A blob that is missing, one that nobody asked for, and one that is not compressed.
    let missing = change(&|header, bodies| {
        header.parts.pop();
        bodies.pop();
    });
    assert!(matches!(missing, Err(Refusal::Recording { .. })), "{missing:?}");
    let more = change(&|header, bodies| {
        let sha256 = Digest::of("more");
        header.parts.push(Part { kind: Kind::Blob, sha256, bytes: 4, sent: 4 });
        bodies.push(b"more".to_vec());
    });
    assert!(matches!(more, Err(Refusal::Part { .. })), "{more:?}");
    let raw = change(&|header, bodies| {
        bodies[1] = b"not compressed".to_vec();
        header.parts[1].sent = 14;
    });
    assert!(matches!(raw, Err(Refusal::Part { .. })), "{raw:?}");
    // A recording whose exit code was changed, under the name that it had before.
    let edited = change(&|header, bodies| {
        let text = String::from_utf8(bodies[0].clone()).unwrap();
        bodies[0] = text.replace("\"exit_code\": 0", "\"exit_code\": 9").into_bytes();
        header.parts[0].sent = bodies[0].len() as u64;
    });
    assert!(matches!(edited, Err(Refusal::Part { .. })), "{edited:?}");
}

#[test]
fn a_frame_that_is_longer_than_it_may_be_is_not_read() {
    let asked = order("engine", "plan");
    let frame = made(&asked, ORIGIN);
    assert!(opened(&frame, frame.len()).is_ok());
    let refused = opened(&frame, frame.len() - 1).map(drop);
    assert!(matches!(refused, Err(Refusal::TooLong { .. })), "{refused:?}");
}

/// The files below a folder, by path.
fn files(folder: &std::path::Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let folders = ["recordings", "blobs"].map(|name| folder.join(name));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path.strip_prefix(folder).unwrap().to_owned(), bytes)
        })
        .collect()
}

/// Whatever a worker answers first, the store holds in the end what a run on this machine would have kept.
#[test]
fn after_each_kind_of_wrong_answer_the_right_one_leaves_the_same_store() {
    let asked = order("engine", "plan");
    let here = tempfile::tempdir().unwrap();
    let store = Store::at(here.path());
    Recording::write(&store, ORIGIN, &capture("a map"), &Places::default()).unwrap();
    let right = made(&asked, ORIGIN);
    let wrong: [(&str, Vec<u8>); 5] = [
        ("its engine is", made(&order("another engine", "plan"), ORIGIN)),
        ("its plan is", made(&order("engine", "the plan before"), ORIGIN)),
        ("it is no answer", b"Segmentation fault\n".to_vec()),
        ("it was cut off", right[..right.len() / 2].to_vec()),
        ("bytes after its end", [right.clone(), right.clone()].concat()),
    ];
    for (said, answer) in wrong {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        for _ in 0..2 {
            let refusal = take_in(&asked, None, &answer, &store).unwrap_err();
            assert!(refusal.to_string().contains(said), "{refusal}");
        }
        let recorded = take_in(&asked, None, &right, &store).unwrap();
        store.keep_only([&recorded.first.name]).unwrap();
        assert_eq!(files(folder.path()), files(here.path()), "{said}");
    }
}
