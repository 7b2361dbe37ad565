//! Two runs of the same inputs seal the same payload, byte for byte: at another path, for another user,
//! in another locale and time zone, with another number of threads, and when they were killed at any
//! write.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitStatus,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::place::Place;

/// Exit codes of a complete run: one corpus is not enough for every gate.
const ENDED: [Option<i32>; 3] = [Some(0), Some(10), Some(11)];

/// Makes a complete run and returns the bundle that it sealed.
fn sealed(place: &Place, arguments: &[&str], environment: &[(&str, &str)]) -> PathBuf {
    let ended = place.command(arguments, environment).status().unwrap();
    assert!(has_ended(ended), "{ended}: {}", place.said());
    let latest = fs::read_to_string(place.path("checkout/artifacts/latest-bundle")).unwrap();
    PathBuf::from(latest.trim())
}

fn has_ended(status: ExitStatus) -> bool {
    ENDED.contains(&status.code())
}

/// The signed statement of a bundle, and the files that it names. Notes are signed beside it: they say
/// when and where the run was made.
fn payload(bundle: &Path) -> (Vec<u8>, BTreeMap<String, Vec<u8>>) {
    let envelope = fs::read(bundle.join("attestation.intoto.json")).unwrap();
    let envelope: Value = serde_json::from_slice(&envelope).unwrap();
    let statement = STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap();
    let (mut files, mut pending) = (BTreeMap::new(), vec![bundle.to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(bundle).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "notes" {
                pending.push(path);
            } else if path.is_file() && name != "attestation.intoto.json" {
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    (statement, files)
}

/// Fails with the names of the files that differ.
fn expect_same(one: &Path, other: &Path) {
    let ((statement, files), (other_statement, other_files)) = (payload(one), payload(other));
    let names = files.keys().chain(other_files.keys());
    let differ: Vec<&String> =
        names.filter(|name| files.get(*name) != other_files.get(*name)).collect();
    let index = |files: &BTreeMap<String, Vec<u8>>| -> Value {
        files
            .get("index.json")
            .map(|bytes| serde_json::from_slice(bytes).unwrap())
            .unwrap_or_default()
    };
    let units = differing(&index(&files), &index(&other_files), "");
    assert!(differ.is_empty(), "{} files differ; in index.json: {units:#?}", differ.len());
    assert_eq!(statement, other_statement);
    assert!(files.contains_key("index.json") && files.len() > 50, "{} files", files.len());
}

/// The places in two documents at which they differ.
fn differing(one: &Value, other: &Value, place: &str) -> Vec<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let of = |document: &serde_json::Map<String, Value>, name: &str| {
                document.get(name).cloned().unwrap_or_default()
            };
            let below = |name: &&String| {
                differing(&of(one, name), &of(other, name), &format!("{place}/{name}"))
            };
            names.iter().flat_map(below).collect()
        }
        _ if one == other => Vec::new(),
        _ => vec![place.to_owned()],
    }
}

/// Variables with which the tools of another user find their files in the test user's folders.
fn tools() -> [(&'static str, String); 2] {
    let home = env::var("HOME").unwrap_or_default();
    [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")]
        .map(|(name, folder)| (name, env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"))))
}

/// Makes the same run twice, each time under other circumstances.
fn twice(place: &Place, profile: &str) {
    let other = place.another();
    let tools = tools();
    let tools = tools.each_ref().map(|(name, folder)| (*name, folder.as_str()));
    let (one_home, other_home) = (place.path("home"), other.path("another/home"));
    let run = ["run", "--profile", profile];
    let one = sealed(
        place,
        &[&run[..], &["--jobs", "1"]].concat(),
        &[
            &tools[..],
            &[
                ("HOME", one_home.to_str().unwrap()),
                ("USER", "one"),
                ("LC_ALL", "C"),
                ("TZ", "UTC"),
                ("RAYON_NUM_THREADS", "1"),
            ],
        ]
        .concat(),
    );
    let two = sealed(
        &other,
        &[&run[..], &["--jobs", "4"]].concat(),
        &[
            &tools[..],
            &[
                ("HOME", other_home.to_str().unwrap()),
                ("USER", "another"),
                ("LOGNAME", "another"),
                ("LC_ALL", "tr_TR.UTF-8"),
                ("LANG", "de_DE.UTF-8"),
                ("TZ", "Pacific/Kiritimati"),
                ("RAYON_NUM_THREADS", "3"),
            ],
        ]
        .concat(),
    );
    expect_same(&one, &two);
}

#[test]
fn two_runs_of_the_same_inputs_seal_the_same_payload() {
    twice(&Place::small("enhancement"), "enhancement");
}

#[test]
#[ignore = "two whole runs, each of which asks the comparator; the nightly runs it"]
fn two_runs_that_both_ask_the_comparator_seal_the_same_payload() {
    twice(&Place::small("parity"), "parity");
}

/// Kills a run at a point, resumes it, and compares it with an uninterrupted one. Returns false after
/// the last point.
fn killed_at(place: &Place, whole: &Path, point: u64) -> bool {
    let artifacts = place.path("checkout/artifacts");
    fs::remove_dir_all(&artifacts).ok();
    let run = ["run", "--profile", "enhancement"];
    let number = point.to_string();
    let killed = place.command(&run, &[("PARITY_TEST_WRITE_KILL", &number)]).status().unwrap();
    if has_ended(killed) {
        return false;
    }
    assert_eq!(killed.code(), None, "{point}: {}", place.said());
    expect_same(whole, &sealed(place, &run, &[]));
    true
}

/// The distance between the points that the quick test tries, because each takes two runs.
const STEP: usize = 499;
/// More writes than a run of one small corpus has.
const MOST_POINTS: u64 = 100_000;

#[test]
fn a_run_that_is_killed_at_a_write_and_resumed_seals_the_same_payload() {
    let place = Place::small("enhancement");
    let other = place.another();
    let whole = sealed(&other, &["run", "--profile", "enhancement"], &[]);
    let points = (1..).step_by(STEP).take_while(|point| killed_at(&place, &whole, *point)).count();
    assert!(points > 1, "{points} points");
}

#[test]
#[ignore = "a run and its resumption for each of a thousand writes; the nightly runs it"]
fn a_run_that_is_killed_at_any_write_and_resumed_seals_the_same_payload() {
    let place = Place::small("enhancement");
    let whole = sealed(&place, &["run", "--profile", "enhancement"], &[]);
    let next = AtomicU64::new(1);
    let watch = || {
        let place = place.another();
        let mut points = 0;
        loop {
            let point = next.fetch_add(1, Ordering::Relaxed);
            if point >= MOST_POINTS || !killed_at(&place, &whole, point) {
                return points;
            }
            points += 1;
            if point.is_multiple_of(50) {
                println!("killed at points up to {point}");
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let points: u64 = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(watch)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    println!("killed at {points} points");
    assert!(points > 100, "{points} points");
}
