//! Runs a package client without input and under a deadline, and keeps the end of its messages.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    time::Duration,
};

use duct::Expression;
use thiserror::Error;

use crate::{
    corpus::disk::{At, DiskError},
    process,
};

/// Longest time that one download may take.
pub const DEADLINE: Duration = Duration::from_mins(5);
/// How much of the end of a client's messages is read, in bytes.
const LAST_WORDS: u64 = 2048;
/// How much of that an error shows, in characters.
const SHOWN: usize = 400;

/// Parts of messages by which clients say that they could not reach their registry.
const UNREACHABLE: [&str; 16] = [
    "could not resolve",
    "couldn't resolve",
    "could not connect",
    "failed to connect",
    "connecterror",
    "connection",
    "econnrefused",
    "econnreset",
    "eai_again",
    "enotfound",
    "etimedout",
    "name resolution",
    "name or service not known",
    "timed out",
    "timeout",
    "unreachable",
];

/// Why a client did not deliver an artifact.
#[derive(Debug, Error)]
pub enum ClientError {
    /// It is not installed.
    #[error("`{client}` is not installed; {install}, then run again")]
    Missing {
        /// The client.
        client: &'static str,
        /// How to install it.
        install: &'static str,
    },
    /// It could not reach its registry.
    #[error("`{client}` could not reach its registry; check the network, then run again: {said}")]
    Unreachable {
        /// The client.
        client: &'static str,
        /// The end of its messages.
        said: String,
    },
    /// It did not end in time and was killed.
    #[error("`{client}` did not end within {seconds} s; check the network, then run again")]
    TimedOut {
        /// The client.
        client: &'static str,
        /// The deadline.
        seconds: u64,
    },
    /// It failed for another reason.
    #[error("`{client}` failed ({status}): {said}")]
    Failed {
        /// The client.
        client: &'static str,
        /// Its exit status.
        status: String,
        /// The end of its messages.
        said: String,
    },
    /// Its registry does not have this version, or no longer.
    #[error("`{client}` found no such version in its registry: {said}")]
    Gone {
        /// The client.
        client: &'static str,
        /// The end of its messages.
        said: String,
    },
    /// It succeeded but produced no artifact with the locked name.
    #[error("`{client}` left no file `{file}`; compare the artifact name in the lock")]
    NoFile {
        /// The client.
        client: &'static str,
        /// The name that was expected.
        file: String,
    },
    /// A file-system operation around it failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl ClientError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Disk(error) => error.exit_code(),
            _ => 20,
        }
    }

    /// Why the artifact is not available, in words that are the same on every machine; `None` if the
    /// failure is not an absence.
    pub const fn absence(&self) -> Option<&'static str> {
        match self {
            Self::Missing { .. } => Some("its package client is not installed"),
            Self::Unreachable { .. } | Self::TimedOut { .. } => Some("its registry is not reached"),
            Self::Failed { .. } => Some("its package client failed"),
            Self::Gone { .. } | Self::NoFile { .. } => Some("its registry does not have it"),
            Self::Disk(_) => None,
        }
    }

    /// Whether trying again may help.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Failed { .. })
    }
}

/// A program that downloads, and what to tell a user who does not have it.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    /// Name as in messages.
    pub name: &'static str,
    /// How to install it: a clause that goes on from "is not installed;".
    pub install: &'static str,
}

impl Client {
    /// Runs `command` to its end in `folder`, where its messages go to a file.
    pub fn run(
        &self,
        command: &Expression,
        folder: &Path,
        deadline: Duration,
    ) -> Result<(), ClientError> {
        let words = folder.join("messages.txt");
        let messages = File::create(&words).at("create", &words)?;
        let quiet = command.dir(folder).stdin_null().stdout_null().stderr_file(messages);
        let ended = match process::finish(&quiet.unchecked(), deadline) {
            Ok(ended) => ended,
            // A folder on the search path that we may not enter hides the programs in it.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
            {
                return Err(self.missing());
            }
            Err(error) => return Err(error).at("run a package client in", folder)?,
        };
        let Some(status) = ended.map(|output| output.status) else {
            return Err(ClientError::TimedOut { client: self.name, seconds: deadline.as_secs() });
        };
        // The placeholder that a version manager installs for a missing program exits with 127.
        match status.code() {
            Some(0) => Ok(()),
            Some(127) => Err(self.missing()),
            _ => {
                let said = last_words(&words).at("read", &words)?;
                Err(classify(self.name, status.to_string(), &said))
            }
        }
    }

    /// The error for a client that is not installed.
    pub const fn missing(&self) -> ClientError {
        ClientError::Missing { client: self.name, install: self.install }
    }
}

fn classify(client: &'static str, status: String, words: &str) -> ClientError {
    let lower = words.to_lowercase();
    let length = words.chars().count();
    let said: String = words.chars().skip(length.saturating_sub(SHOWN)).collect();
    if UNREACHABLE.iter().any(|part| lower.contains(part)) {
        ClientError::Unreachable { client, said }
    } else {
        ClientError::Failed { client, status, said }
    }
}

/// The end of a message file, on one line and without control characters.
fn last_words(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
    let mut bytes = Vec::new();
    file.take(LAST_WORDS).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let tail = lines.iter().rev().take(4).rev().copied().collect::<Vec<_>>().join(" | ");
    Ok(tail.chars().filter(|c| !c.is_control()).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duct::cmd;

    use super::{Client, ClientError};

    const CLIENT: Client = Client { name: "fake", install: "write it" };

    fn run(script: &str) -> Result<(), ClientError> {
        let folder = tempfile::tempdir().unwrap();
        CLIENT.run(&cmd!("sh", "-c", script), folder.path(), Duration::from_millis(500))
    }

    #[test]
    fn failures_are_told_apart() {
        assert!(run("exit 0").is_ok());
        assert!(matches!(run("exit 127"), Err(ClientError::Missing { .. })));
        assert!(matches!(run("exec sleep 20"), Err(ClientError::TimedOut { .. })));
        let unreachable = run("echo 'getaddrinfo ENOTFOUND example' >&2; exit 1");
        assert!(matches!(unreachable, Err(ClientError::Unreachable { .. })));
        let failed = run("echo noise; echo 'no such version' >&2; exit 3").unwrap_err();
        assert!(failed.to_string().contains("no such version"), "{failed}");
        assert_eq!(failed.exit_code(), 20);
    }

    #[test]
    fn a_program_that_does_not_exist_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let command = cmd!("no-such-program-of-parity");
        let error = CLIENT.run(&command, folder.path(), Duration::from_secs(5)).unwrap_err();
        assert!(error.to_string().contains("`fake` is not installed; write it"), "{error}");
    }

    #[test]
    fn endless_messages_are_cut() {
        let error = run("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 1").unwrap_err();
        assert!(error.to_string().len() < 500);
    }
}
