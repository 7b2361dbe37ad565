//! The parts of a nested document of a known kind: the objects of a cluster, the jobs of a
//! workflow, the packages of a lock file. In a summary they come before the types, each with its
//! line.

mod api;
mod cluster;
mod compose;
mod lists;
mod package;
mod playbook;
mod workflow;

use super::tree::record::{At, Record};
use crate::exploration::Entry;

/// A title and its entries.
pub type Part = (&'static str, Vec<Entry>);

/// Reads the parts of one kind of document.
type Reader = fn(&str, &Record) -> Vec<Part>;

/// The kinds. The first one that finds parts decides.
const KINDS: &[Reader] = &[
    cluster::parts,
    workflow::parts,
    compose::parts,
    api::parts,
    package::parts,
    playbook::parts,
    lists::parts,
];

/// The parts of a document whose file has this name.
pub fn parts(name: &str, record: &Record) -> Vec<Part> {
    let name = name.to_lowercase();
    let found = KINDS.iter().map(|kind| kind(&name, record));
    found
        .map(|parts| {
            parts.into_iter().filter(|(_, entries)| !entries.is_empty()).collect::<Vec<_>>()
        })
        .find(|parts| !parts.is_empty())
        .unwrap_or_default()
}

/// An entry for a value.
fn entry(at: At, text: &str) -> Entry {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Entry { line: at.line(), text }
}

/// A note in brackets after an entry; empty if there is nothing to note.
fn note(title: &str, texts: &[&str]) -> String {
    if texts.is_empty() { String::new() } else { format!(", {title} {}", texts.join(" ")) }
}
