//! How both sides rank the top files of a case, for whoever wants to see where the orders differ.

use super::top_files;
use crate::{CorpusView, Evidence, metrics::top_k::MAX_K};

/// A file that is among the first of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rank {
    /// Its path.
    pub file: String,
    /// Its rank on our side, from 1.
    pub ours: usize,
    /// Its rank on the comparator's side, from 1.
    pub theirs: usize,
}

/// The shared top files of a case at the first budget, in the comparator's order. `None` if the evidence has no
/// answer of both sides.
pub fn ranks(evidence: &Evidence, corpus: &str, case: &str) -> Option<Vec<Rank>> {
    let planned = evidence.plan.corpora.iter().find(|planned| planned.name == corpus)?;
    let case = planned.cases.iter().find(|planned| planned.id == case)?;
    let budget = *evidence.plan.budgets.first()?;
    let (ours, theirs) = CorpusView::new(evidence, planned).sides(case, budget).ok()?;
    let (our_top, their_top) = (top_files(&ours), top_files(&theirs));
    let ours = our_top.get(..MAX_K).unwrap_or(&our_top);
    let shared = their_top.iter().take(MAX_K).enumerate().filter_map(|(at, file)| {
        let our_rank = ours.iter().position(|other| other == file)? + 1;
        Some(Rank { file: (*file).to_owned(), ours: our_rank, theirs: at + 1 })
    });
    Some(shared.collect())
}
