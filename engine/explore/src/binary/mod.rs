//! Formats that are no text: one file per family.

mod ar;
mod archive;
pub mod bytes;
mod dump;
mod executable;
mod image;
mod magic;
mod pdf;

use std::io;

use crate::{Findings, Task};

/// What explores the files of one family.
type Explore = fn(&Task) -> io::Result<Findings>;

/// Key of each family, and what explores it.
const FAMILIES: &[(&str, Explore)] = &[
    ("archive", archive::explore),
    ("binary", dump::explore),
    ("executable", executable::explore),
    ("image", image::explore),
    ("pdf", pdf::explore),
];

/// Explores a file of the binary family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let found = FAMILIES.iter().find(|(key, _)| *key == task.language);
    found.map_or(dump::explore as Explore, |(_, explore)| *explore)(task)
}
