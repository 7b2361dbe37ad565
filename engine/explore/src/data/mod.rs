//! Data formats: one file per format.

mod latex;
mod log;
mod markdown;
mod sqlite;

use std::io;

use crate::{Findings, Task, plain};

/// What explores the files of one format.
type Explore = fn(&Task) -> io::Result<Findings>;

/// Key of each format, and what explores it.
const FORMATS: &[(&str, Explore)] = &[
    ("latex", latex::explore),
    ("log", log::explore),
    ("markdown", markdown::explore),
    ("sqlite", sqlite::explore),
];

/// Explores a file of the data family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let found = FORMATS.iter().find(|(key, _)| *key == task.language);
    found.map_or(plain::explore as Explore, |(_, explore)| *explore)(task)
}
