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

/// An explorer of one family.
type Family = fn(&Task) -> io::Result<Findings>;

/// Key of each family, and what explores it.
const FAMILIES: &[(&str, Family)] = &[
    ("archive", archive::explore),
    ("binary", dump::explore),
    ("executable", executable::explore),
    ("image", image::explore),
    ("pdf", pdf::explore),
];

/// Explores a file of the binary family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    match FAMILIES.iter().find(|(key, _)| *key == task.language) {
        Some((_, explore)) => explore(task),
        None => dump::explore(task),
    }
}
