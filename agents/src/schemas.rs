//! The JSON Schemas of the answers to agents, by the names that `parity schema` takes.

/// Names and schema texts.
pub const SCHEMAS: [(&str, &str); 7] = [
    ("repomap_artifact_v1", include_str!("../../protocols/schemas/repomap_artifact_v1.json")),
    ("hook_input", include_str!("../../protocols/schemas/hook_input.json")),
    ("hook_output", include_str!("../../protocols/schemas/hook_output.json")),
    ("session_call", include_str!("../../protocols/schemas/session_call.json")),
    ("lcm_request", include_str!("../../protocols/schemas/lcm_request.json")),
    ("lcm_answer", include_str!("../../protocols/schemas/lcm_answer.json")),
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
        let schema = schema("repomap_artifact_v1");
        let mut pending = vec![(&artifact, &schema)];
        while let Some((value, schema)) = pending.pop() {
            let Some(fields) = value.as_object() else { continue };
            let Some(known) = schema["properties"].as_object() else { continue };
            for (name, value) in fields {
                assert!(known.contains_key(name), "{name} is not in the schema");
                pending.push((value, &known[name]));
            }
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(fields.contains_key(name.as_str().unwrap()), "{name} is missing");
            }
        }
    }

    #[test]
    fn the_codes_of_the_schema_are_those_of_the_program() {
        let codes =
            schema("repomap_artifact_v1")["properties"]["error"]["properties"]["code"]["enum"]
                .clone();
        let known: Vec<Code> = serde_json::from_value(codes).unwrap();
        assert_eq!(known.len(), 8);
    }
}
