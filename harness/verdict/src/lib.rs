//! From evidence to verdicts: metrics, gates and the sign-off bundle.
//!
//! This is what a verifier has to trust. It reads folders of recordings and nothing else: no
//! engine, no explorer, no comparator that is run, no network.

pub mod bundle;
mod document;
mod evaluate;
mod evidence;
pub mod gate;
pub mod metrics;
pub mod response;

pub use document::{DocumentError, MapDocument, session_documents, session_side};
pub use evaluate::{Evaluation, EvaluationError, GateResult, evaluate, gate_title};
pub use evidence::{Comparator, Evidence, EvidenceError, INDEX, Index, Missing, PLAN};
pub use response::{Response, classify};
