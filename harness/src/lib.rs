//! The harness: runs the comparator and the engine, scores them, seals and verifies evidence.
//!
//! `gate`, `metrics` and `bundle` depend on nothing of the engine, so that what a verifier has
//! to trust stays small.

pub mod audit;
pub mod bundle;
pub mod cli;
pub mod comparator;
pub mod corpus;
pub mod gate;
pub mod gold;
pub mod metrics;
pub mod oracle;
pub mod process;
pub mod report;
pub mod run;
pub mod score;
pub mod sha256;
