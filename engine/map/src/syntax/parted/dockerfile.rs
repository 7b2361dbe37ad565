//! Dockerfiles: stages, and the stages that they begin with or copy from.

use std::collections::BTreeSet;

use explore::Entry;

use super::Named;
use crate::syntax::{Tag, TagKind};

/// The names of an entry. An image from a registry looks like a stage, so [`keep_stages`] filters
/// later.
pub fn names<'a>(_: &str, entry: &'a Entry) -> Vec<Named<'a>> {
    let words: Vec<&str> = entry.text.split_whitespace().collect();
    let (Some(instruction), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return Vec::new();
    };
    match instruction.to_uppercase().as_str() {
        "FROM" => {
            let rest: Vec<&str> =
                rest.iter().copied().filter(|word| !word.starts_with("--")).collect();
            match *rest {
                [image, r#as, stage, ..] if r#as.eq_ignore_ascii_case("as") => {
                    vec![(image, TagKind::Reference), (stage, TagKind::Definition)]
                }
                [image, ..] => vec![(image, TagKind::Reference)],
                [] => Vec::new(),
            }
        }
        "COPY" | "ADD" => {
            let from = rest.iter().filter_map(|word| word.strip_prefix("--from="));
            from.map(|stage| (stage, TagKind::Reference)).collect()
        }
        _ => Vec::new(),
    }
}

/// Removes the references that are not to stages of this file.
pub fn keep_stages(tags: &mut Vec<Tag>, text: &str) {
    let defined = tags.iter().filter(|tag| tag.kind == TagKind::Definition);
    let stages: BTreeSet<&str> = defined.map(|tag| tag.name(text)).collect();
    tags.retain(|tag| stages.contains(tag.name(text)));
}
