//! Which answers are accepted and which are refused.

use record::{Stage, TagKind};
use serde_json::{Value, json};

use super::*;
use crate::sides::PrefitEntry;

/// What a driver says about itself and the comparator; no test here checks the values.
fn receipt() -> Value {
    let package = |name: &str| json!({"name": name, "version": "1.0", "metadata_sha256": "m", "files_sha256": "f"});
    json!({
        "tuple": {
            "aider_release": package("a"), "aider_commit_sha": "c",
            "grep_ast_provenance": package("g"), "tokenizer_id": "t", "tokenizer_version": "1",
            "tokenizer_data_sha256": {}, "python_version": "3.11.7", "sources_sha256": {},
            "driver_sha256": "d",
        },
        "environment": {
            "variables": {}, "git": "git", "python": "p", "system": "s", "machine": "m",
            "libc": "l",
        },
        "versions": {},
    })
}

/// An answer with two cases; the second attempt repeats the ranking of the first.
fn answer() -> Value {
    let attempt = |own: Value| {
        let mut attempt = json!({
            "chat_files": [], "mentioned_fnames": [], "mentioned_idents": [""], "cached": false,
            "exception": null, "target_tokens": 2048, "listing": "\na.py\n",
            "exact_token_count": 4,
            "search": [{"middle": 2, "tokens": 1900.5, "pct_err": 0.07, "kept": true}],
        });
        attempt.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        attempt
    };
    let ranked = attempt(json!({
        "personalization": {"a.py": 0.5}, "personalization_applied": true,
        "graph": {"nodes": 1, "edges": 1}, "file_ranks": [["a.py", 1.0]],
        "definition_ranks": [["a.py", "f", 0.25]],
        "prefit": [[1, "a.py", 3, "f", "def"], [3, "b.txt"]],
    }));
    let repeated = attempt(json!({"ranking_same_as": "one#two#0"}));
    let mut answer = receipt();
    let body = json!({
        "schema_version": 1, "driver": "aider", "mode": "canonical", "seed": "0",
        "model": "gpt-4o", "network_attempts": [], "future_field": {"is": "ignored"},
        "tags": {"a.py": [[3, "f", "def"], [-1, "g", "ref"]]},
        "cases": [
            {"id": "one#two", "attempts": [ranked], "listing": "\na.py\n", "error": null},
            {"id": "b", "attempts": [repeated], "listing": null, "error": null},
        ],
    });
    answer.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    answer
}

fn parse(answer: &Value) -> Result<Response, ResponseError> {
    Response::parse(answer.to_string().as_bytes())
}

#[test]
fn reads_every_row_and_resolves_repeated_rankings() {
    let response = parse(&answer()).unwrap();
    let first = &response.case("one#two").unwrap().attempts[0];
    let second = &response.case("b").unwrap().attempts[0];
    let ranking = response.ranking(second).unwrap();
    assert_eq!(ranking.prefit, response.ranking(first).unwrap().prefit);
    let file = || "a.py".to_owned();
    let tag = Some((3, "f".to_owned(), TagKind::Definition));
    let entry = |stage, file: &str, tag| PrefitEntry { stage, file: file.to_owned(), tag };
    let expected = [entry(Stage::Definitions, "a.py", tag), entry(Stage::Others, "b.txt", None)];
    assert_eq!(ranking.prefit, expected);
    assert_eq!(ranking.file_ranks, [(file(), 1.0)]);
    assert_eq!(ranking.graph, GraphSize { nodes: 1, edges: 1 });
    assert_eq!(second.search[0].tokens, Some(1900.5));
    assert_eq!(response.tags.as_ref().unwrap()["a.py"][1], (-1, "g".into(), TagKind::Reference));
}

#[test]
fn the_substance_ignores_time_and_nothing_else() {
    let original = parse(&answer()).unwrap().substance();
    let changed = |pointer: &str, value: Value| {
        let mut answer = answer();
        *answer.pointer_mut(pointer).unwrap() = value;
        parse(&answer).unwrap().substance()
    };
    let mut slower = answer();
    slower["cases"][0]["seconds"] = json!(99.5);
    slower["timing"] = json!({"total": 99.5});
    slower["seed"] = json!("7");
    assert_eq!(parse(&slower).unwrap().substance(), original);
    for (pointer, value) in [
        ("/mode", json!("raw")),
        ("/cases/0/listing", json!("\na.py:\n")),
        ("/cases/0/attempts/0/definition_ranks/0/2", json!(0.250_000_000_000_000_06)),
        ("/cases/0/attempts/0/prefit/0/2", json!(4)),
        ("/cases/0/attempts/0/search/0/kept", json!(false)),
        ("/tags/a.py/0/1", json!("h")),
    ] {
        assert_ne!(changed(pointer, value), original, "{pointer}");
    }
}

#[test]
fn the_head_says_what_the_whole_answer_says_and_reads_no_further() {
    let mut answer = answer();
    let whole = parse(&answer).unwrap();
    answer["cases"] = json!("unreadable");
    let head = Head::parse(answer.to_string().as_bytes()).unwrap();
    assert_eq!((&head.mode, &head.seed, &head.model), (&whole.mode, &whole.seed, &whole.model));
    assert_eq!(head.receipt.tuple, whole.receipt.tuple);
    answer.as_object_mut().unwrap().remove("tuple");
    assert!(Head::parse(answer.to_string().as_bytes()).is_err());
}

#[test]
fn a_reference_that_leads_nowhere_is_refused() {
    for to in ["b#0", "b", "one#two#1", "one#two#-1", "none#0", "#"] {
        let mut answer = answer();
        answer["cases"][1]["attempts"][0]["ranking_same_as"] = to.into();
        let error = parse(&answer).unwrap_err();
        assert!(matches!(error, ResponseError::DanglingRanking { .. }), "{to}: {error}");
    }
}

#[test]
fn what_gates_need_must_be_there() {
    for key in ["cases", "tuple", "environment", "versions", "schema_version"] {
        let mut answer = answer();
        answer.as_object_mut().unwrap().remove(key);
        assert!(parse(&answer).is_err(), "{key}");
    }
    for key in ["chat_files", "mentioned_fnames", "mentioned_idents"] {
        let mut answer = answer();
        answer["cases"][0]["attempts"][0].as_object_mut().unwrap().remove(key);
        assert!(parse(&answer).is_err(), "{key}");
    }
}

#[test]
fn rows_of_another_shape_are_refused() {
    for row in
        [json!([]), json!([1]), json!([1, "f", 2]), json!([1, "f", 2, "n", "def", 0]), json!("x")]
    {
        let mut answer = answer();
        answer["cases"][0]["attempts"][0]["prefit"] = json!([row]);
        assert!(parse(&answer).is_err(), "{row}");
    }
}
