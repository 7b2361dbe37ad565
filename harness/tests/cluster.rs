//! A run on Ray records what a run on this machine records, even if a node is killed. These tests install Ray, so
//! the nightly runs them.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::support::root;

/// A part of the set that takes some seconds. Its run is not sealed.
const SLICE: [&str; 4] = ["--corpus", "^(slice|stages)$", "--gate", "A5"];

/// Starts a run of the smoke set.
fn run(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command
        .args(["run", "--set", "smoke", "--json"])
        .args(arguments)
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command
}

/// Waits for a run; passes every event to `hear` with the run's process, and returns the result.
fn ended(mut command: Command, hear: &mut dyn FnMut(&Value, u32)) -> Value {
    let mut child = command.spawn().unwrap();
    let process = child.id();
    let mut result = Value::Null;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let value: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if value.get("event").is_some() {
            hear(&value, process);
        } else {
            result = value;
        }
    }
    child.wait().unwrap();
    result
}

/// The recordings of a run, by unit.
fn recordings(result: &Value) -> BTreeMap<String, String> {
    let run = PathBuf::from(result["run"].as_str().unwrap());
    let index = fs::read_to_string(run.join("evidence/index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let names = index.as_object().unwrap().iter();
    names.map(|(unit, name)| (unit.clone(), name.as_str().unwrap().to_owned())).collect()
}

/// The signed statement of a run's bundle, without its signatures.
fn payload(result: &Value) -> Vec<u8> {
    fs::read(Path::new(result["bundle"].as_str().unwrap()).join("attestation.intoto.json")).unwrap()
}

fn folder_of(result: &Value) -> &Path {
    Path::new(result["run"].as_str().unwrap())
}

#[test]
#[ignore = "installs Ray; run by the nightly"]
fn a_node_that_is_killed_changes_no_recording() {
    let here = ended(run(&[]), &mut |_, _| ());
    // What the response cache knows would not be sent.
    let (mut pids, mut answers, mut lost) = (BTreeMap::new(), 0, Vec::new());
    let there = ended(run(&["--cluster", "local:2x1", "--fresh"]), &mut |event, _| {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        match event["event"].as_str().unwrap() {
            "node_joined" => drop(pids.insert(text("node"), event["pid"].as_u64().unwrap())),
            "answered" => {
                answers += 1;
                // The driver's own node is the first one; Ray could not go on without it.
                if answers == 10 {
                    let pid = pids.values().max().unwrap();
                    Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
                }
            }
            "node_lost" => lost.push(text("node")),
            _ => {}
        }
    });
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(!recordings(&here).is_empty());
    assert_eq!(recordings(&there), recordings(&here));
    assert_eq!(payload(&there), payload(&here));
    assert_ne!(folder_of(&there), folder_of(&here));
}

#[test]
#[ignore = "installs Ray; run by the nightly"]
fn an_interrupted_run_goes_on_where_it_was_with_or_without_the_cluster() {
    let here = ended(run(&SLICE), &mut |_, _| ());
    let mut answers = 0;
    let interrupted =
        ended(run(&[&SLICE[..], &["--cluster", "local:1"]].concat()), &mut |event, process| {
            answers += usize::from(event["event"] == "answered");
            if answers == 5 {
                Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap();
            }
        });
    assert_eq!(interrupted, Value::Null, "it ended before it was interrupted");
    let mut sent = 0;
    let resumed = ended(run(&[&SLICE[..], &["--cluster", "local:1"]].concat()), &mut |event, _| {
        sent += usize::from(event["event"] == "submitted");
    });
    let all = recordings(&here);
    assert_eq!(recordings(&resumed), all);
    assert!(sent > 0 && sent < all.len(), "{sent} of {} were sent again", all.len());
}
