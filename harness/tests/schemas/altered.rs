//! A document with one field renamed, missing, added or of another type no longer fits its schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{judge, made, schema};

/// Objects whose members are named by what they are about.
const NAMED: [&str; 6] = [
    "languages",
    "personalization",
    "tags",
    "sources_sha256",
    "tokenizer_data_sha256",
    "variables",
];
/// Objects whose members depend on a language, a format or a code, and are not described.
const OPEN: [&str; 3] = ["fields", "details", "explorers"];
/// Fields of a map that may be missing.
const MAP: &[&str] = &[
    "attempts",
    "chat",
    "definition_ranks",
    "edges",
    "edges_sha256",
    "edited",
    "explain",
    "file_hex",
    "file_ranks",
    "graph",
    "listing",
    "model",
    "personalization",
    "postfit",
    "prefit",
    "search",
    "tags",
    "tracked",
    "wheel_sha256",
    "words",
    "worth",
];
/// Fields of a report that may be missing.
const REPORT: &[&str] = &[
    "band",
    "explorers",
    "note",
    "part",
    "plots",
    "run_profile",
    "seeds",
    "verify",
    "warning",
    "wheel_sha256",
];
/// Fields of an artifact that may be missing.
const ARTIFACT: &[&str] =
    &["details", "duration_ms", "error", "failed_stage", "session_id", "timeout_ms"];
/// The fields that may be missing in documents of a schema; of a request, all may be.
const OPTIONAL: [(&str, Option<&[&str]>); 10] = [
    ("map", Some(MAP)),
    ("map_request", None),
    ("map_answer", Some(MAP)),
    ("session_call", None),
    ("session_answer", Some(&["file_hex", "listing", "unparsed", "wheel_sha256"])),
    ("report", Some(REPORT)),
    ("explore", Some(&["at_least", "listed", "parts"])),
    ("problem", Some(&["details", "failed_stage"])),
    ("repomap_artifact_v1", Some(ARTIFACT)),
    ("hook_output", Some(&[])),
];

/// One alteration of a document.
struct Altered {
    what: String,
    document: Value,
}

#[test]
fn a_field_renamed_missing_added_or_of_another_type_is_seen() {
    let made = made::documents();
    let mut jobs = Vec::new();
    let mut told = Vec::new();
    for (name, documents) in made {
        let optional = OPTIONAL.iter().find(|(of, _)| of == name).unwrap().1;
        let mut seen = BTreeSet::new();
        let altered: Vec<Altered> = documents
            .iter()
            .flat_map(|document| alterations(document, optional, &mut seen))
            .collect();
        let kinds = ["renamed", "missing", "added", "retyped"];
        for kind in kinds {
            let count = altered.iter().filter(|altered| altered.what.starts_with(kind)).count();
            let is_request = kind == "missing" && optional.is_none();
            assert!(count > 0 || is_request, "{name}: nothing {kind}");
        }
        jobs.push((schema(name), altered.iter().map(|one| one.document.clone()).collect()));
        told.push((name, altered));
    }
    for ((name, altered), judged) in told.iter().zip(judge(&jobs)) {
        assert!(altered.len() >= 10, "{name}");
        let missed: Vec<&str> = altered
            .iter()
            .zip(&judged.wrong)
            .filter(|(_, wrong)| wrong.is_none())
            .map(|(altered, _)| altered.what.as_str())
            .collect();
        assert_eq!(missed, Vec::<&str>::new(), "{name}");
    }
}

/// The alterations of a document at places that no earlier document had.
fn alterations(
    document: &Value,
    optional: Option<&[&str]>,
    seen: &mut BTreeSet<String>,
) -> Vec<Altered> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), String::new(), document)];
    while let Some((pointer, place, value)) = pending.pop() {
        match value {
            Value::Array(items) => {
                let inner = items.iter().enumerate();
                pending.extend(inner.map(|(number, item)| {
                    (format!("{pointer}/{number}"), format!("{place}/*"), item)
                }));
            }
            Value::Object(members) => {
                let name = place.rsplit('/').next().unwrap();
                if OPEN.contains(&name) {
                    continue;
                }
                let is_named = NAMED.contains(&name);
                for (name, member) in members {
                    let step = name.replace('~', "~0").replace('/', "~1");
                    let shown = if is_named { "*" } else { name };
                    pending.push((format!("{pointer}/{step}"), format!("{place}/{shown}"), member));
                }
                if !is_named {
                    let mut at = |what: &str, alter: &dyn Fn(&mut Map<String, Value>)| {
                        if seen.insert(what.to_owned()) {
                            let mut document = document.clone();
                            let object = document.pointer_mut(&pointer).unwrap();
                            alter(object.as_object_mut().unwrap());
                            found.push(Altered { what: what.to_owned(), document });
                        }
                    };
                    at(&format!("added to {place}"), &|object| {
                        object.insert("unknown".to_owned(), Value::Null);
                    });
                    for name in members.keys() {
                        at(&format!("renamed {place}/{name}"), &|object| {
                            let value = object.remove(name).unwrap();
                            object.insert(format!("{name}_"), value);
                        });
                        at(&format!("retyped {place}/{name}"), &|object| {
                            object.insert(name.clone(), json!([{"unknown": [null]}]));
                        });
                        if optional.is_some_and(|optional| !optional.contains(&name.as_str())) {
                            at(&format!("missing {place}/{name}"), &|object| {
                                object.remove(name);
                            });
                        }
                    }
                }
            }
            _ => {}
        }
    }
    found
}
