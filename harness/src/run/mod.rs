//! Runs: what will be done, doing it, and what came of it.

mod document;
mod evaluate;
mod evidence;
mod execute;
mod ledger;
mod noise;
mod plan;
mod store;

pub use document::{DocumentError, MapDocument};
pub use evaluate::{Evaluation, EvaluationError, GateResult, evaluate, gate_title};
pub use evidence::{Comparator, Evidence, EvidenceError, Index, Missing};
pub use execute::{ExecuteError, Executor, Unit, raw_request, request};
pub use ledger::{Ledger, LedgerRow};
pub use noise::NoiseProtocol;
pub use plan::{Plan, PlannedCorpus};
pub use store::{RunDir, RunDirError, write_atomically};
