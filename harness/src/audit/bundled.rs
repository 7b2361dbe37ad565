//! The third source of drift: the tag queries in the published packages of grammars.
//!
//! `comparators/grammars/` locks the published package of each grammar that has such a query. It is
//! never a source of ours. It shows what the authors of a grammar tag, which the comparator's query may
//! lack and may adopt in its next version. The captures of both queries are compared and the
//! differences recorded, so that a new one is noticed when a lock or the comparator changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use record::{digest::sha256, exit};
use serde::{Deserialize, Serialize};

use crate::{
    Failure, Folders,
    corpus::{Lock, Row, Store, progress},
};

/// The folder of the lock, in the checkout.
const FOLDER: &str = "comparators/grammars";
/// The record of all differences, in the checkout.
pub const RECORD: &str = "comparators/grammars/captures.toml";
const HEAD: &str = "\
# What the tag queries capture that grammars are published with, beside the comparator's: a kind of
# definition or reference, and the node that carries it. Written by `cargo parity audit update`; `cargo parity
# audit check` compares it with the packages of grammars.lock.toml and with the comparator.
";

/// A published tag query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Package and version.
    pub package: String,
    /// The query.
    pub text: String,
}

/// How a published query differs from the comparator's of the same language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captures {
    /// Package and version.
    pub package: String,
    /// Digest of the published query.
    pub sha256: String,
    /// What only the published query captures: kind and node, in order.
    pub only_published: Vec<String>,
    /// What only the comparator's query captures.
    pub only_comparator: Vec<String>,
}

impl Captures {
    /// Compares a published query with the comparator's; without one, the comparator captures nothing.
    pub fn of(published: &Published, comparator: Option<&str>) -> Self {
        let (one, other) = (captured(&published.text), captured(comparator.unwrap_or_default()));
        let only = |here: &BTreeSet<String>, there| here.difference(there).cloned().collect();
        Self {
            package: published.package.clone(),
            sha256: sha256(&published.text),
            only_published: only(&one, &other),
            only_comparator: only(&other, &one),
        }
    }
}

/// The differences by language key.
pub type Record = BTreeMap<String, Captures>;

/// The text of the record's file.
///
/// # Errors
/// The record cannot be written as TOML.
pub fn text(record: &Record) -> Result<String, toml::ser::Error> {
    Ok(format!("{HEAD}\n{}", toml::to_string(record)?))
}

/// The published queries by language key, fetched on first use, and the reason for each language whose
/// package is not available here.
///
/// # Errors
/// The lock cannot be used, or a package differs from it.
pub fn published(folders: &Folders) -> Result<(BTreeMap<String, Published>, Vec<String>), Failure> {
    let lock = Lock::load_dir(&folders.root.join(FOLDER))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let store = Store::open(&folders.cache);
    let mut shown = progress::on_stderr(false);
    let (mut found, mut missing) = (BTreeMap::new(), Vec::new());
    for row in lock.rows() {
        match store.ensure(row, &mut *shown) {
            Ok(ready) => {
                let published = Published { package: package(row), text: query(row, &ready.path)? };
                let of = |key: &String| (key.clone(), published.clone());
                found.extend(row.languages.iter().map(of));
            }
            Err(error) => match error.absence() {
                Some(why) => missing.push(format!("published query of {}: {why}", row.name)),
                None => return Err(Failure::new(error.exit_code(), error.to_string())),
            },
        }
    }
    Ok((found, missing))
}

fn package(row: &Row) -> String {
    format!("{} {}", row.package, row.version)
}

/// The text of the one file that a row's filter keeps.
fn query(row: &Row, repository: &std::path::Path) -> Result<String, Failure> {
    let file = row.path_filter.only.first().map_or("", String::as_str);
    let path = repository.join(file);
    fs::read_to_string(&path).map_err(|error| {
        Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
    })
}

/// An opening bracket that is not closed yet.
struct Open<'q> {
    /// The kind of the node that it describes; none for a list or a group.
    node: Option<&'q str>,
    /// Whether it is a list of alternatives.
    is_list: bool,
    /// Kinds of the nodes inside.
    inside: Vec<&'q str>,
}

/// The captures of a tag query, such as `definition.class class_definition`: every capture of a
/// definition or a reference with each node that carries it. Captures of names are left out, because
/// they are inside these nodes. Any text is accepted; in one that is not a query, whatever looks like a
/// capture is found.
fn captured(query: &str) -> BTreeSet<String> {
    let mut captured = BTreeSet::new();
    let mut open: Vec<Open> = Vec::new();
    // The nodes that a capture at this point would apply to.
    let mut last: Vec<&str> = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first);
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match first {
            ';' => {}
            '(' | '[' => {
                open.push(Open { node: None, is_list: first == '[', inside: Vec::new() });
            }
            ')' | ']' => {
                let Some(closed) = open.pop() else { continue };
                last = match closed.node {
                    Some(node) if !closed.is_list => vec![node],
                    _ => closed.inside,
                };
                if let Some(around) = open.last_mut() {
                    around.inside.extend(&last);
                }
            }
            '"' => {
                last = vec![token];
                if let Some(around) = open.last_mut() {
                    around.inside.push(token);
                }
            }
            '@' => {
                let kind = token.trim_start_matches('@');
                if kind.starts_with("definition.") || kind.starts_with("reference.") {
                    captured.extend(last.iter().map(|node| format!("{kind} {node}")));
                }
            }
            _ => {
                let is_kind = first.is_alphabetic() || first == '_';
                if let Some(around) = open.last_mut()
                    && around.node.is_none()
                    && around.inside.is_empty()
                    && !around.is_list
                    && is_kind
                    && !token.ends_with(':')
                {
                    around.node = Some(token);
                }
            }
        }
    }
    captured
}

/// Length in bytes of the token at the start of a query, which is at least one character long.
fn token_length(rest: &str, first: char) -> usize {
    let end = |stops: &dyn Fn(char) -> bool| {
        let inside = rest.char_indices().skip(1);
        inside.clone().find(|(_, c)| stops(*c)).map_or(rest.len(), |(at, _)| at)
    };
    match first {
        ';' => end(&|c| c == '\n'),
        '"' => {
            let mut is_escaped = false;
            let closes = |(_, c): &(usize, char)| {
                let closes = *c == '"' && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                closes
            };
            rest.char_indices().skip(1).find(closes).map_or(rest.len(), |(at, _)| at + 1)
        }
        '(' | ')' | '[' | ']' => 1,
        _ if first.is_whitespace() => first.len_utf8(),
        _ => end(&|c| c.is_whitespace() || "()[]\"@;".contains(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Captures, Published, captured};

    fn list(query: &str) -> Vec<String> {
        captured(query).into_iter().collect()
    }

    #[test]
    fn a_capture_stands_on_the_node_in_front_of_it() {
        let query = r#"
            ; (comment name: (x) @name) @definition.none
            (class name: (id) @name.definition.class) @definition.class
            (pair key: (id) @name value: [(arrow) (function body: (block))] @definition.function)
            ((call (id) @name) @reference.call (#not-match? @name "^(a|\"b\") @definition.x$"))
            [(one) (two)] @definition.either
            (_ . "+" @reference.sign) ((id) @doc)* @definition.docs
        "#;
        let expected = [
            "definition.class class",
            "definition.docs id",
            "definition.either one",
            "definition.either two",
            "definition.function arrow",
            "definition.function function",
            "reference.call call",
            "reference.sign \"+\"",
        ];
        assert_eq!(list(query), expected);
    }

    #[test]
    fn no_text_is_an_error() {
        for text in ["", ")", "(((", "\"", "@definition.x", "(a @", ";", "é(é) @definition.é"] {
            let _ = captured(text);
        }
        assert_eq!(list("(é) @definition.é"), ["definition.é é"]);
    }

    #[test]
    fn a_difference_is_told_from_both_sides() {
        let published = Published {
            package: "p 1".to_owned(),
            text: "(a) @definition.class (b) @reference.call".to_owned(),
        };
        let found = Captures::of(&published, Some("(a) @definition.class (c) @reference.call"));
        assert_eq!(found.only_published, ["reference.call b"]);
        assert_eq!(found.only_comparator, ["reference.call c"]);
        assert_eq!(Captures::of(&published, None).only_published.len(), 2);
    }
}
