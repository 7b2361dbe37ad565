//! Small commands around agents, and wrong command lines.

use serde_json::{Value, json};

use super::place::{Place, told};

#[test]
fn a_bad_line_of_a_session_is_answered_and_the_session_goes_on() {
    let place = Place::new();
    let calls = "{}\nno json\n{\"chat_file\": []}\n{\"chat_files\": [\"gone.py\"]}\n{}\n";
    let output = told(place.parity(&["session", ".", "--map-tokens", "1000"]), calls.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let codes: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["code"]).collect();
    let (bad, none) = (json!("invalid_call"), json!("no_map"));
    assert_eq!(codes, [&Value::Null, &bad, &bad, &none, &Value::Null]);
    for (number, answer) in answers.iter().enumerate() {
        assert_eq!((&answer["call"], &answer["schema_version"]), (&json!(number), &json!(1)));
    }
    assert_eq!(answers[0]["text"], answers[4]["text"]);
    assert!(answers[2]["error"]["message"].as_str().unwrap().contains("chat_file"));
}

#[test]
fn a_trace_without_json_is_a_usage_error() {
    let place = Place::new();
    for flag in ["--trace", "--trace-graph", "--trace-edges"] {
        let output = told(place.parity(&["map", ".", flag]), b"");
        assert_eq!(output.status.code(), Some(2), "{flag}");
        let output = told(place.parity(&["map", ".", flag, "--format", "json"]), b"");
        assert_eq!(output.status.code(), Some(0), "{flag}");
    }
}

#[test]
fn the_index_is_exported_as_a_whole_or_not_at_all() {
    let place = Place::new();
    let export = |more: &[&str]| {
        let output = told(place.parity(&[&["index", "export"], more].concat()), b"");
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let file = place.outside().join("found.scip");
    let (code, said, _) = export(&["--scip", "--json", "--output", file.to_str().unwrap()]);
    let said: Value = serde_json::from_slice(&said).unwrap();
    assert_eq!((code, &said["left_out"]), (Some(0), &json!(0)));
    assert!(said["documents"].as_u64() > Some(0) && said["symbols"].as_u64() > Some(0), "{said}");
    let whole = std::fs::read(&file).unwrap();
    let told = |wanted: &str| whole.windows(wanted.len()).any(|part| part == wanted.as_bytes());
    assert!(told("`shapes.py`/area_of().") && told("file://"));
    let (code, _, error) = export(&["--output", file.to_str().unwrap()]);
    assert!(code == Some(2) && error.contains("--scip"), "{error}");
    let in_a_file = file.join("found.scip");
    let (code, _, error) = export(&["--scip", "--output", in_a_file.to_str().unwrap()]);
    assert!(code == Some(74) && error.contains("found.scip cannot be written"), "{code:?} {error}");
    assert_eq!(std::fs::read(&file).unwrap(), whole);
}

#[test]
fn schemas_and_completions_are_printed() {
    let place = Place::new();
    for name in ["repomap_artifact_v1", "hook_input", "hook_output", "session_call", "tools"] {
        let output = told(place.parity(&["schema", name]), b"");
        assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok(), "{name}");
    }
    let output = told(place.parity(&["completions", "bash"]), b"");
    assert!(String::from_utf8(output.stdout).unwrap().contains("--artifact"));
}

#[test]
fn the_doctor_warns_and_never_fails() {
    let place = Place::new();
    let checks = |place: &Place, variables: &[(&str, &str)]| {
        let mut command = place.parity(&["doctor", "--json"]);
        command.envs(variables.iter().copied());
        let output = told(command, b"");
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["checks"].take()
    };
    let good = checks(&place, &[]);
    assert_eq!((&good[0]["name"], &good[0]["ok"]), (&json!("cache"), &json!(true)), "{good}");
    let bad = checks(&place, &[("PATH", "/nonexistent"), ("PARITY_CACHE_DIR", "/dev/null/x")]);
    assert_eq!((&bad[0]["ok"], &bad[1]["ok"]), (&json!(false), &json!(false)), "{bad}");
    assert!(bad[1]["said"].as_str().unwrap().contains("deps_missing"));
}

#[test]
fn symbols_are_printed_as_lines_or_as_json() {
    let place = Place::new();
    let asked = ["nav", "definition", "use_shapes.py", "--line", "3", "--column", "7"];
    let output = told(place.parity(&asked), b"");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "shapes.py:1:5: function, import: def area_of(shape):\n");
    let output = told(place.parity(&[&asked[..], &["--json"]].concat()), b"");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["definitions"][0]["preview"], "def area_of(shape):");
    let nothing = ["nav", "hover", "--symbol", "nowhere"];
    let output = told(place.parity(&nothing), b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let output = told(place.parity(&[&nothing[..], &["--json"]].concat()), b"");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(found["error"]["code"], "TS_SYMBOL_NOT_FOUND");
}

#[test]
fn many_questions_are_answered_by_one_process() {
    let place = Place::new();
    let questions = "{\"operation\":\"definition\",\"file\":\"use_shapes.py\",\"line\":3,\"column\":7}\n\
                     \n{\"operation\":\"hover\",\"symbol\":\"nowhere\"}\nnothing\n\
                     {\"operation\":\"references\",\"symbol\":\"area_of\",\"limit\":1}\n";
    let output = told(place.parity(&["nav", "batch"]), questions.as_bytes());
    let said = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    let alone = ["nav", "definition", "use_shapes.py", "--line", "3", "--column", "7", "--json"];
    let alone = told(place.parity(&alone), b"").stdout;
    let alone: Value = serde_json::from_slice(&alone).unwrap();
    assert_eq!(answers[0]["definitions"], alone["definitions"]);
    assert_eq!(answers[1]["error"]["code"], "TS_SYMBOL_NOT_FOUND");
    let why = answers[2]["error"]["message"].as_str().unwrap();
    assert!(why.starts_with("line 4 is not a question: "), "{why}");
    assert_eq!(answers[3]["references"].as_array().unwrap().len(), 1);
    // A line that is no question is told by the exit code, too.
    assert_eq!(output.status.code(), Some(2));
}
