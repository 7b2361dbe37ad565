//! A command that cannot continue: its message and its exit code.

use std::io;

use record::exit;
use verdict::freeze::FreezeError;

use crate::{console::talk, gold::FrozenError};

/// What went wrong, with the exit code that says of which kind it is.
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

    /// A bug in this program.
    pub const fn internal(message: String) -> Self {
        Self::new(exit::INTERNAL, message)
    }

    /// The user stopped this program. Whatever else failed then failed because of it.
    pub fn interrupted() -> Self {
        Self::new(exit::INCOMPLETE, "interrupted; run the same command again".to_owned())
    }

    /// Tells the user and returns the exit code.
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
    /// A reader that has seen enough (`parity map | head`) is not a failure.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::new(exit::PASS, String::new())
        } else {
            Self::new(exit::IO, format!("input or output failed: {error}"))
        }
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
