//! The explorer-family matrix: which families of explorers must have passed, and by which evidence.
//!
//! A required family whose evidence did not pass, or does not exist, fails the run. The matrix is
//! `explorer_family_matrix.v1.json` of the protocol; its digest is part of the protocol of formats, so both
//! are frozen together.

use std::collections::BTreeSet;

use record::{Cell, GateName, Verdict};
use serde::{Deserialize, Serialize};

use super::{Bound, GATE, Place};

/// The whole matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Families {
    /// Its version.
    pub version: u32,
    /// What its fields mean, for people.
    pub about: Vec<String>,
    /// Its rows.
    pub families: Vec<Family>,
}

/// One row: a family of explorers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub family: String,
    /// The explorers that belong to it.
    pub explorers: Vec<String>,
    /// Whether a run without passing evidence fails.
    pub parity_required: bool,
    /// Whether it may be left out.
    pub allowed_exclusion: bool,
    /// Why it is left out; only where it is.
    pub exclusion_rationale: Option<String>,
    /// What must have passed.
    pub required_evidence: Vec<Evidence>,
    /// Its part in the score of the whole matrix.
    pub score_weight: f64,
    /// Least share of its judged evidence that must have passed, from 0 to 1.
    pub threshold: f64,
}

/// Cells of a gate that are evidence for a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The gate.
    pub gate: GateName,
    /// The case of its cells, such as a format; empty for a gate without cases.
    pub case: String,
}

impl Families {
    /// Checks what the types of the matrix do not say.
    ///
    /// # Errors
    /// A required family has no evidence or is excluded, one that is left out does not say why, or
    /// an explorer has two families.
    pub fn check(&self) -> Result<(), String> {
        let mut explorers = BTreeSet::new();
        for row in &self.families {
            let Family { family, exclusion_rationale, .. } = row;
            let why = exclusion_rationale.as_deref().unwrap_or_default();
            if row.parity_required
                && (row.allowed_exclusion || !why.is_empty() || row.required_evidence.is_empty())
            {
                return Err(format!("{family}: a required family has evidence and no exclusion"));
            }
            if !row.parity_required && (!row.allowed_exclusion || why.is_empty()) {
                return Err(format!("{family}: a family that is not required must say why"));
            }
            if !(0.0..=1.0).contains(&row.threshold) || row.score_weight < 0.0 {
                return Err(format!("{family}: its threshold or weight is out of range"));
            }
            if let Some(twice) = row.explorers.iter().find(|one| !explorers.insert(one.as_str())) {
                return Err(format!("{twice} belongs to two families"));
            }
        }
        Ok(())
    }
}

/// One cell for each family: the share of its judged evidence that passed. `cells` are those of the same
/// run. If only a part of the gates or corpora was asked for, a family whose evidence was not asked for
/// is left open, and the whole matrix has no score.
pub fn families(matrix: &Families, cells: &[Cell], gates: &[GateName], partial: bool) -> Vec<Cell> {
    let mut made = Vec::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    let mut open = false;
    for row in &matrix.families {
        let name = format!("family {}", row.family);
        let place = Place { corpus: "", case: &name, budget: None };
        let asked = row.required_evidence.iter().all(|one| gates.contains(&one.gate));
        let judged = row.required_evidence.iter().map(|one| of(one, cells)).collect::<Vec<_>>();
        let missing = judged.iter().any(Vec::is_empty);
        if !row.parity_required {
            continue;
        }
        if !asked || (partial && missing) {
            open = true;
            continue;
        }
        weights += row.score_weight;
        if missing {
            made.push(place.not_run(
                GATE,
                "family_evidence",
                "some of its evidence does not exist",
            ));
            continue;
        }
        let all: Vec<&Cell> = judged.into_iter().flatten().collect();
        let passed = all.iter().filter(|cell| cell.verdict == Verdict::Pass).count();
        let share = passed as f64 / all.len() as f64;
        sum += row.score_weight * share;
        let bound = (Bound::AtLeast, row.threshold);
        made.push(place.judged(GATE, "family_evidence", Some(share), bound, all.len()));
    }
    if !open && weights > 0.0 {
        let place = Place { corpus: "", case: "families", budget: None };
        made.push(place.reported(GATE, "family_score", Some(sum / weights), made.len()));
    }
    made
}

/// The cells with a threshold that belong to a piece of evidence.
fn of<'a>(evidence: &Evidence, cells: &'a [Cell]) -> Vec<&'a Cell> {
    cells
        .iter()
        .filter(|cell| cell.threshold.is_some())
        .filter(|cell| cell.gate == evidence.gate && cell.case == evidence.case)
        .collect()
}

#[cfg(test)]
#[path = "families_tests.rs"]
mod tests;
