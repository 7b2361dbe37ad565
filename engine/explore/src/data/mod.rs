//! Data formats: one file per format, one row in [`FORMATS`] and one in `dispatch/explorers.toml`.

mod beginning;
mod csv;
mod html;
mod ini;
mod json;
mod secret;
mod source;
mod toml;
mod tree;
mod xml;
mod yaml;

mod latex;
mod markdown;
mod sqlite;

use std::io;

use crate::{Findings, Task, plain};

/// What explores the files of one format.
type Explore = fn(&Task) -> io::Result<Findings>;

/// Key of each format, and what explores it.
const FORMATS: &[(&str, Explore)] = &[
    ("csv", csv::explore),
    ("html", html::explore),
    ("ini", ini::explore),
    ("json", json::explore),
    ("latex", latex::explore),
    ("markdown", markdown::explore),
    ("sqlite", sqlite::explore),
    ("toml", toml::explore),
    ("xml", xml::explore),
    ("yaml", yaml::explore),
];

/// Explores a file of the data family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let found = FORMATS.iter().find(|(key, _)| *key == task.language);
    found.map_or(plain::explore as Explore, |(_, explore)| *explore)(task)
}
