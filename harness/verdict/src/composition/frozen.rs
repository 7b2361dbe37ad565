//! Holds the files that a plan rests on against the freeze of the protocol.

use std::path::Path;

use record::Plan;

use super::CompositionError;
use crate::freeze::{Freeze, FreezeError};

/// Checks that every file of the protocol and all gold that a plan rests on is frozen as it is, by
/// the freeze in the evidence below `root`.
///
/// # Errors
/// The first file that is not.
pub fn frozen(root: &Path, plan: &Plan) -> Result<(), CompositionError> {
    let files = plan.rests_on.iter().map(|(file, digest)| (file.as_str(), digest.as_str()));
    let held = Freeze::open(root).and_then(|freeze| freeze.covers(files));
    held.map_err(|error: FreezeError| CompositionError::Frozen(error.to_string()))
}
