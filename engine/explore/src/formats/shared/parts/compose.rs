//! Compose files: services with images, ports and dependencies.

use super::{Part, entry, note};
use crate::formats::shared::tree::{Kind, record::Record};

/// The services of a compose file.
pub fn parts(name: &str, record: &Record) -> Vec<Part> {
    let Some(document) = record.documents().next() else { return Vec::new() };
    let Some(services) = document.get("services").filter(|at| at.kind() == Kind::Object) else {
        return Vec::new();
    };
    let known = |key| services.inside().any(|service| service.get(key).is_some());
    if !name.contains("compose") && !known("image") && !known("build") {
        return Vec::new();
    }
    let entries = services.inside().map(|service| {
        let mut text = service.name().to_owned();
        let build =
            service.get("build").map(|build| build.text_of("context").unwrap_or(build.text()));
        text.push_str(&note("image", &service.texts("image")));
        text.push_str(&note(
            "built from",
            &build.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(),
        ));
        text.push_str(&note("ports", &service.texts("ports")));
        text.push_str(&note("after", &service.texts("depends_on")));
        entry(service, &text)
    });
    let entries = entries.collect();
    let named = |key: &str| document.all(key).map(|at| entry(at, at.name())).collect();
    vec![("Services", entries), ("Volumes", named("volumes")), ("Networks", named("networks"))]
}
