//! Negative controls of B4: each format of the protocol has a file of ours whose true exploration
//! passes, and whose altered exploration must fail, cell by cell, in both profiles.
//!
//! The files are seeds of the fuzz targets. `negative/formats.jsonl` has the answers of the oracles in
//! `comparators/oracles/` about them, and labels by hand for the log; nothing in it comes from our
//! explorers.

use std::{collections::BTreeMap, fs};

use base::profile::Profile as Explorer;
use explore::{Input, Project, explore};
use record::{Cell, Labels, Profile, Verdict};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use verdict::{
    explorations::{B4Evidence, Explored, FormatRules, Formats},
    gate::{b4, verdict},
};

use crate::support::root;

const PROFILES: [(Profile, Explorer); 2] =
    [(Profile::Parity, Explorer::Parity), (Profile::Enhancement, Explorer::Enhancement)];

/// One committed control.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    format: String,
    /// The name that the seed is explored under.
    name: String,
    /// The seed, relative to the folder of seeds.
    seed: String,
    /// The oracle that answered.
    oracle: String,
    entities: Vec<Vec<Value>>,
    counts: BTreeMap<String, u64>,
}

fn protocol() -> Formats {
    let text = fs::read_to_string(root().join(record::protocol::FORMATS)).unwrap();
    toml::from_str(&text).unwrap()
}

fn controls() -> Vec<Control> {
    let text = fs::read_to_string(root().join("harness/tests/negative/formats.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The recording of a true exploration.
fn recording(control: &Control, profile: Explorer) -> Value {
    let seed = root().join("engine/explore/fuzz/seeds").join(&control.seed);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(&control.name);
    fs::copy(seed, &path).unwrap();
    let input = Input::open(&control.name, &path).unwrap();
    let found = explore(&input, &Project::default(), profile);
    assert_eq!(found.explorer_used, control.format);
    serde_json::to_value(found).unwrap()
}

/// The cells for as many copies of the file as the protocol demands.
fn judge(protocol: &Formats, control: &Control, profile: Profile, recording: &Value) -> Vec<Cell> {
    let gold = Labels {
        entities: control.entities.clone(),
        counts: control.counts.clone(),
        ..Labels::default()
    };
    let explored: Explored = serde_json::from_value(recording.clone()).unwrap();
    let mut evidence = B4Evidence::default();
    for _ in 0..protocol.formats[&control.format].min_files.unwrap_or(protocol.min_files) {
        evidence.explored += 1;
        evidence.add(protocol, &control.format, profile, &gold, Some(&explored), &control.name);
    }
    b4(&evidence, protocol, profile, true)
}

/// The value at a pointer; if the pointer has `/*/`, the values in each entry of the list before it.
fn places<'a>(fields: &'a mut Value, pointer: &str) -> Vec<&'a mut Value> {
    match pointer.split_once("/*/") {
        None => fields.pointer_mut(pointer).into_iter().collect(),
        Some((outer, inner)) => {
            let list = fields.pointer_mut(outer).and_then(Value::as_array_mut);
            let inner = format!("/{inner}");
            list.into_iter().flatten().filter_map(|entry| entry.pointer_mut(&inner)).collect()
        }
    }
}

/// Damages the fields of an exploration.
type Fault = fn(&FormatRules, &mut Value);

/// Every fault, and the cell that it must make fail.
const FAULTS: [(&str, &str, Fault); 5] = [
    ("a required field is missing", "required_fields", |rules, fields| {
        let pointer = rules.required.iter().find(|pointer| !pointer.contains("/*/")).unwrap();
        let name = pointer.trim_start_matches('/');
        fields.as_object_mut().unwrap().remove(name).unwrap();
    }),
    ("all entities are lost", "entity_micro_f1", |rules, fields| {
        for rule in &rules.entities {
            for place in places(fields, &rule.list) {
                *place = Value::Null;
            }
        }
    }),
    ("entities are invented", "entity_micro_f1", |rules, fields| {
        for rule in &rules.entities {
            for place in places(fields, &rule.list) {
                match place {
                    Value::Array(list) => {
                        let mut more = list.clone();
                        more.iter_mut().for_each(alter);
                        list.extend(more);
                    }
                    other => alter(other),
                }
            }
        }
    }),
    ("entities are others", "entity_macro_f1", |rules, fields| rename(rules, fields)),
    ("counts are wrong", "count_mape", |rules, fields| {
        for pointer in rules.counts.values() {
            for place in places(fields, pointer) {
                match place {
                    Value::Array(list) => list.extend(std::iter::repeat_n(json!({}), 9)),
                    Value::Object(map) => map.extend((0..9).map(|n| (n.to_string(), json!(1)))),
                    place => *place = json!(place.as_u64().unwrap_or(0) * 10 + 9),
                }
            }
        }
    }),
];

/// Gives every text and number that identifies an entity another value.
fn rename(rules: &FormatRules, fields: &mut Value) {
    for rule in &rules.entities {
        for place in places(fields, &rule.list) {
            match place {
                Value::Array(list) => list.iter_mut().for_each(alter),
                other => alter(other),
            }
        }
    }
}

fn alter(value: &mut Value) {
    match value {
        Value::Object(map) => alter_members(map),
        Value::String(text) => text.push_str(" x"),
        Value::Number(number) => *value = json!(number.as_u64().unwrap_or(0) + 1),
        Value::Bool(yes) => *yes = !*yes,
        Value::Array(_) | Value::Null => {}
    }
}

fn alter_members(map: &mut Map<String, Value>) {
    for value in map.values_mut() {
        match value {
            Value::String(text) => text.push_str(" x"),
            Value::Array(list) => list.iter_mut().for_each(|item| {
                if let Value::String(text) = item {
                    text.push_str(" x");
                }
            }),
            _ => {}
        }
    }
}

#[test]
fn each_format_of_the_protocol_has_a_control() {
    let controls = controls();
    let formats: Vec<&str> = controls.iter().map(|control| control.format.as_str()).collect();
    let protocol = protocol();
    assert_eq!(formats, protocol.formats.keys().map(String::as_str).collect::<Vec<_>>());
    for control in &controls {
        assert!(!control.oracle.is_empty() && !control.entities.is_empty(), "{}", control.format);
    }
}

#[test]
fn true_explorations_pass() {
    let protocol = protocol();
    for control in controls() {
        for (profile, which) in PROFILES {
            let cells = judge(&protocol, &control, profile, &recording(&control, which));
            let said = format!("{} {profile}: {cells:#?}", control.format);
            assert_eq!(verdict(&cells), Verdict::Pass, "{said}");
        }
    }
}

#[test]
fn each_fault_makes_its_cell_fail_in_each_format() {
    let protocol = protocol();
    for control in controls() {
        let rules = &protocol.formats[&control.format];
        for (profile, which) in PROFILES {
            let whole = recording(&control, which);
            for (name, metric, fault) in FAULTS {
                if metric == "count_mape" && rules.counts.is_empty() {
                    continue;
                }
                let mut altered = whole.clone();
                fault(rules, &mut altered["fields"]);
                let cells = judge(&protocol, &control, profile, &altered);
                let cell = cells.iter().find(|cell| cell.metric == metric);
                let said = format!("{} {profile}, {name}: {cells:#?}", control.format);
                assert_eq!(cell.map(|cell| cell.verdict), Some(Verdict::Fail), "{said}");
                assert_eq!(verdict(&cells), Verdict::Fail, "{said}");
            }
        }
    }
}
