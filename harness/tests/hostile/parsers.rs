//! A parser that crashes, hangs or panics.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use harness::process::{self, Invocation};
use serde_json::Value;

use crate::repository::{DEADLINE, map, map_with, parity, read, repository, within_cpu};

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

#[test]
fn a_file_that_is_late_is_parsed_while_there_is_patience() {
    let dir = repository(|root| fs::write(root.join("late.py"), "def late(): pass\n").unwrap());
    let late = ("PARITY_TEST_PARSER", "late:late.py");
    let map = map_with(dir.path(), &[late], &[]);
    assert!(map.skipped.is_empty(), "{:?}", map.skipped);
    assert!(map.text.contains("late.py"), "{}", map.text);
    let map = map_with(dir.path(), &[late], &["--patience", "0"]);
    assert_eq!(map.reason("late.py"), "parser timed out");
}

#[test]
fn patience_that_was_used_up_does_not_come_back_with_a_restart() {
    let dir = repository(|root| fs::write(root.join("slow.py"), "def slow(): pass\n").unwrap());
    let spent = ("PARITY_MAP_AVOIDED", "0000000000000000:060;");
    let environment = [spent, ("PARITY_TEST_PARSER", "slow:slow.py")];
    let arguments = ["map", ".", "--map-tokens", "1024", "--json"];
    let told = within_cpu(20, dir.path(), &environment, &arguments, "");
    assert_eq!(read(&told.stdout.bytes).reason("slow.py"), "parser timed out");
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

/// A session that is used call by call.
struct Session {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Session {
    fn start(dir: &Path, fault: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_parity"))
            .args(["session", ".", "--patience", "1", "--refresh", "always"])
            .current_dir(dir)
            .env("PARITY_TEST_PARSER", fault)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        Self { process, answers }
    }

    fn ask(&mut self) -> Value {
        self.process.stdin.as_mut().unwrap().write_all(b"{}\n").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// The findings that the answering process was started with; empty for the first one.
    fn findings(&self) -> String {
        let environment = fs::read(format!("/proc/{}/environ", self.process.id())).unwrap();
        let environment = String::from_utf8(environment).unwrap();
        let found =
            environment.split('\0').find_map(|one| one.strip_prefix("PARITY_SESSION_AVOIDED="));
        found.unwrap_or_default().to_owned()
    }

    fn end(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn a_call_keeps_its_number_when_its_parser_crashes() {
    let dir = repository(|root| fs::write(root.join("evil.py"), "def evil(): pass\n").unwrap());
    let evil = dir.path().join("evil.py");
    fs::remove_file(&evil).unwrap();
    let mut session = Session::start(dir.path(), "crash:evil.py");
    assert_eq!(session.ask()["call"], 0);
    assert_eq!(session.findings(), "");
    fs::write(evil, "def evil(): pass\n").unwrap();
    let answer = session.ask();
    assert_eq!((&answer["call"], &answer["unparsed"][0]["file"]), (&1.into(), &"evil.py".into()));
    assert_ne!(session.findings(), "");
    assert_eq!(session.ask()["call"], 2);
    session.end();
}

#[test]
fn only_a_parser_that_does_not_listen_costs_a_restart_which_knows_what_patience_is_left() {
    let dir = repository(|root| fs::write(root.join("evil.py"), "def evil(): pass\n").unwrap());
    let findings = |fault: &str| {
        let mut session = Session::start(dir.path(), fault);
        assert_eq!(session.ask()["unparsed"][0]["reason"], "parser timed out", "{fault}");
        let findings = session.findings();
        session.end();
        findings
    };
    assert_eq!(findings("slow:evil.py"), "");
    let found = findings("hang:evil.py");
    let rows: Vec<&str> = found.split_terminator(';').collect();
    assert_eq!(rows.len(), 2, "{found}");
    assert_eq!(rows[0], "0000000000000000:001", "the second of patience is used up");
    assert!(rows[1].ends_with(":000"), "{found}");
}

// Row 26, for explorations: the summary of the file says so, and all others have theirs.

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
