//! The contract of `parity lcm`: fields, exit codes and messages; the store is tested in the crate `lcm`.

#![cfg(target_os = "linux")]

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// Runs `parity lcm` on the store in a folder.
fn lcm(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    lcm_in(folder, args, input, None)
}

/// The same with another folder for temporary files.
fn lcm_in(folder: &Path, args: &[&str], input: &[u8], temporary: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.args(["lcm", "--store"]).arg(folder.join("store")).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(temporary.map(|folder| ("TMPDIR", folder)));
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn json(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"))
}

fn log() -> Vec<u8> {
    b"2026-01-01T00:00:00Z INFO all is well \xff\n".repeat(4_000)
}

const PUT: [&str; 8] =
    ["put", "--session", "s", "--path", "lcm.tool_output.create", "--name", "a.log", "--json"];

#[test]
fn what_is_put_in_is_described_and_read_byte_for_byte() {
    for (profile, persisted) in [("parity", false), ("enhancement", true)] {
        let folder = tempfile::tempdir().unwrap();
        let put = lcm(folder.path(), &[&PUT[..], &["--profile", profile]].concat(), &log());
        assert!(put.status.success(), "{}", String::from_utf8_lossy(&put.stderr));
        let put = json(&put);
        let id = put["id"].as_str().unwrap();
        assert_eq!(
            (put["bytes"].as_u64(), &put["stored"]),
            (Some(log().len() as u64), &true.into())
        );
        assert_eq!(put["storage_kind"], "inline_binary");
        assert_eq!(put["explorer_used"], "log");
        assert_eq!(put["exploration_persisted"], persisted);
        assert!(put["tokens"].as_u64().unwrap() > 10_000);
        assert!(put["text"].as_str().unwrap().contains(id));
        let asked = ["--session", "s", "--caller", "sub-agent", "--profile", profile];
        let described =
            json(&lcm(folder.path(), &[&["describe", id, "--json"], &asked[..]].concat(), b""));
        for (field, expected) in [
            ("id", Value::from(id)),
            ("kind", "file".into()),
            ("bytes", put["bytes"].clone()),
            ("tokens", put["tokens"].clone()),
            ("persisted", persisted.into()),
            ("lineage", vec!["s"].into()),
        ] {
            assert_eq!(described[field], expected, "{field}");
        }
        assert_eq!(described["exploration_summary"].is_string(), persisted);
        assert_eq!(described["explorer_used"].is_string(), persisted);
        let read = lcm(folder.path(), &[&["read", id], &asked[..]].concat(), b"");
        assert_eq!((read.status.code(), read.stdout), (Some(0), log()));
    }
}

#[test]
fn a_small_content_comes_back_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let put = lcm(folder.path(), &PUT, b"small");
    assert_eq!(put.status.code(), Some(0));
    let put = json(&put);
    assert_eq!((&put["id"], &put["stored"]), (&Value::Null, &false.into()));
    assert_eq!((&put["text"], &put["reason"]), (&"small".into(), &"below_threshold".into()));
    let plain = lcm(folder.path(), &["put", "--session", "s"], b"small \xff\0\x1b[2J");
    assert_eq!(plain.stdout, b"small \xff\0\x1b[2J");
}

#[test]
fn what_is_missing_and_what_is_hidden_exit_alike() {
    let folder = tempfile::tempdir().unwrap();
    let id = json(&lcm(folder.path(), &PUT, &log()))["id"].as_str().unwrap().to_owned();
    assert!(lcm(folder.path(), &["session", "other"], b"").status.success());
    let mut said = Vec::new();
    for id in [id.as_str(), "file_0000000000000000", "nonsense"] {
        for command in ["describe", "read", "expand"] {
            let args = [command, id, "--session", "other", "--caller", "sub-agent"];
            let output = lcm(folder.path(), &args, b"");
            assert_eq!(output.status.code(), Some(25), "{command} {id}");
            assert_eq!(output.stdout, b"");
            said.push(output.stderr);
        }
    }
    // In the parity profile, the main agent reads nothing of its own session either.
    let main = lcm(folder.path(), &["read", &id, "--session", "s", "--caller", "main"], b"");
    assert_eq!(main.status.code(), Some(25));
    said.push(main.stderr);
    said.dedup();
    assert_eq!(said.len(), 1);
}

#[test]
fn an_exploration_that_cannot_be_made_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let args = [&PUT[..], &["--profile", "enhancement"]].concat();
    let put = lcm_in(folder.path(), &args, &log(), Some("/nonexistent"));
    assert_eq!(put.status.code(), Some(0));
    let put = json(&put);
    assert_eq!((&put["stored"], &put["explorer_used"]), (&true.into(), &Value::Null));
    assert_eq!(put["exploration_persisted"], false);
}

#[test]
fn a_damaged_store_says_what_is_intact_and_the_agent_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let id = json(&lcm(folder.path(), &PUT, &log()))["id"].as_str().unwrap().to_owned();
    let other = [&PUT[..], &["--tool", "other"]].concat();
    lcm(folder.path(), &other, &b"another output\n".repeat(9_000));
    let place = folder.path().join("store");
    let whole = fs::read(&place).unwrap();
    let found = whole.windows(12).position(|window| window == b" all is well").unwrap();
    let mut broken = whole.clone();
    broken[found + 1] = b'X';
    fs::write(&place, &broken).unwrap();
    let args = ["read", &id, "--session", "s", "--caller", "sub-agent"];
    let read = lcm(folder.path(), &args, b"");
    let said = String::from_utf8(read.stderr).unwrap();
    assert_eq!((read.status.code(), read.stdout.len()), (Some(74), 0));
    assert!(said.contains("intact: 1 of 2 large contents"), "{said}");
    let check = lcm(folder.path(), &["check", "--json"], b"");
    assert_eq!(check.status.code(), Some(74));
    assert_eq!(json(&check)["files"]["damaged"][0], id);

    fs::write(&place, b"no database at all".repeat(300)).unwrap();
    let put = lcm(folder.path(), &PUT, &log());
    assert_eq!(put.status.code(), Some(74));
    let put = json(&put);
    assert_eq!((&put["stored"], &put["reason"]), (&false.into(), &"failed".into()));
    assert!(put["text"].as_str().unwrap().len() > 10_000);
    assert_eq!(lcm(folder.path(), &args, b"").status.code(), Some(74));
    assert_eq!(lcm(folder.path(), &["check"], b"").status.code(), Some(74));
}

#[test]
fn requests_are_answered_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let requests = [
        r#"{"op": "session", "session": "s", "parent": "p"}"#,
        r#"{"op": "message", "session": "s", "role": "user", "base64": "/w=="}"#,
        r#"{"op": "summary", "session": "s", "messages": [1], "text": "asked"}"#,
        r#"{"op": "put", "session": "s", "path": "volt.map_shared.persist", "text": "{\"a\": 1}\n"}"#,
        r#"{"op": "describe", "id": "sum_0000000000000000", "session": "s", "caller": "main"}"#,
        r#"{"op": "put", "session": "s", "path": "volt.map_shared.persist"}"#,
        "nonsense",
        r#"{"op": "check"}"#,
    ];
    let output = lcm(folder.path(), &["serve"], requests.join("\n").as_bytes());
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let codes: Vec<u64> = answers.iter().map(|answer| answer["code"].as_u64().unwrap()).collect();
    assert_eq!(codes, [0, 0, 0, 0, 25, 2, 2, 0]);
    assert_eq!(answers[0]["answer"]["lineage"], Value::from(vec!["s", "p"]));
    assert_eq!(answers[7]["answer"]["intact"], true);
    let summary = answers[2]["answer"]["id"].as_str().unwrap();
    let args = ["expand", summary, "--session", "s", "--caller", "sub-agent", "--json"];
    let expanded = json(&lcm(folder.path(), &args, b""));
    assert_eq!(
        (&expanded["text"], &expanded["messages"][0]["base64"]),
        (&"asked".into(), &"/w==".into())
    );
    let export = lcm(folder.path(), &["export"], b"");
    assert_eq!(String::from_utf8(export.stdout).unwrap().lines().count(), 5);
    let gc = json(&lcm(folder.path(), &["gc", "--session", "p", "--json"], b""));
    assert_eq!((&gc["sessions"], &gc["files"]), (&2.into(), &1.into()));
    assert_eq!(lcm(folder.path(), &["gc", "--session", "p"], b"").status.code(), Some(25));
}

#[test]
fn the_inventory_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let paths = lcm(folder.path(), &["paths", "--json"], b"");
    assert_eq!(paths.status.code(), Some(0), "{}", String::from_utf8_lossy(&paths.stderr));
    let traced = &json(&paths)["paths"][0]["traced"];
    assert_eq!(traced, &Value::from(vec!["enhancement", "parity"]));
}

/// The properties in which a value differs from a committed schema.
fn unlike(schema: &Value, value: &Value) -> Vec<String> {
    let known = schema["properties"].as_object().unwrap();
    let fields = value.as_object().unwrap().iter();
    let wrong = |(name, value): (&String, &Value)| {
        let Some(of) = known.get(name) else { return Some(format!("{name} is not in the schema")) };
        let words = of["enum"].as_array();
        let other = words.is_some_and(|words| !words.contains(value));
        other.then(|| format!("{name} is {value}"))
    };
    fields.filter_map(wrong).collect()
}

#[test]
fn every_request_and_every_answer_is_as_its_schema_says() {
    let schema = |name: &str| -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols/schemas").join(name);
        serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
    };
    let (asked, answered) = (schema("lcm_request.json"), schema("lcm_answer.json"));
    let folder = tempfile::tempdir().unwrap();
    let text = "a ".repeat(20_000);
    let put = |session: &str| serde_json::json!({"op": "put", "session": session, "path": "lcm.tool_output.create", "tool": "t", "text": text});
    let first = [
        serde_json::json!({"op": "session", "session": "s", "parent": null}),
        put("s"),
        serde_json::json!({"op": "put", "session": "s", "path": "lcm.tool_output.create", "base64": "/w=="}),
        serde_json::json!({"op": "message", "session": "s", "role": "user", "text": "asked"}),
        serde_json::json!({"op": "summary", "session": "s", "messages": [1], "parents": [], "text": "asked"}),
        serde_json::json!({"op": "check"}),
        serde_json::json!({"op": "nonsense"}),
    ];
    let serve = |requests: &[Value]| -> Vec<Value> {
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let output = lcm(folder.path(), &["serve", "--profile", "enhancement"], lines.as_bytes());
        let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    };
    let replies = serve(&first);
    let id = |number: usize| replies[number]["answer"]["id"].as_str().unwrap().to_owned();
    let (file, summary) = (id(1), id(4));
    let about = |op: &str, id: &str| serde_json::json!({"op": op, "id": id, "session": "s", "caller": "sub-agent"});
    let second = [
        about("describe", &file),
        about("describe", &summary),
        about("read", &file),
        about("expand", &file),
        about("expand", &summary),
        about("read", "file_0000000000000000"),
    ];
    let codes =
        |replies: &[Value]| replies.iter().map(|one| one["code"].clone()).collect::<Vec<_>>();
    let further = serve(&second);
    assert_eq!(codes(&replies), [0, 0, 0, 0, 0, 0, 2]);
    assert_eq!(codes(&further), [0, 0, 0, 0, 0, 25]);
    let requests = first[..6].iter().chain(&second);
    let mut wrong: Vec<String> = requests.flat_map(|request| unlike(&asked, request)).collect();
    for reply in replies.iter().chain(&further) {
        wrong.extend(unlike(&answered, reply));
        if reply["answer"].is_object() {
            wrong.extend(unlike(&answered["properties"]["answer"], &reply["answer"]));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
