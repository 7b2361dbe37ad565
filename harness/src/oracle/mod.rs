//! Oracles: independent front ends that list the symbols and imports of a file, and parsers that list
//! its entities.
//!
//! Each is a folder `comparators/oracles/<language>/` with a small program of ours around the parser
//! that the language itself, or its community, uses. It reads paths, one per line, and prints one JSON
//! object per line; no code of our engine is involved.

mod answer;
mod ask;
mod definition;
mod install;
mod programs;

pub use answer::{Answer, AnswerError};
pub use ask::{AskError, Asked, Subject, ask};
pub use definition::{Client, OracleDefinitionError, OracleSpec};
pub use install::{InstallError, Installed, install, python_environment};
pub use programs::{Programs, ProgramsError};
