//! Data formats: one file per format, one row in [`FORMATS`] and one in `dispatch/explorers.toml`.

mod beginning;
mod csv;
mod html;
mod ini;
mod json;
mod latex;
mod log;
mod markdown;
mod secret;
mod source;
mod sqlite;
mod toml;
mod tree;
mod xml;
mod yaml;

use std::io;

pub use log::looks_like_log;

use crate::{Findings, Task, plain};

/// An explorer of one format.
type Format = fn(&Task) -> io::Result<Findings>;

/// Key of each format, and what explores it.
const FORMATS: &[(&str, Format)] = &[
    ("csv", csv::explore),
    ("html", html::explore),
    ("ini", ini::explore),
    ("json", json::explore),
    ("latex", latex::explore),
    ("log", log::explore),
    ("markdown", markdown::explore),
    ("sqlite", sqlite::explore),
    ("toml", toml::explore),
    ("xml", xml::explore),
    ("yaml", yaml::explore),
];

/// Explores a file of the data family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    match FORMATS.iter().find(|(key, _)| *key == task.language) {
        Some((_, explore)) => explore(task),
        None => plain::explore(task),
    }
}
