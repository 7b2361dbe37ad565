//! The fields of real explorations, checked against the committed schemas.

use std::{collections::BTreeSet, path::Path};

use base::profile::Profile;
use explore::{Input, Project, explore};
use serde_json::Value;
use verdict::explorations::Formats;

fn protocols() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(record::protocol::FOLDER)
}

fn formats() -> Formats {
    toml::from_str(&std::fs::read_to_string(protocols().join("formats.toml")).unwrap()).unwrap()
}

fn schema(name: &str) -> Value {
    let path = protocols().join("schemas/explore").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The words of JSON Schema that our schemas use: those that [`wrong`] checks, and three that only
/// describe.
const WORDS: [&str; 11] = [
    "$schema",
    "additionalProperties",
    "description",
    "enum",
    "items",
    "maximum",
    "minimum",
    "properties",
    "required",
    "title",
    "type",
];

/// The words of a schema that are not in [`WORDS`].
fn unknown_words(schema: &Value, found: &mut BTreeSet<String>) {
    let Value::Object(members) = schema else { return };
    for (word, inner) in members {
        match word.as_str() {
            "properties" => {
                let properties = inner.as_object().into_iter().flatten();
                properties.for_each(|(_, property)| unknown_words(property, found));
            }
            "items" | "additionalProperties" => unknown_words(inner, found),
            word if WORDS.contains(&word) => {}
            word => drop(found.insert(word.to_owned())),
        }
    }
}

/// What is wrong with a value, by the part of JSON Schema that our schemas use.
fn wrong(schema: &Value, value: &Value, place: &str) -> Option<String> {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |wanted: &Value| wanted == kind || wanted == "number" && kind == "integer";
    match schema.get("type") {
        Some(Value::Array(kinds)) if !kinds.iter().any(fits) => {
            return Some(format!("{place} is {kind}, not {kinds:?}"));
        }
        Some(wanted @ Value::String(_)) if !fits(wanted) => {
            return Some(format!("{place} is {kind}, not {wanted}"));
        }
        _ => {}
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.contains(value)
    {
        return Some(format!("{place} is {value}, none of {words:?}"));
    }
    if let Some(number) = value.as_f64() {
        let bound = |word: &str| schema.get(word).and_then(Value::as_f64);
        if bound("minimum").is_some_and(|least| number < least)
            || bound("maximum").is_some_and(|most| number > most)
        {
            return Some(format!("{place} is {number}, out of bounds"));
        }
    }
    if let Value::Array(items) = value {
        let of = schema.get("items")?;
        return items.iter().find_map(|item| wrong(of, item, &format!("{place}/*")));
    }
    let Value::Object(members) = value else { return None };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !members.contains_key(name) {
            return Some(format!("{place} has no {name}"));
        }
    }
    members.iter().find_map(|(name, member)| {
        let known = schema.pointer("/properties").and_then(|known| known.get(name));
        let of = known.or_else(|| schema.get("additionalProperties"))?;
        wrong(of, member, &format!("{place}/{name}"))
    })
}

/// A small file of each format that can be written as a text or a few bytes.
fn files() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let empty_zip = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
    vec![
        ("json", "a.json", br#"{"a": [1, null, {"b": "c"}]}"#.to_vec()),
        ("yaml", "a.yaml", b"a: &x [1, true]\nb: *x\n---\n- c\n".to_vec()),
        ("toml", "a.toml", b"a = 1\n[b.c]\nd = 2020-01-01\n[[e]]\nf = 'g'\n".to_vec()),
        ("ini", "a.ini", b"; x\n[a]\nb = c\nb = d\n".to_vec()),
        ("csv", "a.csv", b"name,count\nx,1\ny,\n".to_vec()),
        ("xml", "a.xml", b"<?xml version='1.0'?><a xmlns:x='u'><x:b c='d'>e</x:b></a>".to_vec()),
        ("html", "a.html", b"<h1>a</h1><a href='b'>c</a><form><input name=d></form>".to_vec()),
        ("markdown", "a.md", b"---\nt: 1\n---\n# a\n\n[b](c) ![d](e)\n\n```rust\n```\n".to_vec()),
        (
            "latex",
            "a.tex",
            b"\\documentclass{article}\n\\begin{document}\n\\section{a}\\label{b}\n\\ref{b} \\cite{c}\n\\end{document}\n".to_vec(),
        ),
        ("image", "a.gif", b"GIF89a\x05\0\x03\0\0\0\0;".to_vec()),
        ("pdf", "a.pdf", b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n".to_vec()),
        ("executable", "a.wasm", b"\0asm\x01\0\0\0".to_vec()),
        ("archive", "a.zip", empty_zip),
    ]
}

#[test]
fn real_fields_fit_their_schema_in_both_profiles() {
    let formats = formats();
    for (format, name, bytes) in files() {
        let schema = schema(&formats.formats[format].schema);
        for profile in [Profile::Parity, Profile::Enhancement] {
            let found = explore(&Input::memory(name, &bytes), &Project::default(), profile);
            assert_eq!(found.explorer_used, format);
            let fields = serde_json::to_value(&found.fields).unwrap();
            assert_eq!(wrong(&schema, &fields, ""), None, "{format}: {fields:#}");
        }
    }
}

#[test]
fn a_missing_field_a_wrong_type_a_wrong_bound_and_an_unknown_word_are_seen() {
    let schema = schema("csv.json");
    let found = explore(
        &Input::memory("a.csv", b"name,count\nx,1\n"),
        &Project::default(),
        Profile::Enhancement,
    );
    let whole = serde_json::to_value(&found.fields).unwrap();
    let damages: [fn(&mut Value); 4] = [
        |fields| {
            fields.as_object_mut().unwrap().remove("row_count");
        },
        |fields| fields["row_count"] = "1".into(),
        |fields| fields["row_count"] = (-1).into(),
        |fields| fields["columns"][0]["type"] = "colour".into(),
    ];
    for damage in damages {
        let mut fields = whole.clone();
        damage(&mut fields);
        assert!(wrong(&schema, &fields, "").is_some());
    }
}

#[test]
fn every_required_field_is_in_the_schema_and_every_schema_has_a_format() {
    let formats = formats();
    let mut used = BTreeSet::new();
    for (format, rules) in &formats.formats {
        let schema = schema(&rules.schema);
        for pointer in rules.required.iter().chain(&rules.required_exceed) {
            let top = pointer.split('/').nth(1).unwrap();
            assert!(schema["properties"].get(top).is_some(), "{format}: {pointer}");
        }
        assert!(used.insert(rules.schema.clone()), "{format} shares its schema");
    }
    for entry in std::fs::read_dir(protocols().join("schemas/explore")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(used.contains(&name), "no format has the schema {name}");
        let mut unknown = BTreeSet::new();
        unknown_words(&schema(&name), &mut unknown);
        assert_eq!(unknown, BTreeSet::new(), "{name} has words that are not checked");
    }
}
