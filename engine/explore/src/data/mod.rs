//! Data formats: one file per format, one row in [`FORMATS`] and one in `dispatch/explorers.toml`.

mod latex;
mod log;
mod markdown;
mod sqlite;

use std::io;

use crate::{Findings, Task, plain};

/// An explorer of one format.
type Format = fn(&Task) -> io::Result<Findings>;

/// Key and explorer of each format, by key.
const FORMATS: &[(&str, Format)] = &[
    ("latex", latex::explore),
    ("log", log::explore),
    ("markdown", markdown::explore),
    ("sqlite", sqlite::explore),
];

/// Explores a file of the data family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    match FORMATS.iter().find(|(key, _)| *key == task.language) {
        Some((_, explore)) => explore(task),
        None => plain::explore(task),
    }
}
