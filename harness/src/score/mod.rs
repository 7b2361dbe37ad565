//! Scoring explorations: what is explored, the recordings of it, and their judgement by B1 and B2.

mod evaluate;
mod evidence;
mod execute;
mod plan;
mod report;

pub use evaluate::{FileResult, ScoreEvaluation, evaluate};
pub use evidence::{ScoreDir, ScoreEvidence, ScoreEvidenceError};
pub use execute::{ScoreExecuteError, Scorer};
pub use plan::{ScorePlan, ScoredCorpus};
pub use report::{table, worst};
