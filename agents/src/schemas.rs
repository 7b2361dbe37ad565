//! The JSON Schemas of inputs and outputs, by the names that `parity schema` takes.

/// A schema in the folder of all of them.
macro_rules! schema {
    ($name:literal) => {
        ($name, include_str!(concat!("../../protocols/schemas/", $name, ".json")))
    };
}

/// Names and schema texts. A text may refer to others of them by their files; `parity schema` embeds these.
pub const SCHEMAS: [(&str, &str); 14] = [
    schema!("map"),
    schema!("map_request"),
    schema!("map_answer"),
    schema!("session_call"),
    schema!("session_answer"),
    schema!("report"),
    schema!("explore"),
    schema!("problem"),
    schema!("repomap_artifact_v1"),
    schema!("hook_input"),
    schema!("hook_output"),
    schema!("lcm_request"),
    schema!("lcm_answer"),
    ("tools", include_str!("mcp/tools.json")),
];

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::SCHEMAS;
    use crate::{Artifact, Code, Job, Problem};

    fn schema(name: &str) -> Value {
        let (_, text) = SCHEMAS.iter().find(|(known, _)| *known == name).unwrap();
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_artifact_has_the_fields_of_its_schema_and_no_other() {
        let problem = Problem::new(Code::Timeout, "late").with(json!({"a": 1}));
        let job = Job { session_id: Some("s".to_owned()), timeout_ms: Some(1), ..Job::new("/r") };
        let artifact = serde_json::to_value(Artifact::of_failure(&job, &problem, Some(1))).unwrap();
        let whole = schema("repomap_artifact_v1");
        let mut pending = vec![(&artifact, &whole)];
        while let Some((value, schema)) = pending.pop() {
            let Some(fields) = value.as_object() else { continue };
            let Some(known) = schema["properties"].as_object() else { continue };
            for (name, value) in fields {
                let of = known.get(name).unwrap_or_else(|| panic!("{name} is not in the schema"));
                let target = of["$ref"].as_str().map(|target| target.trim_start_matches('#'));
                pending.push((value, target.map_or(of, |target| whole.pointer(target).unwrap())));
            }
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(fields.contains_key(name.as_str().unwrap()), "{name} is missing");
            }
        }
    }

    #[test]
    fn the_codes_of_the_schema_are_those_of_the_program() {
        let codes =
            schema("repomap_artifact_v1")["$defs"]["error"]["properties"]["code"]["enum"].clone();
        let known: Vec<Code> = serde_json::from_value(codes).unwrap();
        assert_eq!(known.len(), 8);
    }
}
