//! Runs: doing what a plan says, and keeping what came of it.

mod dialogue;
mod edits;
mod execute;
mod held_copy;
mod ledger;
mod repeat;
pub mod schedule;
mod store;

pub use dialogue::converse;
pub use edits::{SequenceError, load_sequences, make_edits, request as sequences_request};
pub use execute::{ExecuteError, Executor, MODEL, raw_request, request};
pub use ledger::{Ledger, LedgerRow};
pub use store::{RunDir, RunDirError};
