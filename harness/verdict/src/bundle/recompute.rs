//! Recomputes the result of a bundle and the files in it that follow from its evidence.

use std::{collections::BTreeMap, path::Path};

use record::{Cell, Plan, Profile, Set};
use serde::Serialize;

use super::{Claim, Outcome};
use crate::{
    Evaluation, Evidence,
    composition::{self, Composition, CompositionError},
    evaluate,
};

/// What follows from the evidence of a bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct Recomputed {
    /// The result and its lists.
    pub outcome: Outcome,
    /// The measured cells, in the order of `cells.json`.
    pub cells: Vec<Cell>,
    /// Files that follow from the evidence, by path: each must be in the bundle as it is here.
    pub derived: BTreeMap<String, Vec<u8>>,
    /// What was judged.
    pub scope: Option<Scope>,
}

/// What a bundle is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scope {
    /// The set of corpora.
    pub set: Set,
    /// The profile.
    pub profile: Profile,
    /// sha256 of the engine.
    pub engine_sha256: String,
    /// The corpora that were judged, sorted.
    pub corpora: Vec<String>,
    /// Optional corpora that were not there, with the reason.
    pub skipped: BTreeMap<String, String>,
    /// sha256 of each file of the checkout that the run rests on, by path.
    #[serde(skip)]
    pub rests_on: BTreeMap<String, String>,
}

/// Why a bundle has no result.
#[derive(Debug, thiserror::Error)]
pub enum RecomputeError {
    /// The evidence cannot be judged; names the file.
    #[error("{0}")]
    Evidence(String),
    /// The evidence is not what the protocol demands.
    #[error(transparent)]
    Composition(#[from] CompositionError),
}

/// Recomputes everything from the files below a directory that holds a copy of a bundle.
pub type Recompute<'a> = &'a dyn Fn(&Path, &Claim) -> Result<Recomputed, RecomputeError>;

/// Makes files that follow from evidence, by path.
pub type Derive<'a> =
    &'a dyn Fn(&Path, &Plan, &Evaluation) -> Result<BTreeMap<String, Vec<u8>>, String>;

/// Judges the evidence in `dir` as a sign-off: its composition first, each recording by its unit,
/// then every gate.
///
/// # Errors
/// The evidence cannot be read, or is not what the protocol demands.
pub fn recompute(
    dir: &Path,
    claim: &Claim,
    composition: &Composition,
    derive: Derive<'_>,
) -> Result<Recomputed, RecomputeError> {
    let unreadable = |error: crate::EvidenceError| RecomputeError::Evidence(error.to_string());
    let evidence = Evidence::open(dir).map_err(unreadable)?;
    let plan = &evidence.plan;
    composition::plan(plan, composition)?;
    composition::frozen(dir, &plan.rests_on)?;
    composition::statement(plan, claim)?;
    composition::recordings(dir, &evidence)?;
    let evaluation = evaluate(dir).map_err(unreadable)?;
    let derived = derive(dir, plan, &evaluation).map_err(RecomputeError::Evidence)?;
    let skipped = plan.skipped.iter().chain(&plan.unexplored);
    Ok(Recomputed {
        outcome: Outcome::of(&evaluation),
        derived,
        scope: Some(Scope {
            set: plan.set,
            profile: plan.profile,
            engine_sha256: plan.engine_sha256.clone(),
            corpora: plan.corpora.iter().map(|corpus| corpus.name.clone()).collect(),
            skipped: skipped.map(|(name, why)| (name.clone(), why.clone())).collect(),
            rests_on: plan.rests_on.clone(),
        }),
        cells: evaluation.cells,
    })
}
