//! Formats that are no text: one file per family.

mod dump;

use std::io;

use crate::{Findings, Task};

/// Explores a file of the binary family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    dump::explore(task)
}
