//! B4 on formats of ours, and its negative controls.

use std::path::Path;

use serde_json::json;

use super::*;
use crate::gate::{Verdict, verdict};

fn protocol() -> Formats {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols/v1/formats.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Fields of a JSON file with twenty keys.
fn fields() -> Value {
    let keys: Vec<Value> =
        (0..20).map(|n| json!({"path": format!(".k{n}"), "types": ["number"]})).collect();
    json!({
        "root_type": "object", "max_depth": 1, "total_keys": 20, "total_array_elements": 0,
        "is_minified": false, "keys": keys, "document_count": 1,
    })
}

/// What an independent parser says of such a file.
fn gold(protocol: &Formats) -> Labels {
    let digest = |n: u64| super::super::entities::text_digest(&protocol.salt, &format!(".k{n}"));
    Labels {
        entities: (0..20)
            .map(|n| vec!["key".into(), digest(n).into(), "number".into(), Value::Null])
            .collect(),
        counts: [("total_keys", 20), ("max_depth", 1)]
            .map(|(name, count)| (name.to_owned(), count))
            .into(),
        ..Labels::default()
    }
}

/// The verdict over forty such files after a fault in each.
fn with(profile: &str, fault: impl Fn(&mut Value)) -> (Verdict, Vec<Cell>) {
    let protocol = protocol();
    let mut evidence = B4Evidence::default();
    for _ in 0..40 {
        let mut document = json!({
            "file": "a.json", "explorer_used": "json", "success": true, "summary": "x",
            "symbols": [], "imports": [], "truncated": [], "fields": fields(),
        });
        fault(&mut document);
        let explored: Explored = serde_json::from_value(document).unwrap();
        evidence.explored += 1;
        evidence.model_tiers += u64::from(explored.explorer_used.contains('+'));
        let gold = gold(&protocol);
        let parity = profile == "parity";
        evidence.add(&protocol, "json", parity, &gold, Some(&explored), "a.json");
    }
    let cells = b4(&evidence, &protocol, profile, true);
    (verdict(&cells), cells)
}

#[test]
fn true_fields_pass_in_both_profiles() {
    for profile in ["parity", "enhancement"] {
        let (verdict, cells) = with(profile, |_| ());
        assert_eq!(verdict, Verdict::Pass, "{cells:#?}");
    }
}

/// Damages an exploration.
type Fault<'f> = &'f dyn Fn(&mut Value);

#[test]
fn each_fault_turns_the_gate_red() {
    fn keys(document: &mut Value) -> &mut Vec<Value> {
        document["fields"]["keys"].as_array_mut().unwrap()
    }
    let faults: [(&str, Fault); 6] = [
        ("a required field is missing", &|document| {
            document["fields"].as_object_mut().unwrap().remove("root_type");
        }),
        ("one key in four is missing", &|document| {
            let mut n = 0;
            keys(document).retain(|_| {
                n += 1;
                n % 4 != 0
            });
        }),
        ("keys are invented", &|document| {
            for n in 0..6 {
                keys(document).push(json!({"path": format!(".x{n}"), "types": ["number"]}));
            }
        }),
        ("types are wrong", &|document| {
            for key in keys(document).iter_mut().take(5) {
                key["types"] = json!(["string"]);
            }
        }),
        ("counts are wrong", &|document| document["fields"]["total_keys"] = json!(30)),
        ("a model had a part", &|document| document["explorer_used"] = json!("json+llm")),
    ];
    for (name, fault) in faults {
        for profile in ["parity", "enhancement"] {
            assert_eq!(with(profile, fault).0, Verdict::Fail, "{name}, {profile}");
        }
    }
}

#[test]
fn nothing_run_and_too_few_files_are_no_pass() {
    let protocol = protocol();
    let nothing = b4(&B4Evidence::default(), &protocol, "parity", false);
    assert!(nothing.iter().any(|cell| cell.verdict == Verdict::NotRun));
    let mut few = B4Evidence::default();
    few.add(&protocol, "json", true, &gold(&protocol), None, "a.json");
    let cells = b4(&few, &protocol, "parity", true);
    assert!(cells.iter().any(|cell| cell.verdict == Verdict::Insufficient));
}
