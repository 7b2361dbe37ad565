//! Dockerfiles: their instructions.

use super::{Part, entry, joined};

const INSTRUCTIONS: &[&str] = &[
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

/// The instructions of a Dockerfile, without the contents of here-documents.
pub fn instructions(lines: &[&str]) -> Vec<Part> {
    let mut entries = Vec::new();
    let mut until: Option<String> = None;
    for (index, line) in joined(lines) {
        if let Some(end) = &until {
            if line.trim() == end {
                until = None;
            }
            continue;
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        if INSTRUCTIONS.contains(&word.to_uppercase().as_str()) {
            entries.push(entry(index, line.trim()));
            until = line.split_once("<<").and_then(|(_, rest)| {
                let word = rest.trim_start_matches('-').split_whitespace().next()?;
                let word = word.trim_matches(['"', '\'']);
                word.chars()
                    .all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
                    .then(|| word.to_owned())
            });
        }
    }
    vec![("Instructions", entries)]
}
