//! `parity map --artifact`: the file is complete, in every case.

use std::fs;

use serde_json::{Value, json};

use super::place::{Place, told};

fn artifact(place: &Place, flags: &[&str]) -> (Value, Option<i32>) {
    let arguments = [&["map", ".", "--artifact", "out"], flags].concat();
    let output = told(place.parity(&arguments), b"");
    let latest = fs::read(place.root().join("out/latest.json")).unwrap();
    (serde_json::from_slice(&latest).unwrap(), output.status.code())
}

#[test]
fn an_artifact_has_every_field_and_order() {
    let place = Place::new();
    let flags = ["--chat", "use_shapes.py", "--session-id", "one", "--timeout", "60000"];
    let (artifact, code) = artifact(&place, &flags);
    assert_eq!((code, &artifact["ok"]), (Some(0), &json!(true)), "{artifact}");
    assert_eq!(artifact["schema_version"], "repomap_artifact_v1");
    let provenance = &artifact["provenance"];
    assert_eq!(provenance["method"], "ast_pagerank");
    assert_eq!(provenance["source_root"], place.root().canonicalize().unwrap().to_str().unwrap());
    assert_eq!(provenance["scope"], json!(["."]));
    assert_eq!(provenance["focus_files"], json!(["use_shapes.py"]));
    assert_eq!(
        (&provenance["session_id"], &provenance["timeout_ms"]),
        (&json!("one"), &json!(60_000))
    );
    assert!(provenance["duration_ms"].is_u64() && provenance["generator_version"].is_string());
    let text = artifact["text"].as_str().unwrap();
    assert_eq!(artifact["stats"]["byte_count"], text.len());
    // Two files; one has a definition, and `use_shapes.py` calls it.
    assert_eq!(artifact["stats"]["files_parsed"], 2);
    assert_eq!(artifact["stats"]["symbols_found"], 1);
    assert!(artifact["stats"]["graph_edges"].as_u64().unwrap() >= 1);
    assert_eq!(artifact["ranking"][0]["path"], "shapes.py");
    assert_eq!(artifact["ranking"][0]["symbols"], json!(["area_of"]));
    let ranked: Vec<(f64, &str)> = artifact["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (-file["score"].as_f64().unwrap(), file["path"].as_str().unwrap()))
        .collect();
    assert!(ranked.is_sorted_by(|a, b| a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)), "{ranked:?}");
    assert_eq!(artifact.get("error"), None);
    let copy = fs::read(place.root().join("out/one.json")).unwrap();
    assert_eq!(copy, fs::read(place.root().join("out/latest.json")).unwrap());
}

#[test]
fn a_failure_is_an_artifact_too() {
    let place = Place::new();
    place.git(&["rm", "-rq", "-f", "--cached", "."]);
    let (empty, code) = artifact(&place, &[]);
    assert_eq!((code, &empty["ok"]), (Some(74), &json!(false)));
    assert_eq!(empty["error"]["code"], "scan_failed");
    assert_eq!(empty["error"]["failed_stage"], "discovery");
    assert_eq!((&empty["ranking"], &empty["text"]), (&json!([]), &json!("")));
    assert_eq!(empty["provenance"]["method"], "none");
    let zeros = json!({"files_parsed": 0, "symbols_found": 0, "graph_edges": 0, "byte_count": 0, "token_count": 0});
    assert_eq!(empty["stats"], zeros);
}

#[test]
fn time_that_is_up_is_told() {
    let place = Place::new();
    let mut command = place.parity(&["map", ".", "--artifact", "out", "--timeout", "500"]);
    command.env("PARITY_TEST_PARSER", "late:shapes.py");
    let output = told(command, b"");
    assert_eq!(output.status.code(), Some(30), "{}", String::from_utf8_lossy(&output.stderr));
    let latest = fs::read(place.root().join("out/latest.json")).unwrap();
    let latest: Value = serde_json::from_slice(&latest).unwrap();
    assert_eq!(
        (&latest["error"]["code"], &latest["error"]["retryable"]),
        (&json!("timeout"), &json!(true))
    );
}

#[test]
fn a_parser_that_crashes_is_told_beside_the_map() {
    let place = Place::new();
    let mut command = place.parity(&["map", ".", "--artifact", "out", "--profile", "enhancement"]);
    place.write("broken.py", "from shapes import area_of\n\narea_of(2)\n");
    place.git(&["add", "-A"]);
    command.env("PARITY_TEST_PARSER", "crash:broken.py");
    assert!(told(command, b"").status.success());
    let latest = fs::read(place.root().join("out/latest.json")).unwrap();
    let latest: Value = serde_json::from_slice(&latest).unwrap();
    assert_eq!((&latest["ok"], &latest["error"]["code"]), (&json!(true), &json!("parse_failed")));
    assert_eq!(latest["error"]["details"]["files"][0]["file"], "broken.py");
    assert!(latest["text"].as_str().unwrap().contains("def area_of(shape):"));
}

#[test]
fn flags_without_effect_are_usage_errors() {
    let place = Place::new();
    for flags in [
        &["map", ".", "--timeout", "5"][..],
        &["map", ".", "--session-id", "x"],
        &["map", ".", "--artifact", "out", "--trace"],
        &["map", ".", "--artifact", "out", "--json"],
        &["map", ".", "--artifact", "out", "--requests", "-"],
    ] {
        let output = told(place.parity(flags), b"");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
    assert!(!place.root().join("out").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_io_error() {
    let place = Place::new();
    let output = told(place.parity(&["map", ".", "--artifact", "shapes.py/out"]), b"");
    assert_eq!(output.status.code(), Some(74), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
}
