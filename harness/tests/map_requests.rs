//! `parity map --requests`: each answer equals the output of a separate process.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::support::authored;

/// Sends requests to standard input, a pipe; `fault` names a fault in the parser or is empty.
fn answers(repo: &Path, requests: &[Value], fault: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.args(["map", ".", "--requests", "-"]).current_dir(repo);
    if !fault.is_empty() {
        command.env("PARITY_TEST_PARSER", fault);
    }
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for request in requests {
        writeln!(stdin, "{request}").unwrap();
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn documents(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn alone(repo: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["map", ".", "--json"])
        .args(arguments)
        .current_dir(repo)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_answer_is_that_of_a_process_of_its_own() {
    for corpus in authored().into_iter().filter(|corpus| corpus.view.map_arguments().len() == 2) {
        let mut requests = Vec::new();
        let mut expected = Vec::new();
        for case in &corpus.cases {
            for (budget, trace) in [("1024", "graph"), ("300", "ranking"), ("4096", "none")] {
                requests.push(json!({
                    "chat_files": case.chat_files,
                    "read_only_files": case.read_only_files,
                    "message": case.message,
                    "map_tokens": budget.parse::<u64>().unwrap(),
                    "trace": trace,
                }));
                let mut arguments = vec!["--map-tokens", budget];
                arguments.extend(match trace {
                    "graph" => Some("--trace-graph"),
                    "ranking" => Some("--trace"),
                    _ => None,
                });
                for (flag, files) in
                    [("--chat", &case.chat_files), ("--read-only", &case.read_only_files)]
                {
                    arguments.extend(files.iter().flat_map(|file| [flag, file.as_str()]));
                }
                if !case.message.is_empty() {
                    arguments.extend(["--message", &case.message]);
                }
                expected.push(alone(&corpus.path, &arguments));
            }
        }
        let output = answers(&corpus.path, &requests, "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(documents(&output), expected, "{}", corpus.name);
    }
}

/// A repository of two files.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("good.py"), "def good():\n    pass\n").unwrap();
    fs::write(dir.path().join("evil.py"), "def evil():\n    good()\n").unwrap();
    for arguments in [&["init", "-q"][..], &["add", "-A"][..]] {
        let status = Command::new("git").arg("-C").arg(dir.path()).args(arguments).status();
        assert!(status.unwrap().success());
    }
    dir
}

#[test]
fn a_program_that_starts_itself_again_answers_all_requests_once() {
    let dir = repository();
    let requests = [json!({}), json!({"chat_files": ["good.py"]}), json!({"map_tokens": 0})];
    let output = answers(dir.path(), &requests, "crash:evil.py");
    let documents = documents(&output);
    assert_eq!((output.status.code(), documents.len()), (Some(0), 3));
    assert_eq!(documents[0]["skipped"][0]["file"], "evil.py");
    let map = documents[0]["text"].as_str().unwrap();
    assert!(map.contains("def good") && !map.contains("def evil"), "{map}");
    assert_eq!(documents[2]["text"], "");
}

#[test]
fn a_request_that_cannot_be_answered_costs_no_other_one() {
    let dir = repository();
    let requests = [json!({"chat_files": ["gone.py"]}), json!({"chat_files": ["evil.py"]})];
    let output = answers(dir.path(), &requests, "");
    let documents = documents(&output);
    assert_eq!((output.status.code(), documents.len()), (Some(2), 2));
    assert!(documents[0]["error"].as_str().unwrap().contains("gone.py"));
    assert!(documents[1]["text"].as_str().unwrap().contains("good.py"));
}

#[test]
fn what_is_no_request_is_refused_by_its_number() {
    let dir = repository();
    for (wrong, why) in [
        (json!({"chat": ["good.py"]}), "unknown field"),
        (json!({"map_tokens": -1}), "map_tokens"),
        (json!("good.py"), "request 1"),
    ] {
        let output = answers(dir.path(), &[json!({}), wrong], "");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
        assert!(told.contains("request 1") && told.contains(why), "{told}");
    }
    let missing = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["map", ".", "--requests", "nothing.jsonl"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.code() == Some(2) && told.contains("nothing.jsonl"), "{told}");
}
