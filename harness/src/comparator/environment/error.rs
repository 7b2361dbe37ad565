//! Errors of making the comparator's environment.

use std::{io, path::PathBuf};

use record::{Digest, WriteError, exit};

use super::content::ContentError;
use crate::{comparator::python::PythonError, corpus::disk::DiskError, process::ProcessError};

/// Why no environment could be made.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// No suitable interpreter was found.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The requirements differ from the ones that the definition names.
    #[error(
        "{path} has the digest {found}, but the definition says {expected}; restore it with git checkout"
    )]
    Lock {
        /// The requirements file.
        path: PathBuf,
        /// Its digest.
        found: Digest,
        /// What it should be.
        expected: Digest,
    },
    /// A downloaded package does not have its locked digest.
    #[error("a package does not have its locked digest; it was not used:\n{talk}")]
    HashMismatch {
        /// The end of the installer's output.
        talk: String,
    },
    /// The package index cannot be reached.
    #[error(
        "the package index cannot be reached; check the network or the installer's mirror settings, then run the same command again:\n{talk}"
    )]
    Network {
        /// The end of the installer's output.
        talk: String,
    },
    /// A step failed for another reason.
    #[error("{step} {ending}:\n{talk}")]
    Step {
        /// What was being done.
        step: &'static str,
        /// How it ended.
        ending: String,
        /// The end of its output.
        talk: String,
    },
    /// A downloaded wheel cannot be used.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// The user interrupted it.
    #[error("interrupted while making the comparator's environment; run the same command again")]
    Interrupted,
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Reading or writing failed.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The stamp could not be written.
    #[error(transparent)]
    Stamp(#[from] WriteError),
}

impl From<DiskError> for EnvironmentError {
    fn from(error: DiskError) -> Self {
        Self::Content(error.into())
    }
}

impl EnvironmentError {
    /// The exit code of this error.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Lock { .. } | Self::HashMismatch { .. } => exit::DIGEST,
            Self::Content(error) => error.exit_code(),
            Self::Interrupted => exit::INCOMPLETE,
            Self::Io { .. } | Self::Stamp(_) => exit::IO,
            Self::Python(_) | Self::Network { .. } | Self::Step { .. } | Self::Process(_) => {
                exit::SETUP
            }
        }
    }
}
