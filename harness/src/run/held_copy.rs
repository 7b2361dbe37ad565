//! The read-only copy of a corpus that one worker keeps for its next question about it.

use base::scratch::Scratch;

use super::execute::{ExecuteError, scratch_folder};
use crate::corpus::{Materialised, ReadOnlyCopy};

/// A worker's copy of the corpus that it asked the comparator about last.
///
/// The seeded runs of a corpus follow one another, and file systems are slow to create thousands
/// of files where as many were just removed: new copies for each of them took eight of a hundred
/// samples of a whole run. Every user verifies the copy after its run, and two workers never share
/// one, so a change is still found in the run that made it.
#[derive(Debug, Default)]
pub struct HeldCopy {
    // In this order the copy is removed before the folder around it.
    held: Option<(ReadOnlyCopy, Scratch)>,
}

impl HeldCopy {
    /// The held copy if it is one of this repository, else a new one, checked, in its place.
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
