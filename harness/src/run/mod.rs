//! Runs: doing what a plan says, judging it, and keeping what came of it.

mod conduct;
mod dialogue;
mod edits;
mod execute;
mod explore;
mod held_copy;
mod ledger;
mod publish;
mod repeat;
pub mod schedule;
mod seal;
mod store;

pub use conduct::{Conduct, evidence_in, judge};
pub use dialogue::converse;
pub use edits::{SequenceError, make_edits, request as sequences_request};
pub use execute::{ExecuteError, Executor, raw_request, request};
pub use ledger::{Ledger, LedgerRow};
pub use publish::{Published, outcome, publish, replayed};
pub use store::{Recorded, RunDir, RunDirError};
