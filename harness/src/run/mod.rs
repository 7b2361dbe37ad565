//! Runs: executing a plan, judging the recordings, and keeping the results.

mod conduct;
mod derived;
mod dialogue;
mod edits;
mod environment;
mod execute;
mod explore;
mod held_copy;
mod ledger;
mod publish;
mod remaining;
mod repeat;
mod scenario;
pub mod schedule;
mod seal;
mod store;

pub use conduct::{Conduct, evidence_in, judge};
pub use derived::derived;
pub use dialogue::converse;
pub use edits::{SequenceError, edit_files, make_edits};
pub use environment::Beginning;
pub use execute::{ExecuteError, Executor};
pub use ledger::{Ledger, LedgerRow};
pub use publish::{Published, publish, replayed};
pub use store::{Recorded, RunDir, RunDirError};
