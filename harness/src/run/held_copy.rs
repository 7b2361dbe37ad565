//! The read-only copy of a corpus that a worker keeps for its next question about the same corpus.

use base::scratch::Scratch;

use super::{ExecuteError, recorder::scratch_folder};
use crate::corpus::{Materialised, ReadOnlyCopy};

/// A worker's copy of the corpus that it asked the comparator about last.
///
/// The seeded runs of a corpus follow one another, and file systems are slow to create thousands of
/// files where as many were just removed: making a new copy for each run took eight percent of the
/// samples in a profile of a whole run. Every user verifies the copy after its run, and two workers
/// never share one, so a change is still found in the run that made it.
#[derive(Debug, Default)]
pub struct HeldCopy {
    // Fields are dropped in order, so the copy is removed before the folder around it.
    held: Option<(ReadOnlyCopy, Scratch)>,
}

impl HeldCopy {
    /// The held copy if it is one of this repository; otherwise a new, checked copy replaces it.
    pub fn of(&mut self, repository: &Materialised) -> Result<&ReadOnlyCopy, ExecuteError> {
        let held = match self.held.take() {
            Some(held) if held.0.is_of(repository) => held,
            other => {
                drop(other);
                let scratch = scratch_folder()?;
                let copy = repository.read_only_copy(&scratch.path().join(&repository.name))?;
                (copy, scratch)
            }
        };
        Ok(&self.held.insert(held).0)
    }
}
