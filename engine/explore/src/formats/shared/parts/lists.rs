//! Arrays of objects at any place: the items by name.

use super::{Part, entry};
use crate::formats::shared::tree::{
    Kind,
    record::{At, Record},
};

/// Keys that give an item's name, the best first.
const NAMES: &[&str] = &["name", "id", "title", "key", "label", "slug", "path", "url", "type"];
/// Minimum length of a list, and maximum depth of a list.
const FEWEST: usize = 2;
const DEEPEST: usize = 6;
/// Maximum number of lists that are shown.
const LISTS: usize = 12;

/// The items of arrays whose objects have a name each, with the array's key.
pub fn parts(_: &str, record: &Record) -> Vec<Part> {
    let mut entries = Vec::new();
    let mut lists = 0;
    let mut stack: Vec<(At, usize)> = record.documents().take(1).map(|at| (at, 0)).collect();
    while let Some((at, level)) = stack.pop() {
        if at.kind() == Kind::Array
            && let Some(key) = named_by(at)
            && lists < LISTS
        {
            lists += 1;
            entries.extend(at.inside().filter_map(|item| {
                let name = item.text_of(key)?;
                let list =
                    if at.name().is_empty() { String::new() } else { format!("{}: ", at.name()) };
                Some(entry(item, &format!("{list}{name}")))
            }));
            continue;
        }
        if level < DEEPEST && matches!(at.kind(), Kind::Object | Kind::Array) {
            let inside: Vec<At> = at.inside().take(200).collect();
            stack.extend(inside.into_iter().rev().map(|inner| (inner, level + 1)));
        }
    }
    vec![("Items", entries)]
}

/// The key that gives the names of all items; most of its values must be distinct.
fn named_by(at: At) -> Option<&'static str> {
    let items: Vec<At> = at.inside().take(50).collect();
    if items.len() < FEWEST || items.iter().any(|item| item.kind() != Kind::Object) {
        return None;
    }
    NAMES.iter().copied().find(|key| {
        let mut names: Vec<&str> = items.iter().filter_map(|item| item.text_of(key)).collect();
        let all = names.len() == items.len();
        names.sort_unstable();
        names.dedup();
        all && names.len() * 2 > items.len()
    })
}
