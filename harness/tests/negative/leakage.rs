//! Negative controls of A6 on recordings that belong to no case: the sessions of A4's call sequences
//! and the trials of A5.
//!
//! The evidence is made by our program on the authored slice and holds the comparator's committed
//! answers. Unaltered it passes; each test alters one recording and evaluates the folder as `parity
//! run` and `parity verify` do.

use std::{collections::BTreeMap, fs, path::Path};

use harness::{
    corpus::{CreationOrder, Materialised},
    planning::load_sequences,
    process::{self, Invocation},
    run::converse,
};
use record::{Capture, Cell, Side, Trial, Verdict};
use serde_json::{Value, json};
use verdict::gate::GateId;

use crate::support::{
    evidence::{Parts, whole},
    root,
};

const CORPUS: &str = "slice";
const SEQUENCE: &str = "files";
const BUDGET: u64 = 1024;

/// Our program with an environment as runs give it.
fn parity(folder: &Path, arguments: &[&str]) -> Invocation {
    let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), folder);
    invocation.env.insert("PATH".to_owned(), std::env::var("PATH").unwrap());
    invocation.args(arguments.iter().copied().map(str::to_owned))
}

/// The capture of a program that printed a committed file.
fn printed(like: &Capture, path: &str) -> Capture {
    let mut capture = like.clone();
    capture.stdout = whole(fs::read(root().join(path)).unwrap());
    capture
}

/// The recordings of an evidence folder, each ready to be altered.
struct Altered(Parts);

impl Altered {
    /// True recordings, nothing altered.
    fn unaltered(slice: &Materialised) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = slice.scratch_copy(&folder.path().join(CORPUS), CreationOrder::Sorted).unwrap();
        let mut all = load_sequences(&root()).unwrap().sequences;
        all.retain(|sequence| sequence.id == SEQUENCE);
        let sequence = &all[0];
        let trials = [Trial::Files { number: 0 }, Trial::Locale { name: "C".to_owned() }];
        let case = slice.cases.iter().find(|case| case.id == "none").unwrap();

        let common = ["--profile", "parity", "--map-tokens", "1024", "--map-mul-no-files", "2"];
        let map = |extra: &[&str]| {
            let arguments = [&["map", "."], &common[..], extra].concat();
            process::run(&parity(&slice.path, &arguments)).unwrap()
        };
        let arguments = ["map", ".", "--profile", "parity", "--map-mul-no-files", "2"];
        let mut maps = parity(&slice.path, &[&arguments[..], &["--requests", "-"]].concat());
        maps.stdin = format!("{{\"map_tokens\": {BUDGET}, \"trace\": \"graph\"}}\n").into_bytes();
        let made = process::run(&maps).unwrap();
        let arguments = sequence.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let session = converse(parity(copy.path(), &arguments), copy.path(), &sequence.calls);
        let arguments = [&["session", ".", "--refresh", "files"], &common[..]].concat();
        let mut files = parity(&slice.path, &arguments);
        files.stdin = b"{}\n{}\n".to_vec();
        let corpus = format!("corpora/authored/{CORPUS}");
        let recordings = BTreeMap::from([
            (
                format!("{CORPUS}/comparator"),
                (Side::Comparator, printed(&made, &format!("{corpus}/recording.json"))),
            ),
            (
                format!("{CORPUS}/refresh/comparator"),
                (Side::Comparator, printed(&made, &format!("{corpus}/refresh.json"))),
            ),
            (format!("{CORPUS}/maps"), (Side::Engine, made)),
            (format!("{CORPUS}/refresh/{SEQUENCE}"), (Side::Engine, session.unwrap())),
            (format!("{CORPUS}/trial/files/0"), (Side::Engine, process::run(&files).unwrap())),
            (format!("{CORPUS}/trial/locale/C"), (Side::Engine, map(&["--json"]))),
        ]);
        let plan = json!({
            "schema_version": 3, "set": "smoke", "profile": "parity", "gates": ["A6"],
            "budgets": [BUDGET], "wide_budget": null,
            "corpora": [{
                "name": CORPUS, "authored": true, "commit": "", "fingerprint": "", "cases": [case], "repeats": 0,
                "sequences": all, "trials": trials, "raw_seeds": 0,
            }],
            "fixtures_sha256": "", "engine_sha256": "", "rests_on": {},
            "source_commit": "", "source_tree": "",
        });
        let plan = serde_json::from_value(plan).unwrap();
        Self(Parts { plan, recordings, files: BTreeMap::new() })
    }

    /// Changes a value on one line of a recording's output.
    fn alter(&mut self, key: &str, line: usize, pointer: &str, to: Value) {
        let (_, capture) = self.0.recordings.get_mut(&format!("{CORPUS}/{key}")).unwrap();
        let text = String::from_utf8(capture.stdout.bytes.clone()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut document: Value = serde_json::from_str(&lines[line]).unwrap();
        *document.pointer_mut(pointer).unwrap() = to;
        lines[line] = document.to_string();
        capture.stdout = whole((lines.join("\n") + "\n").into_bytes());
    }

    fn capture(&mut self, key: &str) -> &mut Capture {
        &mut self.0.recordings.get_mut(&format!("{CORPUS}/{key}")).unwrap().1
    }

    /// The cells of A6.
    fn cells(&self) -> Vec<Cell> {
        let mut cells = self.0.evaluate().cells;
        cells.retain(|cell| cell.gate == GateId::A6);
        cells
    }
}

/// Metric and note of the cells that do not pass.
fn failed(cells: &[Cell]) -> Vec<(&str, &str)> {
    let failed = cells.iter().filter(|cell| cell.verdict != Verdict::Pass);
    failed.map(|cell| (cell.metric.as_str(), cell.note.as_str())).collect()
}

#[test]
fn a_leak_in_any_map_of_a_session_or_a_trial_makes_a6_fail() {
    let slice = crate::support::authored_slice();
    let unaltered = || Altered::unaltered(&slice);
    let cells = unaltered().cells();
    assert_eq!(failed(&cells), []);
    let samples = |metric| cells.iter().find(|cell: &&Cell| cell.metric == metric).unwrap().n;
    let calls = unaltered().0.plan.corpora[0].sequences[0].calls.len();
    assert_eq!((samples("sequence_clean"), samples("trials_clean")), (calls as u64, 3));

    let session = &format!("refresh/{SEQUENCE}");
    let leaks: [(&str, usize, &str, Value); 6] = [
        (session, 2, "/profile/enhancement_tiers_enabled", json!(["strict_budget"])),
        (session, 1, "/profile/comparator_tuple", json!(null)),
        (session, 0, "/entrypoint", json!("parity_map")),
        ("trial/files/0", 1, "/profile/parity_mode", json!(false)),
        ("trial/files/0", 0, "/map_mul_no_files_effective", json!(8)),
        ("trial/locale/C", 0, "/file_universe_source", json!("walker_fallback")),
    ];
    for (key, line, pointer, to) in leaks {
        let mut parts = unaltered();
        parts.alter(key, line, pointer, to);
        let cells = parts.cells();
        let metric = if key == session { "sequence_clean" } else { "trials_clean" };
        assert!(
            matches!(failed(&cells)[..], [(found, note)] if found == metric && !note.is_empty())
        );
    }

    let mut parts = unaltered();
    parts.capture(session).env.insert("PARITY_TIERS".to_owned(), "all".to_owned());
    assert_eq!(failed(&parts.cells())[0].0, "sequence_clean");
    let mut parts = unaltered();
    let argv = &mut parts.capture("trial/locale/C").argv;
    let at = argv.iter().position(|part| part == "parity").unwrap();
    argv[at] = "enhancement".to_owned();
    assert_eq!(failed(&parts.cells())[0].0, "trials_clean");
    let mut parts = unaltered();
    parts.0.recordings.remove(&format!("{CORPUS}/trial/files/0"));
    assert_eq!(failed(&parts.cells())[0].0, "trials_clean");
}
