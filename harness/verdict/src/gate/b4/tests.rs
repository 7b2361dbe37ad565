//! B4 on formats of ours, and its negative controls.

use std::path::Path;

use record::Labels;
use serde_json::{Value, json};

use super::*;
use crate::{explorations::Explored, gate::verdict};

fn protocol() -> Formats {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(record::protocol::FORMATS);
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The gold of a text, made with a digest of texts.
type Oracle = fn(&str, &dyn Fn(&str) -> String) -> Vec<Value>;

/// A format with twenty entities of its main kind, as our fields and as an independent parser give them.
struct Sample {
    format: &'static str,
    fields: Value,
    /// Pointer to the list of the entities.
    list: &'static str,
    /// A member of each entity that is compared.
    member: &'static str,
    /// Pointer to a count, and another to a required field that is neither.
    count: &'static str,
    required: &'static str,
    gold: Oracle,
}

fn samples() -> Vec<Sample> {
    let twenty = |entity: fn(u64) -> Value| (0..20).map(entity).collect::<Vec<Value>>();
    vec![
        Sample {
            format: "json",
            fields: json!({
                "root_type": "object", "max_depth": 1, "total_keys": 20, "total_array_elements": 0,
                "is_minified": false, "document_count": 1, "dialect": "json", "value_types": {},
                "comment_count": 0, "duplicate_keys": 0, "line_count": 1, "encoding": "UTF-8",
                "sampled": false,
                "keys": twenty(|n| json!({"path": format!("n{n}"), "types": ["number"]})),
            }),
            list: "/keys",
            member: "path",
            count: "/total_keys",
            required: "root_type",
            gold: |name, digest| {
                vec!["key".into(), digest(name).into(), "number".into(), Value::Null]
            },
        },
        Sample {
            format: "markdown",
            fields: json!({
                "has_frontmatter": false, "heading_counts": {"h1": 20}, "total_headings": 20,
                "code_language_histogram": {}, "code_block_count": 0, "link_count": 0,
                "image_count": 0, "reference_count": 0, "word_count": 20, "line_count": 20,
                "links": [], "references": [], "code_blocks": [], "list_count": 0,
                "special_elements": {"tables": 0}, "footnotes": [], "encoding": "UTF-8",
                "sampled": false, "fence_count": 0,
                "headings": twenty(|n| json!({"level": 1, "text": format!("n{n}"), "line": 7})),
            }),
            list: "/headings",
            member: "text",
            count: "/total_headings",
            required: "word_count",
            gold: |name, digest| vec!["heading".into(), 1.into(), digest(name).into(), 7.into()],
        },
        Sample {
            format: "sqlite",
            fields: json!({
                "indexes": [], "views": [], "triggers": [], "constraints": [], "total_tables": 20,
                "total_columns": 0, "total_rows": 0, "total_indexes": 0, "total_views": 0,
                "total_triggers": 0, "total_constraints": 0, "sampled": false,
                "tables": twenty(|n| json!({
                    "name": format!("n{n}"), "columns": [], "row_count": 0, "sample_rows": [],
                })),
            }),
            list: "/tables",
            member: "name",
            count: "/total_tables",
            required: "indexes",
            gold: |name, digest| vec!["table".into(), digest(name).into(), Value::Null],
        },
    ]
}

/// What an independent parser says about such a file.
fn gold(protocol: &Formats, sample: &Sample) -> Labels {
    let digest = |text: &str| crate::explorations::entities::text_digest(&protocol.salt, text);
    let mut entities: Vec<Vec<Value>> =
        (0..20).map(|n| (sample.gold)(&format!("n{n}"), &digest)).collect();
    if sample.format == "markdown" {
        entities.push(vec!["front_matter".into(), false.into(), Value::Null]);
    }
    let count = sample.count.trim_start_matches('/').to_owned();
    Labels { entities, counts: [(count, 20)].into(), ..Labels::default() }
}

/// The verdict over forty such files after a fault in each.
fn with(sample: &Sample, profile: Profile, fault: impl Fn(&mut Value)) -> (Verdict, Vec<Cell>) {
    let protocol = protocol();
    let mut evidence = B4Evidence::default();
    for _ in 0..40 {
        let mut document = json!({
            "file": "a", "explorer_used": sample.format, "success": true, "summary": "x",
            "symbols": [], "imports": [], "truncated": [], "fields": sample.fields,
        });
        fault(&mut document);
        let explored: Explored = serde_json::from_value(document).unwrap();
        evidence.explored += 1;
        evidence.model_tiers += u64::from(explored.explorer_used.contains('+'));
        let gold = gold(&protocol, sample);
        evidence.add(&protocol, sample.format, profile, &gold, Some(&explored), "a");
    }
    let cells = b4(&evidence, &protocol, profile, true);
    (verdict(&cells), cells)
}

#[test]
fn true_fields_pass_in_both_profiles() {
    for sample in samples() {
        for profile in Profile::ALL {
            let (verdict, cells) = with(&sample, profile, |_| ());
            assert_eq!(verdict, Verdict::Pass, "{}: {cells:#?}", sample.format);
        }
    }
}

/// Damages an exploration.
type Fault<'f> = &'f dyn Fn(&mut Value);

#[test]
fn each_fault_turns_the_gate_red_in_each_format() {
    for sample in samples() {
        let entities = |document: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
            let list = document["fields"].pointer_mut(sample.list).unwrap();
            change(list.as_array_mut().unwrap());
        };
        let faults: [(&str, Fault); 7] = [
            ("a required field is missing", &|document| {
                document["fields"].as_object_mut().unwrap().remove(sample.required);
            }),
            ("one entity in four is missing", &|document| {
                entities(document, &|list| {
                    let mut n = 0;
                    list.retain(|_| {
                        n += 1;
                        n % 4 != 0
                    });
                });
            }),
            ("entities are invented", &|document| {
                entities(document, &|list| {
                    for n in 0..6 {
                        let mut invented = list[0].clone();
                        invented[sample.member] = json!(format!("x{n}"));
                        list.push(invented);
                    }
                });
            }),
            ("entities are others", &|document| {
                entities(document, &|list| {
                    for entity in list.iter_mut().take(5) {
                        entity[sample.member] = json!("another");
                    }
                });
            }),
            ("one entity is there again and again", &|document| {
                entities(document, &|list| {
                    let first = list[0].clone();
                    list.extend(std::iter::repeat_n(first, 8));
                });
            }),
            ("a count is wrong", &|document| {
                *document["fields"].pointer_mut(sample.count).unwrap() = json!(30);
            }),
            ("a model had a part", &|document| {
                document["explorer_used"] = json!(format!("{}+llm", sample.format));
            }),
        ];
        for (name, fault) in faults {
            for profile in Profile::ALL {
                let found = with(&sample, profile, fault).0;
                assert_eq!(found, Verdict::Fail, "{}: {name}, {profile}", sample.format);
            }
        }
    }
}

#[test]
fn what_only_the_enhancement_profile_demands_is_demanded_there_only() {
    for (format, field) in [("json", "dialect"), ("markdown", "references"), ("sqlite", "views")] {
        let samples = samples();
        let sample = samples.iter().find(|sample| sample.format == format).unwrap();
        let fault = |document: &mut Value| {
            document["fields"].as_object_mut().unwrap().remove(field);
        };
        assert_eq!(with(sample, Profile::Parity, fault).0, Verdict::Pass, "{format}");
        assert_eq!(with(sample, Profile::Enhancement, fault).0, Verdict::Fail, "{format}");
    }
}

#[test]
fn nothing_run_and_too_few_files_are_no_pass() {
    let protocol = protocol();
    let nothing = b4(&B4Evidence::default(), &protocol, Profile::Parity, false);
    assert!(nothing.iter().any(|cell| cell.verdict == Verdict::NotRun));
    for sample in samples() {
        let mut few = B4Evidence::default();
        few.add(&protocol, sample.format, Profile::Parity, &gold(&protocol, &sample), None, "a");
        let cells = b4(&few, &protocol, Profile::Parity, true);
        assert!(
            cells.iter().any(|cell| cell.verdict == Verdict::Insufficient),
            "{}",
            sample.format
        );
    }
}
