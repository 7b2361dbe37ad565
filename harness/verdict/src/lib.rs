//! From evidence to verdicts: metrics, gates and the sign-off bundle.
//!
//! This is what a verifier has to trust. It reads folders of recordings and nothing else: it uses no engine,
//! no explorer and no network, and runs no comparator.

pub mod bundle;
pub mod composition;
mod counts;
mod document;
mod evaluate;
mod evidence;
pub mod explorations;
pub mod freeze;
pub mod gate;
mod gate_id;
pub mod metrics;
mod place;
mod plot;
pub mod protocol;
pub mod response;
pub mod sides;
mod views;

pub use counts::Counts;
pub use document::{DocumentError, MapDocument, session_documents, session_side};
pub use evaluate::{Evaluation, GateResult, evaluate};
pub use evidence::{Comparator, Evidence, EvidenceError, INDEX, Index, Missing, PLAN};
pub use explorations::{Explorations, FileResult};
pub use place::Place;
pub use protocol::{Protocol, ProtocolError};
pub use response::{Response, classify};
pub use views::{CaseView, CorpusView, RunView, Sides};
