use std::fs;

use super::tables;

/// The tables of a schema whose fields are these, or why there are none.
fn made(fields: &str, more: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{{\"description\": \"About it.\", \"properties\": {{{fields}}}, \"required\": [\"a\"]{more}}}"
    );
    fs::write(folder.path().join("s.json"), text).unwrap();
    let other = r#"{"$defs": {"d": {"type": "string", "description": "Of another file."}}}"#;
    fs::write(folder.path().join("map.json"), other).unwrap();
    tables(&folder.path().join("s.json")).map_err(|error| error.to_string())
}

#[test]
fn a_row_has_type_unit_presence_and_meaning() {
    let fields = r##"
        "a": {"type": ["integer", "null"], "minimum": 1, "maximum": 9, "description": "One. Unit: lines."},
        "b": {"type": "array", "items": {"$ref": "#/$defs/e"}, "maxItems": 3, "description": "Two. Only with --b. More."},
        "c": {"enum": ["x", null], "default": null, "description": "Three."}"##;
    let more = r#", "$defs": {"e": {"title": "Entry", "properties": {"a": {"$ref": "map.json#/$defs/d", "description": "Four."}}, "required": ["a"]}}"#;
    let expected = "About it.\n\
        \n| field | type | unit | present | meaning |\n|---|---|---|---|---|\n\
        | `a` | integer from 1 to 9 or null | lines | always | One. |\n\
        | `b` | list of at most 3 *Entry* |  | only with --b | Two. More. |\n\
        | `c` | `x`, `null` |  | optional, `null` if left out | Three. |\n\
        \n*Entry*\n\
        \n| field | type | unit | present | meaning |\n|---|---|---|---|---|\n\
        | `a` | string |  | always | Four. Of another file. |\n";
    assert_eq!(made(fields, more).unwrap(), expected);
}

#[test]
fn a_schema_that_does_not_say_enough_is_refused() {
    for (fields, more, why) in [
        (r#""a": {"type": "number", "description": "One."}"#, "", "a number without a unit"),
        (r#""a": {"type": "string"}"#, "", "has no meaning"),
        (r#""b": {"type": "string", "description": "One."}"#, "", "when it is there"),
        (r#""a": {"type": "string", "description": "One. Only now."}"#, "", "when it is there"),
        (r##""a": {"$ref": "#/$defs/x", "description": "One."}"##, "", "leads nowhere"),
        (r#""a": {"typ": "string", "description": "One."}"#, "", "typ"),
        (r#""a": {"description": "One."}, "a": {"description": "One."}"#, "", "twice"),
        ("", ", \"unknown\": 1", "unknown"),
    ] {
        let said = made(fields, more).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}
