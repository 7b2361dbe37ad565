//! Runs: executing a plan, judging the recordings, and keeping the results.

mod answer;
pub mod cluster;
mod conduct;
mod derived;
mod dialogue;
mod edits;
mod environment;
mod execute;
mod explore;
mod held_copy;
mod ledger;
mod order;
mod publish;
mod recorder;
mod remaining;
mod repeat;
mod scenario;
pub mod schedule;
mod seal;
mod store;
mod worker;

pub use answer::{MAX_ANSWER, Refusal, TRIES, take_in};
pub use conduct::{Conduct, evidence_in, judge};
pub use derived::derived;
pub use dialogue::converse;
pub use edits::{SequenceError, edit_files, make_edits};
pub use environment::Beginning;
pub use execute::{ExecuteError, Executor};
pub use held_copy::HeldCopy;
pub use ledger::{Ledger, LedgerRow};
pub use order::{MAX_ORDER, UnitOrder};
pub use publish::{Published, publish, replayed};
pub use recorder::Recorder;
pub use store::{Recorded, RunDir, RunDirError};
pub use worker::answer as unit_answer;
