//! Runs: what will be done, doing it, and what came of it.

mod dialogue;
mod document;
mod evaluate;
mod evidence;
mod execute;
mod held_copy;
pub mod languages;
mod leakage;
mod ledger;
mod noise;
mod plan;
mod repeat;
pub mod schedule;
mod sequences;
mod store;
mod trial;

pub use dialogue::converse;
pub use document::{DocumentError, MapDocument, session_documents, session_side};
pub use evaluate::{Evaluation, EvaluationError, GateResult, evaluate, gate_title};
pub use evidence::{Comparator, Evidence, EvidenceError, Index, Missing};
pub use execute::{ExecuteError, Executor, MODEL, Unit, raw_request, request};
pub use ledger::{Ledger, LedgerRow};
pub use noise::NoiseProtocol;
pub use plan::{Plan, PlannedCorpus, budgets_of};
pub use sequences::{
    Action, Call, Edit, SEQUENCES, Sequence, SequenceError, Sequences, request as sequences_request,
};
pub use store::{RunDir, RunDirError, write_atomically};
pub use trial::{Trial, repetitions};
