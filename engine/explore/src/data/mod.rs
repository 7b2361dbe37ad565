//! Data formats: one file per format.

use std::io;

use crate::{Findings, Task, plain};

/// Explores a file of the data family.
pub fn explore(task: &Task) -> io::Result<Findings> {
    plain::explore(task)
}
