//! OpenAPI and Swagger: all operations and schemas.

use super::{Part, entry};
use crate::formats::shared::tree::record::{At, Record};

const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The operations of an interface.
pub fn parts(_: &str, record: &Record) -> Vec<Part> {
    let Some(document) = record.documents().next() else { return Vec::new() };
    if document.get("openapi").is_none() && document.get("swagger").is_none() {
        return Vec::new();
    }
    let mut operations = Vec::new();
    for path in document.all("paths") {
        for operation in path.inside().filter(|at| METHODS.contains(&at.name())) {
            let mut text = format!("{} {}", operation.name().to_uppercase(), path.name());
            if let Some(id) =
                operation.text_of("operationId").or_else(|| operation.text_of("summary"))
            {
                text.push_str(&format!(" {id}"));
            }
            operations.push(entry(operation, &text));
        }
    }
    let schemas =
        document.below(&["components", "schemas"]).or_else(|| document.get("definitions"));
    let schemas = schemas.into_iter().flat_map(At::inside).map(|at| entry(at, at.name()));
    vec![("Operations", operations), ("Schemas", schemas.collect())]
}
