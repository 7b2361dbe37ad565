//! A reviewer's signature on a bundle that somebody else sealed.

use std::{io, path::Path};

use record::digest::sha256;

use super::{
    ATTESTATION,
    envelope::{Envelope, EnvelopeError, MAX_BYTES, PAYLOAD_TYPE},
    keys::SigningKey,
    seal::{SealError, write_attestation},
    walk,
};

/// Why no signature was added.
#[derive(Debug, thiserror::Error)]
pub enum CosignError {
    /// The envelope could not be read.
    #[error("{ATTESTATION}: {0}")]
    Read(io::Error),
    /// The envelope is malformed.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The statement is not the one that was verified.
    #[error("{ATTESTATION}: not the statement that was verified; nothing was signed")]
    Changed,
    /// This key has signed already.
    #[error("{ATTESTATION}: already signed by {0}")]
    AlreadySigned(String),
    /// The envelope could not be written.
    #[error(transparent)]
    Write(#[from] SealError),
}

impl CosignError {
    /// The exit code of the program: 74 for input and output, 2 for signing twice, else 22.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) => 74,
            Self::AlreadySigned(_) => 2,
            Self::Envelope(_) => 22,
            Self::Changed => 21,
        }
    }
}

/// Adds the signature of `key` to the statement of `bundle` and leaves everything else as it is.
///
/// It looks at no other file: verify the bundle first, with a policy that does not need this
/// signature yet, and pass that report's `statement_sha256` as `verified`, so that nothing else
/// can be signed than what was verified. The order in which reviewers sign does not change the
/// bytes.
pub fn cosign(bundle: &Path, verified: &str, key: &SigningKey) -> Result<(), CosignError> {
    let bytes = walk::read(&bundle.join(ATTESTATION), MAX_BYTES).map_err(CosignError::Read)?;
    let mut envelope = Envelope::parse(&bytes)?;
    if sha256(&envelope.payload) != verified {
        return Err(CosignError::Changed);
    }
    let signature = key.sign(PAYLOAD_TYPE, &envelope.payload);
    if envelope.signatures.iter().any(|other| other.keyid == signature.keyid) {
        return Err(CosignError::AlreadySigned(signature.keyid));
    }
    envelope.signatures.push(signature);
    envelope.signatures.sort();
    Ok(write_attestation(bundle, &envelope)?)
}
