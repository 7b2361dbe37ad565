//! The gates. Each turns evidence into cells; none knows how the evidence was obtained.
//!
//! A gate is one file or folder here: what it is ([`Gate`]), its thresholds, which judge
//! ([`Judge`]), and a line in the registry, [`gate`].

mod a1;
mod a2;
mod a3;
mod a4;
mod a5;
mod a6;
mod b1;
mod b2;
mod b3;
mod b4;
mod b5;
mod exact;
pub mod language_table;
pub mod languages;
mod plot;
mod vertical_slice;
mod volt;

use std::collections::BTreeSet;

use record::{Cell, GateId, Profile, Set, Verdict};

use crate::{
    CaseView, CorpusView, RunView,
    counts::Counts,
    place::{Bound, Place},
    protocol::{Protocol, ProtocolError},
};

pub use a1::{A1Thresholds, NoiseProtocol, RawCase, SeededRuns, Sketch, a1, raw};
pub use a2::{A2Thresholds, Coverage, a2};
pub use a3::{
    A3Thresholds, TokenizerClaim, TokenizerFamily, TokenizerSupport, a3_enhancement, a3_parity,
    a3_tokenizer,
};
pub use a4::{A4Thresholds, SequenceRun, a4};
pub use a5::{A5Thresholds, Repetition, a5, repetitions, trials};
pub use a6::{A6Limits, A6Rules, a6, a6_clean, a6_finding};
pub use b1::b1;
pub use b2::b2;
pub use b3::{StoreMatrix, scenarios};
pub use b4::{Families, Family, b4, families};
pub use exact::{ExactThresholds, exact, no_map};
pub use plot::{PlotKind, PlotSpec};
pub use vertical_slice::{SliceRun, SliceThresholds, vertical_slice};

/// The registry.
pub fn gate(id: GateId) -> &'static dyn Gate {
    match id {
        GateId::VerticalSlice => &vertical_slice::VerticalSlice,
        GateId::A1 => &a1::A1,
        GateId::A2 => &a2::A2,
        GateId::A3 => &a3::A3,
        GateId::A4 => &a4::A4,
        GateId::A5 => &a5::A5,
        GateId::A6 => &a6::A6,
        GateId::B1 => &b1::B1,
        GateId::B2 => &b2::B2,
        GateId::B3 => &b3::B3,
        GateId::B4 => &b4::B4,
        GateId::B5 => &b5::B5,
        GateId::Exact => &exact::Exact,
        GateId::Languages => &languages::Languages,
    }
}

/// What a gate is.
pub trait Gate: Sync {
    /// What it asks, in a few words.
    fn title(&self) -> &'static str;

    /// The profiles that it judges.
    fn profiles(&self) -> &'static [Profile];

    /// The sets whose corpora are enough for it.
    fn sets(&self) -> &'static [Set] {
        &[Set::Smoke, Set::Full]
    }

    /// What a plan of a profile must provide for it.
    fn needs(&self, profile: Profile) -> &'static [Need];

    /// How its cells are drawn.
    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Criteria met")]
    }

    /// Reads its thresholds, which judge.
    ///
    /// # Errors
    /// A file of the protocol is missing or malformed.
    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError>;
}

/// The thresholds of a gate. Cells come from whichever of these functions see what it judges.
pub trait Judge: Sync {
    /// The cells of one case, with both sides' maps. `counts` are added up over all cases of the
    /// run for [`Judge::run`].
    fn case(&self, case: &CaseView, counts: &mut Counts) -> Vec<Cell> {
        let _ = (case, counts);
        Vec::new()
    }

    /// The cells of one corpus.
    fn corpus(&self, corpus: &CorpusView) -> Vec<Cell> {
        let _ = corpus;
        Vec::new()
    }

    /// The cells of the whole run.
    fn run(&self, run: &RunView) -> Vec<Cell> {
        let _ = run;
        Vec::new()
    }

    /// The cells that follow from those of all other gates.
    fn end(&self, run: &RunView) -> Vec<Cell> {
        let _ = run;
        Vec::new()
    }
}

/// Something that a plan provides if a gate needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// The comparator's canonical answers about all cases.
    Answers,
    /// Our maps of all cases.
    Maps,
    /// A further, wide budget for the first case of each corpus.
    WideBudget,
    /// Repeated maps of the vertical slice.
    Repeats,
    /// Call sequences, answered by both sides.
    Sequences,
    /// One map made again under other circumstances.
    Trials,
    /// Random runs of the comparator, where they are due.
    Seeds,
    /// Explorations of the source files that have gold.
    CodeGold,
    /// Explorations of the data files that have gold.
    FormatGold,
    /// Explorations of samples of all other files.
    OtherFiles,
    /// What a checkout of Volt says of the files that have gold, where there is one.
    Volt,
    /// Scenarios of the store of large content.
    Scenarios,
}

impl Need {
    /// Whether it is met by exploring files.
    pub const fn is_exploration(self) -> bool {
        matches!(self, Self::CodeGold | Self::FormatGold | Self::OtherFiles | Self::Volt)
    }

    /// Whether corpora must be mapped for it.
    pub const fn is_map(self) -> bool {
        !self.is_exploration() && !matches!(self, Self::Scenarios)
    }
}

/// The gates that judge a profile over a set, in order.
pub fn gates_of(profile: Profile, set: Set) -> Vec<GateId> {
    let fits = |gate: &dyn Gate| gate.profiles().contains(&profile) && gate.sets().contains(&set);
    GateId::ALL.into_iter().filter(|id| fits(gate(*id))).collect()
}

/// Everything that some gates need of a plan.
pub fn needs(gates: &[GateId], profile: Profile) -> BTreeSet<Need> {
    gates.iter().flat_map(|id| gate(*id).needs(profile)).copied().collect()
}

/// Whether a gate holds both sides' maps against each other.
pub fn compares_maps(id: GateId, profile: Profile) -> bool {
    let needs = gate(id).needs(profile);
    needs.contains(&Need::Answers) && needs.contains(&Need::Maps)
}

/// The verdict of a set of cells: the worst of those that are judged.
pub fn verdict<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Verdict {
    Verdict::worst(
        cells.into_iter().filter(|cell| cell.threshold.is_some()).map(|cell| cell.verdict),
    )
}

#[cfg(test)]
mod tests {
    use record::{GateId, Profile, Set};

    use super::{gate, gates_of};

    #[test]
    fn every_gate_judges_some_profile_over_some_set() {
        for gate in GateId::ALL.map(gate) {
            assert!(!gate.profiles().is_empty() && !gate.sets().is_empty());
            assert!(!gate.title().is_empty() && !gate.plots().is_empty());
        }
    }

    #[test]
    fn what_the_enhancement_profile_is_judged_by_is_no_less_than_budgets_and_determinism() {
        let gates = gates_of(Profile::Enhancement, Set::Smoke);
        assert!(gates.contains(&GateId::A3) && gates.contains(&GateId::A5));
        assert!(!gates.contains(&GateId::Exact), "equality is no aim of it");
    }
}
