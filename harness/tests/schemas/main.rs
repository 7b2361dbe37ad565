//! The published schemas: real outputs fit them, altered ones do not, and nothing in them is unused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod altered;
#[path = "../support/examples.rs"]
mod examples;
#[path = "../support/json_schema.rs"]
mod json_schema;
mod made;
mod page;
mod place;
mod reported;
mod words;

use json_schema::{judge, schema};

/// Properties that no document of these tests has, and why.
const RARE: [(&str, &str, &str); 2] = [
    ("explore", "/$defs/truncation/properties/at_least", "takes a file that nothing can count"),
    ("explore", "/$defs/truncation/properties/listed", "takes more than 50,000 entries"),
];

#[test]
fn every_output_fits_and_every_property_occurs() {
    let made = made::documents();
    let jobs: Vec<_> =
        made.iter().map(|(name, documents)| (schema(name), documents.clone())).collect();
    for ((name, documents), judged) in made.iter().zip(judge(&jobs)) {
        assert_eq!(judged.rejected, None, "{name}");
        for (document, wrong) in documents.iter().zip(&judged.wrong) {
            assert_eq!(wrong, &None, "{name}: {document}");
        }
        let unused: Vec<&str> =
            judged.defined.difference(&judged.used).map(String::as_str).collect();
        let rare = RARE.iter().filter(|(of, ..)| of == name).map(|(_, property, _)| *property);
        assert_eq!(unused, rare.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn every_published_schema_is_one() {
    let names: Vec<&str> = harness::schemas::names().filter(|name| *name != "tools").collect();
    assert!(names.len() > 20);
    let jobs: Vec<_> = names.iter().map(|name| (schema(name), Vec::new())).collect();
    for (name, judged) in names.iter().zip(judge(&jobs)) {
        assert!(judged.rejected.is_none() && !judged.defined.is_empty(), "{name}: {judged:?}");
    }
    // What is no schema is seen.
    let judged = judge(&[(serde_json::json!({"type": "text"}), Vec::new())]);
    assert!(judged[0].rejected.is_some());
}

#[test]
fn a_request_is_refused_by_the_program_if_its_schema_refuses_it_and_only_then() {
    for (name, lines) in [("map_request", made::REQUESTS), ("session_call", made::CALLS)] {
        let documents: Vec<_> =
            lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let judged = &judge(&[(schema(name), documents)])[0];
        for (line, wrong) in lines.iter().zip(&judged.wrong) {
            let refused = !made::accepted()[name].contains(line);
            assert_eq!(refused, wrong.is_some(), "{name}: {line}: {wrong:?}");
        }
        let refused = judged.wrong.iter().flatten().count();
        assert!(refused >= 4 && lines.len() - refused >= 4, "{name}: {refused}");
    }
}
