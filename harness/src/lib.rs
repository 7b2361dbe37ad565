//! The harness: runs the comparator and the engine, records what they answer, and reports the results.
//! The code that a verifier has to trust is in the crates `record` and `verdict`.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod archive;
pub mod audit;
pub mod cli;
pub mod comparator;
mod console;
pub mod corpus;
pub mod deviations;
mod failure;
mod folders;
pub mod fuzz;
pub mod gold;
pub mod history;
pub mod matrix;
mod moment;
pub mod nightly;
pub mod oracle;
pub mod planning;
pub mod process;
pub mod protocol;
pub mod report;
pub mod run;
pub mod schemas;
pub mod shared;
mod sigstore;

pub use failure::Failure;
pub use folders::{Folders, cache_dir};
