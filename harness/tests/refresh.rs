//! Refresh modes: `parity session` over every call sequence, against the comparator's committed
//! answers, and with the real clock.

use std::path::Path;

use harness::{
    corpus::{Authored, CreationOrder, ScratchCopy, Store},
    planning::load_sequences,
    process::{self, Invocation},
    run::converse,
};
use record::{Call, Cell, Profile, Sequence, Verdict};
use verdict::{
    Comparator, MapDocument,
    gate::{SequenceRun, a4, verdict},
    session_documents, session_side,
};

use crate::support::{limits, root};

/// A copy of the slice that may be written to, in a folder of its own.
fn slice(folder: &Path) -> ScratchCopy {
    let store = Store::open(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let authored = Authored::load(&root().join("corpora/authored/slice")).unwrap();
    let ready = store.ensure_authored(&authored).unwrap();
    ready.scratch_copy(&folder.join("slice"), CreationOrder::Sorted).unwrap()
}

fn session(folder: &Path, arguments: Vec<String>, calls: &[Call]) -> Vec<MapDocument> {
    let copy = slice(folder);
    let invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), copy.path());
    let invocation = invocation.inherit_env().args(arguments);
    let capture = converse(invocation, copy.path(), calls).unwrap();
    assert!(capture.succeeded(), "{}: {}", capture.ending(), capture.stderr_tail(3));
    session_documents(&capture.stdout.bytes, Profile::Parity).unwrap()
}

#[test]
fn every_call_of_every_sequence_is_as_the_comparator_has_it() {
    let all = load_sequences(&root()).unwrap();
    let recorded = Comparator::new(crate::support::sequences());
    let folder = tempfile::tempdir().unwrap();
    let run = |sequence: &Sequence| {
        let place = folder.path().join(&sequence.id);
        let ours = session_side(&session(&place, sequence.arguments(), &sequence.calls));
        recorded.sequence(&sequence.id).map(|theirs| (ours, theirs)).map_err(|why| why.to_string())
    };
    let runs: Vec<SequenceRun> = all
        .sequences
        .iter()
        .map(|sequence| SequenceRun {
            id: &sequence.id,
            refresh: sequence.refresh,
            calls: sequence.calls.iter().map(|call| call.id.as_str()).collect(),
            sides: run(sequence),
        })
        .collect();
    let cells = a4("slice", &runs, &limits());
    let failed: Vec<&Cell> = cells.iter().filter(|cell| cell.verdict != Verdict::Pass).collect();
    assert_eq!(verdict(&cells), Verdict::Pass, "{failed:#?}");
}

#[test]
fn without_a_script_the_clock_is_real_and_a_small_map_is_never_slow() {
    let folder = tempfile::tempdir().unwrap();
    let copy = slice(folder.path());
    let run = |mode: &str| {
        let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), copy.path())
            .inherit_env()
            .args(["session", ".", "--refresh", mode]);
        invocation.stdin = b"{}\n{}\n".to_vec();
        let capture = process::run(&invocation).unwrap();
        let documents = session_documents(&capture.stdout.bytes, Profile::Parity).unwrap();
        documents.iter().map(|document| document.cached).collect::<Vec<_>>()
    };
    assert_eq!(run("auto"), [false, false]);
    assert_eq!(run("files"), [false, true]);
}

#[test]
fn a_line_that_is_no_call_is_answered_with_an_error_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let copy = slice(folder.path());
    for line in ["nonsense", "{\"chat\": []}", "{\"chat_files\": [\"absent.py\"]}"] {
        let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), copy.path())
            .inherit_env()
            .args(["session", "."]);
        invocation.stdin = format!("{line}\n{{}}\n").into_bytes();
        let capture = process::run(&invocation).unwrap();
        assert_eq!(capture.exit_code, Some(2), "{line}: {}", capture.stderr_tail(3));
        let answers: Vec<serde_json::Value> = String::from_utf8(capture.stdout.bytes)
            .unwrap()
            .lines()
            .map(|answer| serde_json::from_str(answer).unwrap())
            .collect();
        let [refused, answered] = &answers[..] else { panic!("{line}: {answers:?}") };
        assert!(refused["error"]["message"].is_string(), "{line}: {refused}");
        assert!(answered.get("error").is_none(), "{line}: {answered}");
        assert!(answered["text"].is_string(), "{line}: {answered}");
    }
}
