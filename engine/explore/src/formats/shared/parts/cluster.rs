//! Kubernetes: kind and name of each document, with its images and ports.

use super::{Part, entry, note};
use crate::{
    exploration::Entry,
    formats::shared::tree::record::{At, Record},
};

/// Where a workload has its containers.
const PODS: [&[&str]; 4] = [
    &["spec", "template", "spec"],
    &["spec", "jobTemplate", "spec", "template", "spec"],
    &["spec"],
    &["template", "spec"],
];

/// The objects of a manifest.
pub fn parts(_: &str, record: &Record) -> Vec<Part> {
    let mut entries = Vec::new();
    for document in record.documents() {
        if document.text_of("apiVersion").is_some() && document.text_of("kind").is_some() {
            entries.push(object(document));
            // A list of objects counts as its objects.
            entries.extend(
                document.all("items").filter(|item| item.get("kind").is_some()).map(object),
            );
        }
    }
    vec![("Objects", entries)]
}

fn object(at: At) -> Entry {
    let kind = at.text_of("kind").unwrap_or("?");
    let metadata = at.get("metadata");
    let of = |name| metadata.and_then(|metadata| metadata.text_of(name));
    let mut text = kind.to_owned();
    if let Some(name) = of("name").or_else(|| of("generateName")) {
        text.push_str(&format!(" {name}"));
    }
    if let Some(namespace) = of("namespace") {
        text.push_str(&format!(" in {namespace}"));
    }
    let containers = || {
        let pod = PODS
            .iter()
            .filter_map(|path| at.below(path))
            .find(|pod| pod.get("containers").is_some());
        pod.into_iter().flat_map(|pod| pod.all("containers"))
    };
    let images: Vec<&str> = containers().filter_map(|one| one.text_of("image")).collect();
    let spec = at.get("spec").into_iter().flat_map(|spec| spec.all("ports"));
    let ports: Vec<&str> = containers()
        .flat_map(|one| one.all("ports"))
        .chain(spec)
        .filter_map(|port| port.text_of("containerPort").or_else(|| port.text_of("port")))
        .collect();
    let replicas: Vec<&str> = at.below(&["spec", "replicas"]).map(At::text).into_iter().collect();
    let data: Vec<&str> = at.all("data").map(At::name).collect();
    text.push_str(&note("image", &images));
    text.push_str(&note("ports", &ports));
    text.push_str(&note("replicas", &replicas));
    text.push_str(&note("keys", &data));
    entry(at, &text)
}
