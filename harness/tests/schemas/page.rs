//! `docs/json.md`: its tables are those of the schemas, and its examples are what the program prints.

use std::path::Path;

use harness::report::splice::splice;
use serde_json::Value;

use super::{
    examples::{PAGE, examples, page, printed},
    judge,
    place::Place,
    schema,
};

#[test]
fn the_tables_of_the_page_are_those_of_the_schemas() {
    let text = page();
    for name in ["map", "map_request", "map_answer", "session_call", "session_answer", "report"] {
        let block = format!("<!-- spliced: fields from protocols/schemas/{name}.json -->");
        assert!(text.contains(&block), "{name} has no table");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let made = splice(root, PAGE, &text).unwrap();
    assert!(made == text, "run `cargo parity report --splice`");
    // A word that is changed by hand is seen.
    let edited = text.replacen("always", "sometimes", 1);
    assert!(edited != text && splice(root, PAGE, &edited).unwrap() == text);
}

#[test]
fn the_examples_of_the_page_are_what_the_program_prints() {
    let text = page();
    let place = Place::small();
    let examples = examples(&text);
    let mine = examples.iter().filter(|(command, _)| !command.contains("parity report"));
    let mut tried = Vec::new();
    for (command, expected) in mine {
        assert_eq!(&printed(place.program("sh"), command), expected, "{command}");
        tried.push(command.as_str());
    }
    for what in ["map --json", "map --requests", "session", "cat "] {
        assert!(tried.iter().any(|command| command.contains(what)), "no example of {what}");
    }
    // What another repository gives is not what the page says.
    place.write("shapes.py", "def other():\n    pass\n");
    let differ = tried.iter().filter(|command| {
        let (_, expected) = examples.iter().find(|(known, _)| known == **command).unwrap();
        &printed(place.program("sh"), command) != expected
    });
    assert!(differ.count() >= 3);
}

#[test]
fn a_reply_fits_the_schema_that_the_page_names() {
    let text = page();
    let place = Place::small();
    let reply = place.objects(&["session"], "{}\n");
    let judged = judge(&[(schema("session_answer"), reply), (schema("map"), vec![Value::Null])]);
    assert_eq!(judged[0].wrong, [None]);
    assert!(judged[1].wrong[0].is_some());
    assert!(text.contains("parity schema session_answer"));
}
