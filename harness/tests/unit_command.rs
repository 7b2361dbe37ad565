//! `parity unit` records what a run on this machine records, and refuses what it does not have by digest.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use harness::run::{HeldCopy, Recorder, UnitOrder, take_in};
use record::{Plan, Store, Unit};

use crate::support::{authored_slice, plan_of_slice, root};

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
    asked(&["unit"], &[order]).wait_with_output().unwrap()
}

/// A worker that was sent orders; its input is closed unless it answers many of them.
fn asked(arguments: &[&str], orders: &[&UnitOrder]) -> Child {
    let mut child = Command::new(ENGINE)
        .args(arguments)
        .current_dir(root())
        .env("PARITY_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for order in orders {
        writeln!(input, "{}", serde_json::to_string(order).unwrap()).unwrap();
    }
    child.stdin = arguments.contains(&"--many").then_some(input);
    child
}

/// The next answer of a worker that answers many orders.
fn next_answer(output: &mut impl BufRead) -> Vec<u8> {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let mut answer = vec![0; line.trim_end().parse().unwrap()];
    output.read_exact(&mut answer).unwrap();
    answer
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
        baselines: None,
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
fn a_worker_answers_many_orders_until_one_that_it_cannot() {
    let plan = plan();
    let units = [Unit::Engine { corpus: 0 }, Unit::Repeat { corpus: 0, number: 0 }];
    let [first, second] = units.map(|unit| order(&plan, &unit));
    let mut wrong = second.clone();
    wrong.tree_sha256 = "0".repeat(64);
    let mut child = asked(&["unit", "--many"], &[&first, &second, &first, &wrong]);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for order in [&first, &second, &first] {
        let (answer, there) = (next_answer(&mut output), tempfile::tempdir().unwrap());
        let taken = take_in(order, None, &answer, &Store::at(there.path())).unwrap();
        let alone = take_in(order, None, &worker(order).stdout, &Store::at(there.path())).unwrap();
        assert_eq!(taken.first.name, alone.first.name);
    }
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    assert!(rest.is_empty(), "{rest:?}");
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.code() == Some(21) && said.contains("the corpus slice"), "{said}");
}

#[test]
fn a_worker_whose_asker_is_gone_stops_without_a_word() {
    let plan = plan();
    let order = order(&plan, &Unit::Engine { corpus: 0 });
    let mut child = asked(&["unit", "--many"], &[&order]);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    next_answer(&mut output);
    drop(child.stdin.take());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.is_empty(), "{said}");
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
