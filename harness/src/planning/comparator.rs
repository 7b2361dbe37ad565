//! What a run needs of the comparator: its definition, environment and profile object.

use std::{fs, path::Path};

use base::profile::{ExecutionProfile, Profile};
use record::{exit, protocol::TOKENIZERS};
use verdict::gate::TokenizerSupport;

use crate::{
    Failure, Folders,
    comparator::{
        ComparatorSpec, Environment, Environments, PinnedTuple, Preflight, preflight,
        prerequisites as checks,
    },
    console::Teller,
};

/// Opens the comparator's specification.
///
/// # Errors
/// Its definition cannot be used.
pub fn spec(folders: &Folders) -> Result<ComparatorSpec, Failure> {
    spec_in(&folders.comparator())
}

/// Opens the specification of the comparator in a folder.
///
/// # Errors
/// Its definition cannot be used.
pub fn spec_in(folder: &Path) -> Result<ComparatorSpec, Failure> {
    ComparatorSpec::open(folder).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

/// The comparator's environment, installed on first use.
///
/// # Errors
/// It cannot be installed.
pub fn environment(spec: &ComparatorSpec, folders: &Folders) -> Result<Environment, Failure> {
    let environments = Environments::new(spec, &folders.cache).shared_by(folders.store.as_ref());
    let mut teller = Teller::new();
    let environment = environments
        .prepare(&mut |line| teller.tell(line))
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()));
    teller.finish();
    environment
}

/// Checks the prerequisites; all failures are reported at once.
///
/// # Errors
/// A program is missing.
pub fn prerequisites(spec: &ComparatorSpec, npm: bool) -> Result<Preflight, Failure> {
    let checks = checks::check(&spec.definition.install, npm);
    if checks.ok() {
        return Ok(checks);
    }
    Err(Failure::new(checks.exit_code(), checks.lines().join("\n")))
}

/// Refuses a run with a model whose tokens we cannot count as the comparator does.
///
/// # Errors
/// The model has no tokenizer here, or the protocol cannot be read.
pub fn require_tokenizer(folders: &Folders) -> Result<(), Failure> {
    let path = folders.root.join(TOKENIZERS);
    let support: Result<TokenizerSupport, String> = fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    let support = support.map_err(|why| {
        Failure::new(exit::SETUP, format!("{} cannot be used: {why}", path.display()))
    })?;
    support.refusal(record::MODEL).map_or(Ok(()), |why| Err(Failure::new(exit::SETUP, why)))
}

/// The profile object of our programs, with the comparator that a parity map is compared with.
///
/// # Errors
/// The pins that this program was built with are malformed.
pub fn execution_profile(profile: Profile) -> Result<ExecutionProfile, Failure> {
    let internal = |error: String| Failure::internal(error);
    let comparator_tuple = profile
        .is_parity()
        .then(|| {
            let pinned = PinnedTuple::embedded().map_err(|error| internal(error.to_string()))?;
            serde_json::to_value(pinned).map_err(|error| internal(error.to_string()))
        })
        .transpose()?;
    Ok(ExecutionProfile { comparator_tuple, ..ExecutionProfile::new(profile) })
}

/// Checks the profile object that every parity map carries.
///
/// # Errors
/// There is none.
pub fn profile() -> Result<Preflight, Failure> {
    let profile = serde_json::to_value(execution_profile(Profile::Parity)?);
    let profile = profile.map_err(|error| Failure::internal(error.to_string()))?;
    Ok(preflight::profile(&profile))
}
