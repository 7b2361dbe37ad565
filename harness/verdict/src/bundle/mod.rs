//! The sign-off bundle: a directory of evidence and one signed statement about it.
//!
//! `attestation.intoto.json` is a DSSE envelope around an in-toto Statement. The statement lists
//! every file of evidence with its sha256 and says which tests passed. What its signers say beside that
//! is in `notes/`, signed one by one. Sealing writes the statement. Verification checks the signature
//! against keys that the *reader* trusts, the directory against the statement, and the claimed result
//! against a recomputation from the files themselves.
//!
//! This module does not depend on the engine or on how a gate is computed: the caller passes the
//! recomputation in.

pub mod accepted;
pub mod counter;
pub mod cycle;
pub mod envelope;
mod json;
pub mod keys;
pub mod name;
pub mod note;
pub mod outcome;
pub mod pae;
pub mod policy;
pub mod public_key;
pub mod recompute;
pub mod reference;
mod report;
pub mod seal;
pub mod sign;
pub mod signatures;
pub mod statement;
pub mod verify;
pub mod walk;

#[cfg(test)]
mod fault_tests;

pub use accepted::{Accepted, AcceptedError};
pub use cycle::CycleError;
pub use note::{Environment, Host, Review};
pub use outcome::{Outcome, TestResult};
pub use policy::Policy;
pub use recompute::{Recompute, RecomputeError, Recomputed, Scope, recompute};
pub use reference::Reference;
pub use report::Report;
pub use seal::seal;
pub use statement::{Claim, ResourceDescriptor, Source};
pub use verify::{Expectations, VerifyError, verify};

/// The signed envelope, at the root of every bundle. It and the notes are the only files that are not
/// subjects of the statement.
pub const ATTESTATION: &str = "attestation.intoto.json";

/// The measured cells, a JSON array of [`record::Cell`], at the root of every bundle.
pub const CELLS: &str = "cells.json";
