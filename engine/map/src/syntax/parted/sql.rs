//! SQL: what statements create, and what they change or fill.

use explore::Entry;

use super::Named;
use crate::syntax::TagKind;

/// Words between `ALTER TABLE` and the name.
const BETWEEN: [&str; 4] = ["IF", "NOT", "EXISTS", "ONLY"];

/// The names of an entry: the last part of each, without its quotes.
pub fn names<'a>(title: &str, entry: &'a Entry) -> Vec<Named<'a>> {
    let mut words = entry.text.split_whitespace();
    let (name, kind) = match title {
        // `TABLE name (columns)`
        "Statements" => (words.nth(1), TagKind::Definition),
        // `ALTER TABLE name …`
        "Changes" => {
            let is_name = |word: &&str| !BETWEEN.contains(&word.to_uppercase().as_str());
            (words.skip(2).find(is_name), TagKind::Reference)
        }
        // `name: number statements`
        "Inserted rows" => (entry.text.split(':').next(), TagKind::Reference),
        _ => (None, TagKind::Reference),
    };
    name.map(last_part)
        .filter(|name| !name.is_empty())
        .map(|name| (name, kind))
        .into_iter()
        .collect()
}

fn last_part(name: &str) -> &str {
    let part = name.rsplit('.').next().unwrap_or(name);
    part.trim_matches(['"', '`', '[', ']', '\'', ';', ',', '('])
}
