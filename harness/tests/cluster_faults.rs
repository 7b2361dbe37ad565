//! What workers answer is checked: a driver that answers wrongly is found out, and its units are asked for again.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use harness::{
    Folders,
    comparator::ComparatorSpec,
    corpus::Authored,
    run::{
        Recorder, RunDir,
        cluster::{Address, ClusterError, Driver, Event, Fleet},
    },
};
use record::{Digest, Plan, PlannedCorpus, Profile, Set, Unit};

use crate::support::{authored_slice, root};

const ENGINE: &str = env!("CARGO_BIN_EXE_parity");

/// A driver that answers each unit as its list says, one word for each time the unit is asked for: `right`, `garbage`,
/// `cut`, `stale` (the right answer to another order), `fails`. The last word counts for all further times.
const FAKE: &str = r#"
import json, os, subprocess, sys
answers = sys.argv[sys.argv.index("--answers") + 1]
program = sys.argv[sys.argv.index("--program") + 1]
words = WORDS.split()
print(json.dumps({"event": "nodes", "alive": 1, "cpus": 1.0}), flush=True)
times = {}
for number, line in enumerate(sys.stdin):
    job = json.loads(line)
    unit = job["unit"]
    turn = times.get(unit, 0)
    times[unit] = turn + 1
    word = words[min(turn, len(words) - 1)]
    order = job["order"]
    if word == "fails":
        print(json.dumps({"event": "failed", "unit": unit, "why": "no worker"}), flush=True)
        continue
    if word == "stale":
        order = json.dumps({**json.loads(order), "plan_sha256": "0" * 64})
    env = {**os.environ, "PARITY_CACHE_DIR": "FOLDER"}
    asked = order.encode() + b"\n"
    answer = subprocess.run([program, "unit"], input=asked, stdout=subprocess.PIPE, env=env).stdout
    if word == "garbage":
        answer = b"parity-answer is this\n"
    if word == "cut":
        answer = answer[:-100]
    path = os.path.join(answers, f"{number}.answer")
    with open(path, "wb") as file:
        file.write(answer)
    print(json.dumps({"event": "answered", "unit": unit, "node": "n", "file": path}), flush=True)
"#;

/// What came of a run: its end, the units that are recorded, and the reasons of refusals.
type Ended = (Result<(), ClusterError>, Vec<String>, Vec<String>);

/// Records three units of the slice by a driver that answers so.
fn run(words: &str) -> Ended {
    let authored = Authored::load(&root().join("corpora/authored/slice")).unwrap();
    let slice = authored_slice();
    let corpus = PlannedCorpus {
        authored: true,
        commit: slice.commit.clone(),
        fingerprint: authored.fingerprint(),
        explorations: vec!["README.md".to_owned()],
        repeats: 2,
        cases: slice.cases.clone(),
        ..PlannedCorpus::new("slice")
    };
    let plan = Plan {
        corpora: vec![corpus],
        budgets: vec![256],
        engine_sha256: Digest::of_file(Path::new(ENGINE)).unwrap().into(),
        ..Plan::new(Set::Smoke, Profile::Enhancement)
    };
    let repositories = BTreeMap::from([("slice".to_owned(), slice)]);
    let recorder = Recorder {
        plan: &plan,
        repositories: &repositories,
        comparator: None,
        volt: None,
        baselines: None,
        cache: None,
        engine: PathBuf::from(ENGINE),
    };
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("driver.py");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let fake =
        FAKE.replace("WORDS", &format!("{words:?}")).replace("FOLDER", &cache.to_string_lossy());
    fs::write(&script, fake).unwrap();
    let folders = Folders { root: root(), cache, store: None };
    let spec = ComparatorSpec::open(&folders.comparator()).unwrap();
    let fleet = Fleet {
        address: &"local:1".parse::<Address>().unwrap(),
        driver: &Driver::of("python3".into(), script),
        folders: &folders,
        recorder: &recorder,
        spec: &spec,
        tuple: None,
        costs: &BTreeMap::new(),
        status: &RefCell::default(),
    };
    let mut dir = RunDir::open(&place.path().join("runs"), &plan).unwrap();
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    let units: Vec<Unit> =
        plan.units().into_iter().filter(|unit| !unit.asks_comparator()).collect();
    let ended = fleet.record(
        units.clone(),
        &mut dir,
        &mut |_, key, _| done.push(key.to_owned()),
        &mut |event| {
            if let Event::Refused { why, .. } = event {
                refused.push(why.clone());
            }
        },
    );
    done.sort();
    let all: Vec<String> = units.iter().map(|unit| plan.key(unit)).collect();
    assert!(done.iter().all(|key| dir.recorded(key).is_some()));
    assert!(all.iter().all(|key| dir.recorded(key).is_some() == done.contains(key)));
    (ended, done, refused)
}

#[test]
fn wrong_answers_are_refused_and_their_units_are_asked_for_again() {
    let (ended, right, refused) = run("right");
    ended.unwrap();
    assert!(right.len() >= 3 && refused.is_empty(), "{right:?} {refused:?}");
    let (ended, done, refused) = run("garbage cut right");
    ended.unwrap();
    assert_eq!(done, right);
    assert_eq!(refused.len(), 2 * right.len(), "{refused:?}");
    assert!(refused.iter().any(|why| why.contains("no answer of a worker")), "{refused:?}");
    assert!(refused.iter().any(|why| why.contains("cut off")), "{refused:?}");
    let (ended, done, refused) = run("stale fails right");
    ended.unwrap();
    assert_eq!(done, right);
    assert!(refused.iter().all(|why| why.contains("its plan is 0000")), "{refused:?}");
}

#[test]
fn a_unit_that_is_never_answered_rightly_is_named() {
    for words in ["garbage", "fails", "cut", "stale"] {
        let (ended, done, _) = run(words);
        let error = ended.unwrap_err();
        assert!(matches!(&error, ClusterError::Unit { unit, .. } if unit.starts_with("slice/")));
        assert_eq!((error.exit_code(), done.len()), (21, 0), "{words}: {error}");
    }
}
