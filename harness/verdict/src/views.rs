//! What gates see of the evidence: a case, a corpus, the run.

use std::sync::OnceLock;

use record::{Case, Cell, Plan, PlannedCorpus};

use crate::{
    counts::Counts,
    evidence::{Comparator, Evidence, Missing},
    explorations::Explorations,
    place::Place,
    sides::Layers,
};

/// Both sides of a case at one budget: the budget in tokens, ours, the comparator's.
pub type Sides = (u64, Layers, Layers);

/// One corpus of the evidence. What is read of it for one gate is kept for the next.
#[derive(Debug)]
pub struct CorpusView<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// The corpus as it was planned.
    pub corpus: &'a PlannedCorpus,
    comparator: OnceLock<Result<Comparator, Missing>>,
}

/// One case of a corpus with both sides' maps.
#[derive(Debug)]
pub struct CaseView<'a> {
    /// Its corpus.
    pub corpus: &'a CorpusView<'a>,
    /// The case.
    pub case: &'a Case,
    /// Both sides at each budget of the plan, the wide one last, without budgets at which one side has no
    /// answer.
    pub sides: &'a [Sides],
}

/// The whole run.
#[derive(Debug)]
pub struct RunView<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// The results of the run's explorations; absent if it has none.
    pub explorations: Option<&'a Explorations>,
    /// The numbers that the gate counted case by case.
    pub counts: &'a Counts,
    /// The cells of the gates before it, and its own of cases and corpora.
    pub cells: &'a [Cell],
}

impl<'a> CorpusView<'a> {
    /// A corpus, before any of its recordings has been read.
    pub fn new(evidence: &'a Evidence, corpus: &'a PlannedCorpus) -> Self {
        Self { evidence, corpus, comparator: OnceLock::new() }
    }

    /// The plan of the run.
    pub fn plan(&self) -> &'a Plan {
        &self.evidence.plan
    }

    /// The comparator's canonical answers about the corpus.
    pub fn comparator(&self) -> Result<&Comparator, &Missing> {
        self.comparator.get_or_init(|| self.evidence.comparator(self.corpus)).as_ref()
    }

    /// Where the cells of a case at a budget belong.
    pub fn place(&self, case: &'a str, budget: Option<u64>) -> Place<'a> {
        Place { corpus: &self.corpus.name, case, budget }
    }

    /// Both sides of a case at one budget.
    pub(crate) fn sides(&self, case: &Case, budget: u64) -> Result<(Layers, Layers), Missing> {
        // Tags are compared at the first budget only; see `CaseView::first`.
        let tags = self.plan().budgets.first() == Some(&budget);
        let theirs = self.comparator().map_err(Clone::clone)?.layers(&case.id, budget, tags)?;
        let ours = self.evidence.engine(self.corpus, &case.id, budget)?;
        let ours = ours.layers().map_err(|error| Missing(error.to_string()))?;
        Ok((ours, theirs))
    }
}

impl<'a> CaseView<'a> {
    /// Both sides at the budgets of the plan, without the wide one.
    pub fn narrow(&self) -> impl Iterator<Item = (u64, &'a Layers, &'a Layers)> {
        let budgets = &self.corpus.plan().budgets;
        self.all().filter(move |(budget, ..)| budgets.contains(budget))
    }

    /// Both sides at all budgets.
    pub fn all(&self) -> impl Iterator<Item = (u64, &'a Layers, &'a Layers)> {
        self.sides.iter().map(|(budget, ours, theirs)| (*budget, ours, theirs))
    }

    /// Both sides at the first budget of the plan, at which tags and edges are recorded.
    pub fn first(&self) -> Option<(u64, &'a Layers, &'a Layers)> {
        let first = self.corpus.plan().budgets.first().copied();
        self.all().find(|(budget, ..)| Some(*budget) == first)
    }

    /// Where its cells at a budget belong.
    pub fn place(&self, budget: u64) -> Place<'a> {
        self.corpus.place(&self.case.id, Some(budget))
    }
}
