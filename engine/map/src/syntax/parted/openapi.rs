//! Descriptions of interfaces (OpenAPI): operations by their ids, and schemas.

use explore::Entry;

use super::Named;
use crate::syntax::TagKind;

/// The names of an entry. An operation without an id has no name that code could refer to.
pub fn names<'a>(title: &str, entry: &'a Entry) -> Vec<Named<'a>> {
    let name = match title {
        // `GET /path id`, or a summary in place of the id.
        "Operations" => match *entry.text.split_whitespace().collect::<Vec<_>>() {
            [_, _, id] => Some(id),
            _ => None,
        },
        "Schemas" => Some(entry.text.as_str()),
        _ => None,
    };
    name.map(|name| (name, TagKind::Definition)).into_iter().collect()
}
