//! The harness: runs the comparator and the engine, records what they say, and reports what came
//! of it. What a verifier has to trust is not here but in the crates `record` and `verdict`.

pub mod audit;
pub mod cli;
pub mod comparator;
pub mod corpus;
mod failure;
mod folders;
pub mod gold;
pub mod oracle;
pub mod planning;
pub mod process;
pub mod report;
pub mod run;
mod talk;

pub use failure::Failure;
pub use folders::{Folders, cache_dir};
