//! What is wrong with a setting.

use std::path::PathBuf;

use base::text::visible::{path as shown, visible};

/// Why settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A file exists but cannot be read.
    #[error("{}: {why} (--no-config leaves it out)", shown(file))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A file is not TOML.
    #[error("{}:{line}: {}", shown(file), visible(why))]
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        why: String,
    },
    /// A file sets a key that does not exist.
    #[error("{}:{line}: there is no key {}; did you mean {nearest}?", shown(file), visible(key))]
    UnknownKey {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The existing key with the most similar name.
        nearest: &'static str,
    },
    /// The file of a repository sets a key that only a user may set.
    #[error(
        "{}:{line}: the file of a repository may not set {key}; set it in a parity.toml of your own, or leave this file out with --no-config",
        shown(file)
    )]
    NotTrusted {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: &'static str,
    },
    /// A value is not valid for its key.
    #[error("{place}: {key}: expected {}", visible(expected))]
    Value {
        /// The file with its line, or the variable.
        place: String,
        /// The key.
        key: &'static str,
        /// Which values are valid.
        expected: String,
    },
}
