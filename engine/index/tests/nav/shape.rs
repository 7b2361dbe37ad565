//! The fields of answers and errors, as the tool's specification names them.

use index::nav::{Query, Scope, answer::Resolution};
use serde_json::{Value, json};

use crate::place::Place;

const SOURCE: &str = "\"\"\"Tools.\"\"\"\n\n\ndef make(size):\n    \"\"\"Makes one.\n\n    Of a size.\n    \"\"\"\n    return size\n\n\n‹make›(1)\nmake(2)\n";

fn value(answer: impl serde::Serialize) -> Value {
    serde_json::to_value(answer).unwrap()
}

#[test]
fn definition_and_hover_have_the_fields_of_the_specification() {
    let place = Place::of(&[("a.py", SOURCE)]);
    let mut navigator = place.navigator();
    let path = place.root().join("a.py");
    let found = value(navigator.definition(&place.query()).unwrap());
    assert_eq!(found["symbol"], "make");
    let expected = json!({
        "file_path": path, "line": 4, "column": 5, "kind": "function",
        "preview": "def make(size):", "resolution": "scope",
    });
    assert_eq!(found["definitions"], json!([expected]));
    assert_eq!((&found["resolution"], &found["total_count"]), (&json!("scope"), &json!(1)));
    assert_eq!(found["index"]["pending"], 0);
    let found = value(navigator.hover(&place.query()).unwrap());
    assert_eq!(found["signature"], "def make(size)");
    assert_eq!(found["documentation"], "Makes one.\n\nOf a size.");
    assert_eq!(found["definition_location"], json!({"file_path": path, "line": 4}));
}

#[test]
fn references_are_counted_whole_and_cut_with_a_cursor() {
    let place = Place::of(&[("a.py", SOURCE)]);
    let all = place.references();
    let scope = Resolution::Scope;
    let row = |line, column| ("a.py".to_owned(), line, column, scope);
    assert_eq!(all, [row(4, 5), row(12, 1), row(13, 1)]);
    let mut query = Query { limit: 2, ..place.query() };
    let mut navigator = place.navigator();
    let first = navigator.references(&query).unwrap();
    assert_eq!((first.references.len(), first.total_count), (2, 3));
    assert_eq!(first.references[1].kind, "call");
    query.cursor = first.cursor;
    let second = navigator.references(&query).unwrap();
    assert_eq!((second.references.len(), second.total_count, second.cursor), (1, 3, None));
}

#[test]
fn parse_lists_definitions_and_errors() {
    let text = "class A:\n    def m(self):\n        pass\n\ndef f(:\n    pass\n";
    let place = Place::of(&[("a.py", text)]);
    let found = place.navigator().parse("a.py".as_ref()).unwrap();
    assert_eq!((&*found.language, found.root_node.as_str()), ("python", "module"));
    let symbols: Vec<_> = found
        .symbols
        .iter()
        .map(|one| (one.name.as_str(), &*one.kind, one.line, one.column))
        .collect();
    assert_eq!(symbols[..2], [("A", "class", 1, 7), ("m", "method", 2, 9)]);
    assert!(!found.errors.is_empty());
    let place = Place::of(&[("a.py", "def f(:\n    pass\n\nx = 1\n‹x›\n")]);
    let warning = place.navigator().definition(&place.query()).unwrap().warning.unwrap();
    assert_eq!(warning.code, "TS_PARSE_ERRORS");
    assert_eq!(warning.details.error_count, warning.details.errors.len());
}

#[test]
fn errors_have_codes_and_details() {
    let place = Place::of(&[("a.py", "x = \"‹text›\"\n"), ("data.xyz", "")]);
    let error = place.error().json();
    assert_eq!(error["error"]["code"], "TS_SYMBOL_NOT_FOUND");
    assert_eq!(error["error"]["details"]["node_type"], "string_content");
    assert_eq!(error["error"]["details"]["line"], 1);
    let mut navigator = place.navigator();
    let error = navigator.definition(&Query::at("data.xyz", 1, 1)).unwrap_err().json();
    assert_eq!(error["error"]["code"], "TS_UNSUPPORTED_LANGUAGE");
    assert_eq!(error["error"]["details"]["extension"], ".xyz");
    let known = error["error"]["details"]["supported_extensions"].as_array().unwrap();
    assert!(known.contains(&json!(".py")) && known.contains(&json!(".rs")));
    for (query, code) in [
        (Query::at("../a.py", 1, 1), "TS_FILE_NOT_FOUND"),
        (Query::at("none.py", 1, 1), "TS_FILE_NOT_FOUND"),
        (Query::at("a.py", 0, 1), "TS_INVALID_REQUEST"),
        (Query { scope: Scope::File, ..Query::symbol("x") }, "TS_INVALID_REQUEST"),
        (Query::symbol("nowhere"), "TS_SYMBOL_NOT_FOUND"),
    ] {
        assert_eq!(navigator.definition(&query).unwrap_err().code(), code, "{query:?}");
    }
}

#[test]
fn scopes_bound_the_search() {
    let text = "def f():\n    pass\n";
    let place = Place::of(&[("a/x.py", text), ("a/y.py", text), ("b/z.py", text)]);
    let mut navigator = place.navigator();
    let mut count = |scope| {
        let query = Query { file: Some("a/x.py".into()), scope, ..Query::symbol("f") };
        navigator.definition(&query).unwrap().total_count
    };
    assert_eq!([count(Scope::File), count(Scope::Directory), count(Scope::Project)], [1, 2, 3]);
}
