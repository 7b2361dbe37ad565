//! Oracles: independent front ends that say which symbols and imports a file has.
//!
//! Each is a folder `comparators/oracles/<language>/` with a small program of ours around the
//! parser that the language itself, or its own community, uses. It reads paths, one a line, and
//! prints one JSON object a line; nothing of our engine has a part in it.

mod answer;
mod ask;
mod definition;
mod install;
mod programs;

pub use answer::{Answer, AnswerError};
pub use ask::{AskError, Asked, Subject, ask};
pub use definition::{Client, OracleDefinitionError, OracleSpec};
pub use install::{InstallError, Installed, install};
pub use programs::{Programs, ProgramsError};
