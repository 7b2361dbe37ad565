//! The JSON Schemas that `parity schema` publishes, and the tables of fields made from them.
//!
//! A schema in `protocols/schemas/` may refer to another file there, so that nothing is written down twice.
//! What is published has those files embedded, as JSON Schema 2020-12 describes: each below `$defs`, with its
//! own `$id`.

mod fields;
#[cfg(test)]
mod fields_tests;
mod formats;
mod members;
mod schema;

use std::collections::BTreeSet;

use agents::SCHEMAS;

pub use fields::{FieldsError, tables};
use formats::FORMATS;
use schema::Schema;

/// How a reference to another schema begins.
const REFERENCE: &str = "\"$ref\": \"";
/// The first line of the definitions of a schema.
const DEFINITIONS: &str = "\n  \"$defs\": {\n";

/// The names of all published schemas.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.into_iter().chain(FORMATS).map(|(name, _)| name)
}

/// A schema as it is published; `None` if there is none of that name.
pub fn published(name: &str) -> Option<String> {
    let text = text(name)?;
    let mut embedded = String::new();
    for other in needed(name, text) {
        let inner = self::text(&other)?.trim_end().replace('\n', "\n    ");
        embedded += &format!("    \"{other}.json\": {inner},\n");
    }
    let last = embedded.strip_suffix(",\n").unwrap_or_default();
    Some(match text.split_once(DEFINITIONS) {
        _ if embedded.is_empty() => text.to_owned(),
        Some((head, tail)) => format!("{head}{DEFINITIONS}{embedded}{tail}"),
        None => {
            let head = text.trim_end().strip_suffix("\n}")?;
            format!("{head},{DEFINITIONS}{last}\n  }}\n}}\n")
        }
    })
}

fn text(name: &str) -> Option<&'static str> {
    SCHEMAS.into_iter().chain(FORMATS).find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// The names of all other schemas that a schema refers to, directly or through others.
fn needed(name: &str, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending = vec![text];
    while let Some(text) = pending.pop() {
        for reference in text.split(REFERENCE).skip(1) {
            let target = reference.split(['"', '#']).next().unwrap_or_default();
            let Some(other) = target.strip_suffix(".json").filter(|other| *other != name) else {
                continue;
            };
            if found.insert(other.to_owned()) {
                pending.extend(self::text(other));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{names, needed, published};

    #[test]
    fn what_is_published_needs_no_other_file() {
        for name in names() {
            let whole: Value = serde_json::from_str(&published(name).unwrap()).unwrap();
            let others = needed(name, &published(name).unwrap());
            for other in &others {
                let inner = &whole["$defs"][format!("{other}.json")];
                assert_eq!(inner["$id"], format!("{other}.json"), "{name}");
            }
        }
        assert_eq!(published("nothing"), None);
        assert_eq!(
            needed("a", "{\"$ref\": \"map.json#/$defs/x\", \"$ref\": \"#/$defs/y\"}").len(),
            1
        );
        assert!(needed("map_answer", &published("map_answer").unwrap()).contains("map"));
    }
}
