//! Runs and workers that use the store that machines share, served by the real program in a folder. The tests that need
//! the program are run by `.ci/store`, which builds it.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use harness::{
    Folders, cache_dir,
    comparator::ComparatorSpec,
    corpus::{self, Lock, Row, fetch::into_shared},
    planning::corpora,
    run::{Answers, HeldCopy, Recorder, RunDir, UnitOrder, take_in},
    shared::{Kind, Shared},
};
use record::{Digest, Plan, PlannedCorpus, Store, Unit};

use crate::support::{authored_slice, plan_of_slice, root};

const ENGINE: &str = env!("CARGO_BIN_EXE_parity");

/// A store in a folder.
fn shared(folder: &Path) -> Shared {
    let program = Path::new(ENGINE).with_file_name("parity-store");
    assert!(program.is_file(), "`.ci/store` builds it");
    Shared::of(program, &url(folder))
}

fn url(folder: &Path) -> String {
    format!("file://{}", folder.join("store").display())
}

/// A plan that maps and explores the slice.
fn plan() -> Plan {
    plan_of_slice(Path::new(ENGINE))
}

/// The units of the plan that ask no comparator.
fn units(plan: &Plan) -> Vec<Unit> {
    plan.units().into_iter().filter(|unit| !unit.asks_comparator()).collect()
}

/// What came of a run: what is recorded by unit, how many answers were taken, and the problems.
type Ended = (BTreeMap<String, Digest>, usize, Vec<String>);

/// Records the plan, with answers of the store where it has them.
fn run(plan: &Plan, shared: &Shared) -> Ended {
    let repositories = BTreeMap::from([("slice".to_owned(), authored_slice())]);
    let recorder = Recorder {
        plan,
        repositories: &repositories,
        comparator: None,
        volt: None,
        baselines: None,
        cache: None,
        engine: PathBuf::from(ENGINE),
    };
    let spec = ComparatorSpec::open(&root().join("comparators/aider")).unwrap();
    let answers = Answers::of(shared, &recorder, &spec, None);
    let place = tempfile::tempdir().unwrap();
    let mut dir = RunDir::open(place.path(), plan).unwrap();
    let open = answers.take(units(plan), &mut dir, &mut |_, _, _| ()).unwrap();
    let store = Store::at(dir.evidence());
    for unit in open {
        let recorded = recorder.record_unit(&unit, &store, &mut HeldCopy::default()).unwrap();
        dir.note(&plan.key(&unit), recorded.clone()).unwrap();
        answers.publish(&unit, &recorded, &store);
    }
    let recorded = units(plan).into_iter().map(|unit| plan.key(&unit));
    let recorded = recorded.map(|key| (key.clone(), dir.recorded(&key).unwrap().clone())).collect();
    (recorded, answers.taken(), answers.problems())
}

fn objects(folder: &Path, what: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("store").join(what)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
#[ignore = "needs the program parity-store"]
fn what_one_run_recorded_the_next_takes_and_what_is_wrong_is_recorded_again() {
    let (plan, place) = (plan(), tempfile::tempdir().unwrap());
    let shared = shared(place.path());
    let all = units(&plan).len();
    assert!(all >= 3);
    let (first, taken, problems) = run(&plan, &shared);
    assert_eq!((taken, problems), (0, Vec::new()));
    let (second, taken, problems) = run(&plan, &shared);
    assert_eq!((&second, taken, problems), (&first, all, Vec::new()));
    // A changed byte.
    let answers = objects(place.path(), "objects/answer");
    assert_eq!(answers.len(), all);
    let mut bytes = fs::read(&answers[0]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&answers[0], &bytes).unwrap();
    let (third, taken, problems) = run(&plan, &shared);
    assert_eq!((&third, taken), (&first, all - 1));
    assert!(problems.iter().any(|problem| problem.contains("damaged")), "{problems:?}");
    // Well-made answers to other questions under each key: the checks of workers' answers refuse them.
    let lies = tempfile::tempdir().unwrap();
    let other = self::shared(lies.path());
    let names = objects(place.path(), "names/answer");
    for (name, wrong) in names.iter().zip(answers.iter().cycle().skip(2)) {
        let key = name.file_name().unwrap().to_str().unwrap();
        other.put(Kind::Answer, key, wrong).unwrap();
    }
    let (fourth, taken, problems) = run(&plan, &other);
    assert_eq!(fourth, first);
    assert!(taken < all, "at least one of them answers another question");
    let refused = problems.iter().filter(|problem| problem.contains("is refused")).count();
    assert_eq!(refused, all - taken, "{problems:?}");
}

#[test]
#[ignore = "needs the program parity-store"]
fn a_store_that_is_not_there_stops_no_run() {
    let plan = plan();
    let program = Path::new(ENGINE).with_file_name("parity-store");
    let shared = Shared::of(program, "file:///proc/no/such/folder");
    let (recorded, taken, problems) = run(&plan, &shared);
    assert_eq!((recorded.len(), taken), (units(&plan).len(), 0));
    assert_eq!(problems.len(), 1, "it is told once: {problems:?}");
}

fn worker(order: &UnitOrder, cache: &Path, store: Option<&str>) -> Output {
    let mut child = Command::new(ENGINE)
        .arg("unit")
        .args(store.iter().flat_map(|url| ["--store", url]))
        .current_dir(root())
        .env("PARITY_CACHE_DIR", cache)
        .env_remove("PARITY_STORE")
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
#[ignore = "needs the program parity-store"]
fn a_worker_with_an_empty_cache_fetches_what_the_unit_needs() {
    let (mut plan, place) = (plan(), tempfile::tempdir().unwrap());
    let (cache, shared) = (place.path().join("cache"), shared(place.path()));
    // Another program than the worker itself.
    let engine = place.path().join("engine");
    let bytes = [&*fs::read(ENGINE).unwrap(), b"another"].concat();
    fs::write(&engine, &bytes).unwrap();
    let wanted = Digest::of(&bytes);
    plan.engine_sha256 = wanted.clone().into();
    let unit = Unit::Repeat { corpus: 0, number: 0 };
    let order = UnitOrder::of(&plan, &plan.id().unwrap(), &unit, &authored_slice(), None).unwrap();
    let said = |ended: &Output| String::from_utf8_lossy(&ended.stderr).into_owned();
    let ended = worker(&order, &cache, None);
    assert_eq!(ended.status.code(), Some(26), "{}", said(&ended));
    let ended = worker(&order, &cache, Some(shared.url()));
    assert_eq!(ended.status.code(), Some(26), "{}", said(&ended));
    // Under the key of the engine there is another program.
    let lies = tempfile::tempdir().unwrap();
    let other = self::shared(lies.path());
    other.put(Kind::Engine, wanted.as_str(), &root().join("README.md")).unwrap();
    let ended = worker(&order, &cache, Some(other.url()));
    assert_eq!(ended.status.code(), Some(21), "{}", said(&ended));
    assert!(ended.stdout.is_empty());
    fs::remove_dir_all(cache.join("engines").join(wanted.as_str())).unwrap();

    shared.put(Kind::Engine, wanted.as_str(), &engine).unwrap();
    let ended = worker(&order, &cache, Some(shared.url()));
    assert!(ended.status.success(), "{}", said(&ended));
    let taken = take_in(&order, None, &ended.stdout, &Store::at(place.path().join("taken")));
    let (recorded, ..) = run(&plan, &self::shared(&place.path().join("another")));
    assert_eq!(recorded[&plan.key(&unit)], taken.unwrap().first.name);
}

/// The smallest locked corpus that every machine has.
fn smallest() -> Row {
    let lock = Lock::load_dir(&root().join("corpora")).unwrap();
    let required = lock.rows().filter(|row| row.required && row.sets.contains("smoke"));
    required.min_by_key(|row| row.size).unwrap().clone()
}

#[test]
#[ignore = "needs the program parity-store, and fetches a corpus"]
fn a_machine_without_a_registry_makes_a_corpus_of_the_artifact_in_the_store() {
    let place = tempfile::tempdir().unwrap();
    let (shared, row) = (shared(place.path()), smallest());
    let here = cache_dir().unwrap();
    let made =
        corpus::Store::open(&here).ensure(&row, &mut *corpus::progress::on_stderr(true)).unwrap();
    let planned = PlannedCorpus {
        commit: row.commit.clone(),
        fingerprint: row.fingerprint(),
        cases: row.questions(),
        ..PlannedCorpus::new(&row.name)
    };
    let folders = |name: &str| {
        let cache = place.path().join(name);
        Folders { root: root(), cache, store: Some(shared.clone()) }
    };
    let found = |folders: &Folders| {
        corpora::fetch(folders, &shared, &planned).unwrap();
        corpus::Store::open(&folders.cache).find(&planned).unwrap()
    };
    assert!(found(&folders("empty")).is_none());
    // What is under its key is not what the lock says.
    shared.put(Kind::Corpus, &row.sha256, &root().join("README.md")).unwrap();
    assert!(found(&folders("wrong")).is_none());
    fs::remove_dir_all(place.path().join("store")).unwrap();
    into_shared(&shared, &row, &here);
    let found = found(&folders("right")).unwrap();
    assert_eq!((found.commit, found.tree_sha256), (made.commit, made.tree_sha256));
}

#[test]
fn without_the_program_the_message_says_how_to_build_it() {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let alone = place.path().join("parity");
    fs::hard_link(ENGINE, &alone).unwrap();
    for args in [&["store", "list", "--store", "file:///x"][..], &["run", "--store", "file:///x"]] {
        let ended = Command::new(&alone).args(args).current_dir(root()).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(20), "{said}");
        assert!(said.contains("cargo build --manifest-path cluster/store/Cargo.toml"), "{said}");
    }
}
