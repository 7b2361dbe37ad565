//! `parity unit` records what a run on this machine records, and refuses what it does not have by digest.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use harness::run::{HeldCopy, Recorder, UnitOrder, take_in};
use record::{Plan, Store, Unit};

use support::{authored_slice, plan_of_slice, root};

const ENGINE: &str = env!("CARGO_BIN_EXE_parity");

/// A plan that maps and explores the slice, which is in the tests' cache.
fn plan() -> Plan {
    plan_of_slice(Path::new(ENGINE))
}

fn order(plan: &Plan, unit: &Unit) -> UnitOrder {
    let whole = plan.id().unwrap();
    UnitOrder::of(plan, &whole, unit, &authored_slice(), None).unwrap()
}

fn worker(order: &UnitOrder) -> Output {
    let mut child = Command::new(ENGINE)
        .arg("unit")
        .current_dir(root())
        .env("PARITY_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let line = serde_json::to_vec(order).unwrap();
    child.stdin.take().unwrap().write_all(&line).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_worker_records_what_this_machine_records() {
    let plan = plan();
    let slice = authored_slice();
    let repositories = BTreeMap::from([("slice".to_owned(), slice)]);
    let recorder = Recorder {
        plan: &plan,
        repositories: &repositories,
        comparator: None,
        volt: None,
        cache: None,
        engine: PathBuf::from(ENGINE),
    };
    let units = [
        Unit::Engine { corpus: 0 },
        Unit::Repeat { corpus: 0, number: 0 },
        Unit::Explore { corpus: 0, batch: 0 },
    ];
    for unit in units {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = Store::at(here.path());
        let mine = recorder.record_unit(&unit, &store, &mut HeldCopy::default()).unwrap();
        let order = order(&plan, &unit);
        let answer = worker(&order);
        let said = String::from_utf8_lossy(&answer.stderr);
        assert!(answer.status.success(), "{unit:?}: {said}");
        let taken = take_in(&order, None, &answer.stdout, &Store::at(there.path())).unwrap();
        assert_eq!(taken.first.name, mine.first.name, "{unit:?}");
        let capture = store.recording(&mine.first.name).unwrap().capture(&store).unwrap();
        assert!(capture.succeeded() && !capture.stdout.bytes.is_empty(), "{unit:?}");
    }
}

#[test]
fn what_is_not_here_or_has_another_digest_is_refused_by_name() {
    let plan = plan();
    let order = order(&plan, &Unit::Repeat { corpus: 0, number: 0 });
    let refused = |change: &dyn Fn(&mut UnitOrder), code: i32, said: &str| {
        let mut order = order.clone();
        change(&mut order);
        let ended = worker(&order);
        let error = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{error}");
        assert!(error.contains(said) && ended.stdout.is_empty(), "{error}");
    };
    refused(&|order| order.plan.engine_sha256 = "0".repeat(64), 26, "the engine 0000");
    refused(&|order| order.plan.corpora[0].fingerprint = "0".repeat(64), 26, "the corpus slice");
    refused(&|order| order.plan.corpora[0].name = "../slice".to_owned(), 2, "has no unit");
    refused(&|order| order.tree_sha256 = "0".repeat(64), 21, "the corpus slice");
    refused(&|order| order.unit = "slice/none".to_owned(), 2, "has no unit");
}
