//! Documents of every schema, as the program prints or reads them.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    process::Command,
    sync::OnceLock,
};

use serde_json::{Value, json};

use super::{
    place::{Place, objects, told},
    reported,
};

/// Lines for `parity map --requests`, some of which are wrong.
pub const REQUESTS: &[&str] = &[
    "{}",
    r#"{"chat_files": ["shapes.py"], "read_only_files": ["use_shapes.py"]}"#,
    r#"{"message": "what is area_of?", "map_tokens": 300.5, "trace": "graph"}"#,
    r#"{"mentioned_fnames": ["shapes.py"], "mentioned_idents": ["area_of"], "trace": "ranking"}"#,
    r#"{"mentioned_fnames": null, "mentioned_idents": null, "map_tokens": null, "trace": null}"#,
    r#"{"trace": "edges", "map_tokens": 0}"#,
    r#"{"trace": "none", "chat_files": ["gone.py"]}"#,
    r#"{"model": "4o"}"#,
    r#"{"model": "meta-llama/Llama-3-8b"}"#,
    r#"{"model": null}"#,
    r#"{"model": 4}"#,
    r#"{"chat": ["shapes.py"]}"#,
    r#"{"map_tokens": -1}"#,
    r#"{"map_tokens": 1000000001}"#,
    r#"{"map_tokens": "many"}"#,
    r#"{"trace": "all"}"#,
    r#"{"chat_files": "shapes.py"}"#,
    r#"{"message": null}"#,
    r#""shapes.py""#,
];
/// Lines for `parity session`, some of which are wrong.
pub const CALLS: &[&str] = &[
    "{}",
    r#"{"chat_files": ["shapes.py"], "read_only_files": ["use_shapes.py"], "force_refresh": true}"#,
    r#"{"message": "what is area_of?", "map_processing_seconds": 2.5}"#,
    r#"{"mentioned_fnames": ["shapes.py"], "mentioned_idents": ["area_of"]}"#,
    r#"{"mentioned_fnames": null, "mentioned_idents": null, "map_processing_seconds": null}"#,
    r#"{"chat_files": ["gone.py"]}"#,
    r#"{"map_tokens": 1}"#,
    r#"{"force_refresh": 1}"#,
    r#"{"chat_files": [1]}"#,
    r#"{"message": null}"#,
    "7",
];

/// The lines that the program does not refuse as no request or call at all, by the schema of the lines.
pub fn accepted() -> &'static BTreeMap<&'static str, Vec<&'static str>> {
    static MADE: OnceLock<BTreeMap<&str, Vec<&str>>> = OnceLock::new();
    MADE.get_or_init(|| {
        let accepted = |lines: &[&'static str], arguments: &[&str]| {
            let place = Place::small();
            let is_accepted = |line: &&&str| {
                let said = place.parity(arguments, line).stderr;
                !String::from_utf8_lossy(&said).contains("is not valid")
            };
            lines.iter().filter(is_accepted).copied().collect()
        };
        BTreeMap::from([
            ("map_request", accepted(REQUESTS, &["map", "--requests", "-"])),
            ("session_call", accepted(CALLS, &["session"])),
        ])
    })
}

/// Documents by the name of their schema, made once.
pub fn documents() -> &'static BTreeMap<&'static str, Vec<Value>> {
    static MADE: OnceLock<BTreeMap<&str, Vec<Value>>> = OnceLock::new();
    let parsed = |name: &str| -> Vec<Value> {
        accepted()[name].iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    MADE.get_or_init(|| {
        BTreeMap::from([
            ("map", maps()),
            ("map_request", parsed("map_request")),
            ("map_answer", answers()),
            ("session_call", parsed("session_call")),
            ("session_answer", replies()),
            ("report", reported::printed()),
            ("explore", explorations()),
            ("problem", problems()),
            ("repomap_artifact_v1", artifacts()),
            ("hook_output", hooks()),
        ])
    })
}

/// Maps of both profiles, with every flag that changes their fields.
fn maps() -> Vec<Value> {
    let place = Place::rich();
    let said = "what does area_of of a shape round_up?";
    let flags: [&[&str]; 8] = [
        &[],
        &["--trace"],
        &["--trace-graph", "--map-mul-no-files", "3"],
        &["--trace-edges", "--explain", "--message", said, "--refresh", "manual"],
        &["--explain", "--chat", "use_shapes.py", "--trace"],
        &["--explain", "--map-tokens", "0", "--trace-graph"],
        &["--explain", "--map-tokens", "1", "--trace-graph"],
        &["--subtree-only", "--trace", "--chat", "shapes.py", "--chat", "use_shapes.py"],
    ];
    let mut found = Vec::new();
    for profile in ["parity", "enhancement"] {
        for flags in flags {
            let arguments = [&["map", "--json", "--profile", profile], flags].concat();
            found.extend(place.objects(&arguments, ""));
        }
    }
    found.extend(place.objects(&["map", "--requests", "-"], r#"{"model": "4o"}"#));
    // A file that is not what HEAD has.
    place.git(&["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "-m", "a"]);
    place.write("shapes.py", "def area_of(shape):\n    return shape.area\n");
    let enhanced = ["map", "--json", "--profile", "enhancement"];
    found.extend(place.objects(&[&enhanced[..], &["--explain"]].concat(), ""));
    // Without a work tree: the files of the chat, and in the enhancement profile those of the folder.
    std::fs::remove_dir_all(place.root().join(".git")).unwrap();
    found.extend(place.objects(&["map", "--json", "--chat", "shapes.py", "--trace"], ""));
    found.extend(place.objects(&[&enhanced[..], &["--trace"]].concat(), ""));
    found
}

fn answers() -> Vec<Value> {
    let place = Place::rich();
    let lines = &accepted()["map_request"];
    let mut found = Vec::new();
    for profile in ["parity", "enhancement"] {
        let arguments = ["map", "--requests", "-", "--profile", profile];
        let answers = place.objects(&arguments, &lines.join("\n"));
        assert_eq!(answers.len(), lines.len());
        found.extend(answers);
    }
    found
}

fn replies() -> Vec<Value> {
    let place = Place::rich();
    // Every line is answered, those that are no call and no JSON too.
    let lines = [CALLS, &["", "no JSON"]].concat();
    let mut found = Vec::new();
    for flags in [&["--profile", "parity"], &["--profile", "enhancement"], &["--refresh", "files"]]
    {
        let arguments = [&["session"][..], flags].concat();
        let replies = place.objects(&arguments, &lines.join("\n"));
        assert_eq!(replies.len(), lines.len());
        found.extend(replies);
    }
    let mut command = place.program(env!("CARGO_BIN_EXE_parity"));
    command.arg("session").env("PARITY_TEST_PARSER", "crash:shapes.py");
    found.extend(objects(&told(command, "{}\n")));
    found
}

fn explorations() -> Vec<Value> {
    let place = Place::small();
    place.write("broken.json", "{\"a\": 1,\n \"b\": }\n");
    place.write("Makefile", "all: build\n\nbuild:\n\ttrue\n");
    let many: String =
        (0..90).map(|number| format!("def number_{number}():\n    pass\n\n")).collect();
    place.write("many.py", &many);
    place.write("nothing.bin", "");
    let files = ["shapes.py", "use_shapes.py", "broken.json", "Makefile", "many.py", "nothing.bin"];
    let mut found = Vec::new();
    for profile in ["parity", "enhancement"] {
        let flags = ["explore", "--json", "--budget", "200", "--profile", profile, "gone.py"];
        found.extend(place.objects(&[&flags, &files[..]].concat(), ""));
    }
    found
}

/// One failure of each kind, in each of the three forms.
fn problems() -> Vec<Value> {
    let place = Place::small();
    place.write("notes.md", "# a\n");
    let mut found = Vec::new();
    for asked in [
        &["nav", "definition", "gone.py", "--symbol", "x", "--json"][..],
        &["nav", "hover", "shapes.py", "--line", "2", "--column", "1", "--json"],
        &["nav", "parse", "notes.md", "--json"],
    ] {
        found.extend(place.objects(asked, ""));
    }
    found.extend(refusals(&place));
    let place = Place::empty();
    let event = json!({"hook_event_name": "SessionStart", "session_id": "a", "cwd": place.root()});
    let flags = ["hook", "--client", "plain", "--timeout", "25000"];
    found.extend(place.objects(&flags, &event.to_string()));
    place.parity(&["map", "--artifact", "out", "--timeout", "25000"], "");
    let artifact = std::fs::read(place.root().join("out/latest.json")).unwrap();
    let artifact: Value = serde_json::from_slice(&artifact).unwrap();
    found.push(artifact["error"].clone());
    found
}

/// An artifact with a map, one with a map that is not complete, and one without.
fn artifacts() -> Vec<Value> {
    let place = Place::small();
    let mut found = Vec::new();
    let mut make = |command: Command| {
        told(command, "");
        let artifact = std::fs::read(place.root().join("out/latest.json")).unwrap();
        found.push(serde_json::from_slice(&artifact).unwrap());
    };
    let flags = ["map", "--artifact", "out", "--timeout", "25000", "--session-id", "s"];
    let command = || {
        let mut command = place.program(env!("CARGO_BIN_EXE_parity"));
        command.args(flags);
        command
    };
    make(command());
    let mut crashing = command();
    crashing.env("PARITY_TEST_PARSER", "crash:shapes.py");
    make(crashing);
    std::fs::remove_dir_all(place.root().join(".git")).unwrap();
    make(command());
    found
}

/// What hooks answer: a map, advice that there is no artifact, and a failure in its own form.
fn hooks() -> Vec<Value> {
    let (place, empty) = (Place::small(), Place::empty());
    let mut found = Vec::new();
    for (place, client, mode) in
        [(&place, "claude", "inject"), (&empty, "claude", "artifact"), (&empty, "plain", "inject")]
    {
        let event =
            json!({"hook_event_name": "SessionStart", "session_id": "a", "cwd": place.root()});
        let flags = ["hook", "--client", client, "--mode", mode, "--timeout", "25000"];
        found.extend(place.objects(&flags, &event.to_string()));
    }
    found
}

/// What the server says of a tool, an argument and a file that it does not know.
fn refusals(place: &Place) -> Vec<Value> {
    let call = |id: u32, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        call(2, "repo_map", json!({"unknown": 1})),
        call(3, "explore", json!({"file_path": "/etc/passwd"})),
    ];
    let root = place.root().to_str().unwrap();
    let mut server =
        place.program(env!("CARGO_BIN_EXE_parity")).args(["mcp", "--root", root]).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    for line in &lines {
        writeln!(input, "{line}").unwrap();
    }
    // The server ends with its input, so that stays open until all is answered.
    let output = BufReader::new(server.stdout.take().unwrap()).lines().take(lines.len());
    let answers: Vec<Value> =
        output.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    drop(input);
    server.wait().unwrap();
    let refused = answers.iter().filter(|answer| answer["result"]["isError"] == true);
    let texts = refused.map(|answer| answer["result"]["content"][0]["text"].as_str().unwrap());
    let found: Vec<Value> = texts.map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!(found.len(), 2, "{answers:?}");
    found
}
