//! A parser that crashes, hangs or panics.

use std::{fs, path::Path};

use harness::process::{self, Invocation};
use serde_json::Value;

use crate::repository::{DEADLINE, map, map_with, parity, repository};

// Row 26: a parser that crashes or hangs.

#[test]
fn a_parser_that_crashes_costs_its_files() {
    let dir = repository(|root| {
        for folder in ["a", "b"] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("evil.py"), "def evil(): pass\n").unwrap();
        }
        for n in 0..40 {
            fs::write(root.join(format!("good_{n}.py")), format!("def good_{n}(): pass\n"))
                .unwrap();
        }
    });
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "crash:evil.py")], &[]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["a/evil.py", "b/evil.py"]);
    assert!(map.reason("a/evil.py").starts_with("parser crashed (signal "));
    assert!(!map.text.contains("def evil") && map.text.contains("good_39.py"));
}

#[test]
fn a_parser_that_exhausts_its_stack_costs_its_file() {
    let dir = repository(|root| fs::write(root.join("deep.py"), "def deep(): pass\n").unwrap());
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "overflow:deep.py")], &[]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["deep.py"]);
    assert!(map.reason("deep.py").starts_with("parser crashed (signal "));
}

#[test]
fn a_parser_that_hangs_costs_its_files() {
    let dir = repository(|root| {
        fs::write(root.join("endless.py"), "def endless(): pass\n").unwrap();
    });
    let map =
        map_with(dir.path(), &[("PARITY_TEST_PARSER", "hang:endless.py")], &["--patience", "1"]);
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), ["endless.py"]);
    assert_eq!(map.reason("endless.py"), "parser timed out");
}

#[test]
fn files_that_are_late_use_up_one_patience_and_are_named() {
    let dir = repository(|root| {
        for folder in ["a", "b", "c", "d"] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("slow.py"), "def slow(): pass\n").unwrap();
        }
    });
    let map = map_with(dir.path(), &[("PARITY_TEST_PARSER", "slow:slow.py")], &["--patience", "1"]);
    let late = ["a/slow.py", "b/slow.py", "c/slow.py", "d/slow.py"];
    assert_eq!(map.skipped.keys().collect::<Vec<_>>(), late);
    assert!(late.iter().all(|file| map.reason(file) == "parser timed out"));
}

// Row 26, for sessions: the call is answered, and so are all later ones.

#[test]
fn a_session_outlives_its_parsers() {
    let dir = repository(|root| fs::write(root.join("evil.py"), "def evil(): pass\n").unwrap());
    for (fault, why) in [
        ("crash:evil.py", "parser crashed (signal 6)"),
        ("overflow:evil.py", "parser crashed (signal 11)"),
        ("hang:evil.py", "parser timed out"),
        ("slow:evil.py", "parser timed out"),
    ] {
        let arguments = ["session", ".", "--map-tokens", "1024", "--patience", "1"];
        let calls = "{}\n{\"chat_files\": [\"caller.py\"]}\n{}";
        let told = parity(dir.path(), &[("PARITY_TEST_PARSER", fault)], &arguments, calls);
        assert!(told.succeeded(), "{fault}: {} {}", told.ending(), told.stderr_tail(5));
        let lines = told.stdout.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let answers: Vec<Value> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
        assert_eq!(answers.len(), 3, "{fault}");
        for (number, answer) in answers.iter().enumerate() {
            assert_eq!(answer["call"], number, "{fault}");
            assert!(answer["text"].as_str().unwrap().contains("def honest_work"), "{fault}");
            let unparsed = serde_json::json!([{"file": "evil.py", "reason": why}]);
            assert_eq!(answer["unparsed"], unparsed, "{fault}");
        }
    }
}

// Row 26, for explorations: the file has a summary that says so, and so have all the others.

fn explored(dir: &Path, fault: &str, arguments: &[&str]) -> Vec<Value> {
    let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), dir);
    invocation.deadline = DEADLINE;
    invocation.env.insert("PARITY_TEST_PARSER".to_owned(), fault.to_owned());
    let arguments = ["explore", "--json", "--patience", "1"].iter().chain(arguments);
    let invocation = invocation.args(arguments.map(|argument| (*argument).to_owned()));
    let capture = process::run(&invocation).unwrap();
    assert!(capture.succeeded(), "{fault}: {} {}", capture.ending(), capture.stderr_tail(5));
    let lines = capture.stdout.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

#[test]
fn a_parser_that_fails_costs_its_exploration_and_no_other() {
    let dir = repository(|root| {
        fs::write(root.join("evil.py"), "def evil(): pass\n").unwrap();
        fs::create_dir(root.join("b")).unwrap();
        fs::write(root.join("b/evil.py"), "def evil(): pass\n").unwrap();
    });
    for (fault, why) in [
        ("crash:evil.py", "not parsed: parser crashed (signal 6)"),
        ("overflow:evil.py", "not parsed: parser crashed (signal 11)"),
        ("hang:evil.py", "not parsed: parser timed out"),
        ("panic:evil.py", "not parsed: parser panicked"),
    ] {
        let files = ["honest.py", "evil.py", "caller.py", "b/evil.py", "honest.py"];
        let found = explored(dir.path(), fault, &files);
        let names: Vec<&str> = found.iter().map(|one| one["file"].as_str().unwrap()).collect();
        assert_eq!(names, files, "{fault}: each once, in order");
        for one in &found {
            let is_evil = one["file"].as_str().unwrap().ends_with("evil.py");
            assert_eq!(one["success"], true);
            assert_eq!(one["malformed"]["what"].as_str(), is_evil.then_some(why), "{fault}");
            let summary = one["summary"].as_str().unwrap();
            assert_eq!(summary.contains(why), is_evil, "{summary}");
            let has_symbols = !one["symbols"].as_array().unwrap().is_empty();
            assert_eq!(has_symbols, one["file"] == "honest.py");
        }
    }
}

#[test]
fn without_a_fault_the_hook_changes_nothing() {
    let dir = repository(|_| {});
    let plain = map(&dir, &[]);
    let hooked = map_with(dir.path(), &[("PARITY_TEST_PARSER", "crash:nothing.py")], &[]);
    assert_eq!((plain.text, plain.skipped), (hooked.text, hooked.skipped));
}
