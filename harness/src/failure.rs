//! A command that cannot continue: its message and its exit code.

use std::io;

use frames::FrameError;
use record::exit;
use verdict::freeze::FreezeError;

use crate::{console::talk, gold::FrozenError};

/// What went wrong, with the exit code for that kind of failure.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// A failure with its exit code.
    pub const fn new(code: u8, message: String) -> Self {
        Self { code, message }
    }

    /// Its exit code.
    pub const fn code(&self) -> u8 {
        self.code
    }

    /// A bug in this program.
    pub const fn internal(message: String) -> Self {
        Self::new(exit::INTERNAL, message)
    }

    /// The user stopped this program. Failures that follow from that are reported as this one.
    pub fn interrupted() -> Self {
        Self::new(exit::INCOMPLETE, "interrupted; run the same command again".to_owned())
    }

    /// The exit code of a command that reached a verdict and then printed it. A pipe that the reader
    /// closed (`parity verify | head`) does not change the verdict.
    pub fn after(printed: Result<(), Self>, verdict: u8) -> Result<u8, Self> {
        match printed {
            Err(failure) if failure.code != exit::PASS => Err(failure),
            _ => Ok(verdict),
        }
    }

    /// Prints the message to standard error and returns the exit code.
    pub fn report(self) -> u8 {
        if !self.message.is_empty() {
            talk(&format!("error: {}", self.message));
        }
        self.code
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<io::Error> for Failure {
    /// A reader that closes the pipe early (`parity map | head`) is not a failure. A command with a
    /// verdict ends with [`Failure::after`]; otherwise a closed pipe would count as its pass.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::new(exit::PASS, String::new())
        } else {
            Self::new(exit::IO, format!("input or output failed: {error}"))
        }
    }
}

impl From<FrameError> for Failure {
    /// For a table that was made by this program; the error for one read from a file names the file.
    fn from(error: FrameError) -> Self {
        Self::internal(error.to_string())
    }
}

impl From<FreezeError> for Failure {
    fn from(error: FreezeError) -> Self {
        FrozenError::from(error).into()
    }
}

impl From<FrozenError> for Failure {
    fn from(error: FrozenError) -> Self {
        Self::new(error.exit_code(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use record::exit;

    use super::Failure;

    #[test]
    fn a_reader_that_has_seen_enough_makes_no_verdict_a_pass() {
        let printed = |kind: io::ErrorKind| Err(Failure::from(io::Error::from(kind)));
        let gone = Failure::after(printed(io::ErrorKind::BrokenPipe), exit::GATE_FAILED);
        assert_eq!(gone.ok(), Some(exit::GATE_FAILED));
        let full = Failure::after(printed(io::ErrorKind::StorageFull), exit::PASS);
        assert_eq!(full.map_err(Failure::report), Err(exit::IO));
    }
}
