//! A reviewer's signature on a bundle that somebody else sealed.

use std::{io, path::Path};

use record::digest::sha256;

use super::{
    ATTESTATION,
    envelope::{Envelope, EnvelopeError, MAX_BYTES, PAYLOAD_TYPE},
    keys::SigningKey,
    note::{self, Environment, NoteError, Predicate as _, Review},
    seal::{SealError, write_attestation},
    walk,
};

/// Why no signature was added.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The envelope could not be read.
    #[error("{ATTESTATION}: {0}")]
    Read(io::Error),
    /// The envelope is malformed.
    #[error("{ATTESTATION}: {0}")]
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
    /// The note could not be written.
    #[error(transparent)]
    Note(#[from] NoteError),
}

impl SignError {
    /// The exit code of the program: 74 for input and output, 2 for signing twice and for a comment that
    /// cannot be signed, 21 for another statement than the one that was verified, else 22.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) => 74,
            Self::AlreadySigned(_) | Self::Note(NoteError::Statement { .. }) => 2,
            Self::Envelope(_) => 22,
            Self::Changed => 21,
            Self::Note(error) => error.exit_code(),
        }
    }
}

/// Adds the signature of `key` to the statement of `bundle`, and what its owner says to the notes.
///
/// No other file is read: verify the bundle first, with a policy that does not need this signature yet,
/// and pass that report's `statement_sha256` as `verified`, so that only what was verified can be signed.
/// The order in which reviewers sign does not change the bytes. An interruption between the two leaves a
/// signature without a note; then the same key may sign again.
pub fn sign(
    bundle: &Path,
    verified: &str,
    review: Review,
    key: &SigningKey,
) -> Result<(), SignError> {
    let bytes = walk::read(&bundle.join(ATTESTATION), MAX_BYTES).map_err(SignError::Read)?;
    let mut envelope = Envelope::parse(&bytes)?;
    if sha256(&envelope.payload) != verified {
        return Err(SignError::Changed);
    }
    let signature = key.sign(PAYLOAD_TYPE, &envelope.payload);
    let signed = envelope.signatures.contains(&signature);
    let has = |kind: &str| bundle.join(note::file_name(kind, &signature.keyid)).exists();
    // The key that signed the run cannot review it, too.
    if signed && (has(Review::KIND) || has(Environment::KIND)) {
        return Err(SignError::AlreadySigned(signature.keyid));
    }
    // What cannot be signed must not leave a signature without a note.
    let wrong = |reason: &str| NoteError::Statement {
        file: note::file_name(Review::KIND, &signature.keyid),
        reason: reason.to_owned(),
    };
    review.check().map_err(wrong)?;
    if !signed {
        envelope.signatures.push(signature);
        envelope.signatures.sort();
        write_attestation(bundle, &envelope)?;
    }
    note::write(bundle, &envelope.payload, review, key)?;
    Ok(())
}
