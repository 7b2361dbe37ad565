//! Tests of the response cache, with a real answer about an authored corpus.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use record::{Capped, Capture, Digest, Kept, Origin, Places, Recording, Side, Store};
use serde_json::{Value, json};

use super::{Cache, EARLIER, Question};
use crate::comparator::{ComparatorTuple, definition::aider_spec, tuple::tests::expected_receipt};

const UNIT: &str = "slice/comparator";
const ORIGIN: Origin = Origin { side: Side::Comparator, corpus: "slice", unit: UNIT };

fn tuple() -> ComparatorTuple {
    let spec = aider_spec();
    ComparatorTuple::from_receipt(&spec, &expected_receipt(&spec)).unwrap()
}

fn request(seed: &str) -> Value {
    json!({"schema_version": 1, "mode": "raw", "seed": seed, "cases": []})
}

fn content() -> Value {
    json!({"commit": "c", "tree_sha256": "t", "status": ""})
}

fn capped(bytes: Vec<u8>) -> Capped {
    Capped { head: bytes.len(), total: bytes.len() as u64, truncated: false, bytes }
}

/// A finished run that answers a request.
fn capture(request: &Value) -> Capture {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/authored/slice/recording.json");
    let mut asked = request.clone();
    asked["repo"] = "/some/folder".into();
    Capture {
        argv: vec!["python".to_owned()],
        env: BTreeMap::new(),
        stdin: serde_json::to_vec(&asked).unwrap(),
        stdout: capped(fs::read(path).unwrap()),
        stderr: capped(Vec::new()),
        exit_code: Some(0),
        signal: None,
        stopped: None,
        pipe_held: false,
        duration: Duration::from_millis(4321),
    }
}

/// A run's store with one recording, and the name of the recording.
fn recorded(folder: &Path, capture: &Capture) -> (Store, Kept) {
    let store = Store::at(folder);
    let (_, name) = Recording::write(&store, ORIGIN, capture, &Places::default()).unwrap();
    (store, Kept::new(name, capture.duration))
}

/// Files below a folder, of any depth.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { pending.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn an_answer_comes_back_verbatim_in_a_later_run() {
    let scratch = tempfile::tempdir().unwrap();
    let (first, kept) = recorded(&scratch.path().join("first"), &capture(&request("0")));
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let folder = scratch.path().join("cache");
    let cache = Cache::at(&folder, &tuple(), false);
    assert_eq!(cache.recall(&question, &first), None);
    cache.keep(&question, &kept, &first);

    let later = Cache::at(&folder, &tuple(), false);
    let second = Store::at(scratch.path().join("second"));
    assert_eq!(later.recall(&question, &second), Some(kept.clone()));
    assert_eq!(second.recording(&kept.name).unwrap(), first.recording(&kept.name).unwrap());
    assert_eq!(kept.took_ms, Some(4321));
    assert_eq!((later.replayed(), later.problems()), (1, Vec::new()));
    let fresh = Cache::at(&folder, &tuple(), true);
    assert_eq!(fresh.recall(&question, &second), None);
}

#[test]
fn another_question_corpus_or_comparator_is_not_answered() {
    let scratch = tempfile::tempdir().unwrap();
    let (store, kept) = recorded(&scratch.path().join("run"), &capture(&request("0")));
    let (asked, known) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &known, request: &asked };
    let folder = scratch.path().join("cache");
    let cache = Cache::at(&folder, &tuple(), false);
    cache.keep(&question, &kept, &store);

    let (other_request, mut other_content) = (request("1"), content());
    other_content["commit"] = "d".into();
    for other in [
        Question { request: &other_request, ..question },
        Question { content: &other_content, ..question },
        Question { corpus: "other", ..question },
        Question { unit: "slice/raw/0", ..question },
    ] {
        assert_eq!(cache.recall(&other, &store), None, "{other:?}");
    }
    let mut changed = tuple();
    changed.driver_sha256 = "0".repeat(64);
    assert_eq!(Cache::at(&folder, &changed, false).recall(&question, &store), None);
    assert_eq!(cache.problems(), Vec::<String>::new());
    assert!(cache.recall(&question, &store).is_some());
}

#[test]
fn a_damaged_entry_is_named_once_never_used_and_can_be_made_again() {
    let scratch = tempfile::tempdir().unwrap();
    let (store, kept) = recorded(&scratch.path().join("run"), &capture(&request("0")));
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let folder = scratch.path().join("cache");
    Cache::at(&folder, &tuple(), false).keep(&question, &kept, &store);
    let all = files(&folder);
    // The key, the metadata, and the blobs of question, answer and (empty) standard error.
    assert_eq!(all.len(), 5, "{all:?}");
    for path in all {
        let good = fs::read(&path).unwrap();
        let mut torn = good.clone();
        torn.truncate(good.len() / 2);
        let mut flipped = good.clone();
        flipped[good.len() / 2] ^= 1;
        for bad in [torn, flipped, Vec::new()] {
            fs::write(&path, bad).unwrap();
            let cache = Cache::at(&folder, &tuple(), false);
            let target = Store::at(scratch.path().join("target"));
            assert_eq!(cache.recall(&question, &target), None, "{}", path.display());
            assert_eq!(cache.problems().len(), 1);
            assert!(target.recording(&kept.name).is_err(), "nothing is left of it");
            cache.keep(&question, &kept, &store);
            assert_eq!(cache.recall(&question, &target), Some(kept.clone()));
            fs::remove_dir_all(scratch.path().join("target")).unwrap();
        }
    }
}

#[test]
fn what_is_no_complete_answer_to_the_question_is_not_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let crashed = Capture { exit_code: Some(3), ..capture(&asked) };
    let silent = Capture { stdout: capped(Vec::new()), ..capture(&asked) };
    for (at, bad) in [crashed, silent, capture(&request("1"))].iter().enumerate() {
        let (store, kept) = recorded(&scratch.path().join(format!("run-{at}")), bad);
        let folder = scratch.path().join("cache");
        let cache = Cache::at(&folder, &tuple(), false);
        cache.keep(&question, &kept, &store);
        assert_eq!((cache.problems().len(), folder.exists()), (1, false));
        assert_eq!(cache.recall(&question, &store), None);
    }
}

#[test]
fn a_cache_that_cannot_be_written_costs_nothing_but_a_remark() {
    let scratch = tempfile::tempdir().unwrap();
    let (store, kept) = recorded(&scratch.path().join("run"), &capture(&request("0")));
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let occupied = scratch.path().join("occupied");
    fs::write(&occupied, "a file where a folder should be").unwrap();
    let cache = Cache::at(&occupied, &tuple(), false);
    cache.keep(&question, &kept, &store);
    assert_eq!(cache.problems().len(), 1);
}

#[test]
fn what_an_earlier_version_kept_is_taken_over_without_its_durations() {
    let scratch = tempfile::tempdir().unwrap();
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let folder = scratch.path().join("cache");
    let (store, kept) = recorded(&folder, &capture(&asked));
    // As the earlier layout stored it: with the wall time and all durations that the driver measured.
    let recording =
        fs::read_to_string(folder.join(format!("recordings/{}.json", kept.name))).unwrap();
    let mut recording: Value = serde_json::from_str(&recording).unwrap();
    (recording["schema_version"], recording["duration_ms"]) = (2.into(), 4321.into());
    let bytes = serde_json::to_vec(&recording).unwrap();
    let name = Digest::of(&bytes);
    fs::write(folder.join(format!("recordings/{name}.json")), bytes).unwrap();
    let cache = Cache::at(&folder, &tuple(), false);
    let entry = cache.path(&question, EARLIER);
    fs::create_dir_all(entry.parent().unwrap()).unwrap();
    fs::write(&entry, json!({ "recording": name }).to_string()).unwrap();

    let target = Store::at(scratch.path().join("target"));
    let recalled = cache.recall(&question, &target).unwrap();
    assert_eq!((recalled.took_ms, cache.problems()), (Some(4321), Vec::new()));
    let answer = target.recording(&recalled.name).unwrap().capture(&target).unwrap().stdout.bytes;
    assert!(String::from_utf8(answer).unwrap().contains("\"timing\": {}"));
    assert!(entry.exists() && store.recording(&name).is_ok(), "older programs still use it");
    // The second time the converted entry is used.
    let again = Store::at(scratch.path().join("again"));
    fs::remove_file(entry).unwrap();
    assert_eq!(cache.recall(&question, &again), Some(recalled));
}

#[test]
fn what_an_earlier_version_kept_comes_back_without_progress_bars() {
    let scratch = tempfile::tempdir().unwrap();
    let (asked, content) = (request("0"), content());
    let question = Question { corpus: "slice", unit: UNIT, content: &content, request: &asked };
    let told = |talk: &str| {
        let capture = Capture { stderr: capped(talk.into()), ..capture(&asked) };
        recorded(&scratch.path().join("run"), &capture)
    };
    let (run, kept) = told("said\n\rScan: 100%|█| 9/9 [00:01<00:00, 7.50it/s]\n");
    let cache = Cache::at(scratch.path().join("cache"), &tuple(), false);
    cache.keep(&question, &kept, &run);
    let target = Store::at(scratch.path().join("target"));
    let recalled = cache.recall(&question, &target).unwrap();
    assert_eq!(recalled.name, told("said\n\n").1.name);
    let talk = target.recording(&recalled.name).unwrap().capture(&target).unwrap().stderr.bytes;
    assert_eq!(talk, b"said\n\n");
}
