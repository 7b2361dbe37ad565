//! The gates. Each turns evidence into cells; none knows how the evidence was obtained.
//!
//! A gate is one file or folder here. It has the gate's name, its description ([`Gate`]) and its thresholds, which
//! judge ([`Judge`]). `build.rs` generates [`GateId`] and [`gate`](fn@gate) from these files.

// The modules of the gates, `GateId` and `gate`.
include!(concat!(env!("OUT_DIR"), "/gates.rs"));

use std::collections::BTreeSet;

use record::{Cell, GateName, Profile, Set, Verdict};

use crate::{
    CaseView, CorpusView, RunView,
    counts::Counts,
    place::{Bound, Place},
    protocol::{Protocol, ProtocolError},
};

pub use crate::{
    gate_id::UnknownGate,
    plot::{PlotKind, PlotSpec},
};
pub use a1::{A1Thresholds, NoiseProtocol, Rank, RawCase, SeededRuns, Sketch, a1, ranks, raw};
pub use a2::{A2Thresholds, Coverage, a2, invariants};
pub use a3::{
    A3Thresholds, ModelList, ModelRun, OurModel, TheirModel, TokenizerClaim, TokenizerFamily,
    TokenizerSupport, a3_enhancement, a3_models, a3_parity, a3_tokenizer,
};
pub use a4::{A4Thresholds, SequenceRun, a4};
pub use a5::{A5Thresholds, Repetition, a5, repetitions, trials};
pub use a6::{A6Limits, A6Rules, a6, a6_clean, a6_finding};
pub use b1::b1;
pub use b2::b2;
pub use b3::{StoreMatrix, scenarios};
pub use b4::{Families, Family, b4, families};
pub use e1::{E1Thresholds, TaskLabel, TaskLabels};
pub use exact::{ExactThresholds, exact, no_map};
pub use languages::{Counted, LanguageTable, as_floors, real_files};
pub use n1::{N1Thresholds, NavGold, NavigationGold};
pub use u1::{Question, Questions, U1Thresholds};
pub use vertical_slice::{SliceRun, SliceThresholds, vertical_slice};

/// The description of a gate.
pub trait Gate: Sync {
    /// What it checks, in a few words.
    fn title(&self) -> &'static str;

    /// The profiles that it judges.
    fn profiles(&self) -> &'static [Profile];

    /// The sets with enough corpora for it.
    fn sets(&self) -> &'static [Set] {
        &[Set::Smoke, Set::Full]
    }

    /// What a plan of a profile must provide for it.
    fn needs(&self, profile: Profile) -> &'static [Need];

    /// How its cells are drawn.
    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Criteria met")]
    }

    /// Reads its thresholds.
    ///
    /// # Errors
    /// A file of the protocol is missing or malformed.
    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError>;
}

/// The thresholds of a gate. A gate implements the functions that see the evidence it judges; the others return no
/// cells.
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

    /// The cells that are computed from the cells of all other gates.
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
    /// Trials: one map made again under other circumstances.
    Trials,
    /// Seeded runs of the comparator, where they are due.
    Seeds,
    /// Explorations of the source files that have gold.
    CodeGold,
    /// Explorations of the data files that have gold.
    FormatGold,
    /// Explorations of samples of all other files.
    OtherFiles,
    /// Volt's explorations of the files that have gold, if a checkout of Volt is given.
    Volt,
    /// Maps of real tasks, by the comparator and by both profiles of ours.
    Tasks,
    /// Our answers about the places that oracles of navigation know.
    Navigation,
    /// Our summaries of the files that questions are about, and what other tools show of them.
    Summaries,
    /// Maps for many models, by both sides.
    Models,
    /// Scenarios of the store of large content.
    Scenarios,
}

impl Need {
    /// Whether explorations of files provide it.
    pub const fn is_exploration(self) -> bool {
        matches!(self, Self::CodeGold | Self::FormatGold | Self::OtherFiles | Self::Volt)
    }

    /// Whether maps of a corpus's cases provide it.
    pub const fn is_map(self) -> bool {
        !self.is_exploration()
            && !matches!(self, Self::Scenarios | Self::Tasks | Self::Summaries | Self::Navigation)
    }
}

/// The gates that judge a profile over a set, in order.
pub fn gates_of(profile: Profile, set: Set) -> Vec<GateId> {
    let fits = |gate: &dyn Gate| gate.profiles().contains(&profile) && gate.sets().contains(&set);
    GateId::ALL.into_iter().filter(|id| fits(gate(*id))).collect()
}

/// Everything that these gates need from a plan.
pub fn needs(gates: &[GateId], profile: Profile) -> BTreeSet<Need> {
    gates.iter().flat_map(|id| gate(*id).needs(profile)).copied().collect()
}

/// Whether a gate compares the maps of both sides.
pub fn compares_maps(id: GateId, profile: Profile) -> bool {
    let needs = gate(id).needs(profile);
    needs.contains(&Need::Answers) && needs.contains(&Need::Maps)
}

/// Whether a gate judges explorations and nothing else.
pub fn explores(id: GateId, profile: Profile) -> bool {
    let needs = gate(id).needs(profile);
    !needs.is_empty() && needs.iter().all(|need| need.is_exploration())
}

/// The verdict of a set of cells: the worst of those that are judged.
pub fn verdict<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Verdict {
    Verdict::worst(
        cells.into_iter().filter(|cell| cell.threshold.is_some()).map(|cell| cell.verdict),
    )
}

#[cfg(test)]
#[path = "../../build/registry.rs"]
mod registry;

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use record::{Profile, Set};

    use super::{GateId, gate, gates_of, registry};
    use crate::Protocol;

    #[test]
    fn every_gate_judges_some_profile_over_some_set() {
        for gate in GateId::ALL.map(gate) {
            assert!(!gate.profiles().is_empty() && !gate.sets().is_empty());
            assert!(!gate.title().is_empty() && !gate.plots().is_empty());
        }
    }

    #[test]
    fn every_gate_has_thresholds_in_the_protocol_in_force() {
        let protocol =
            Protocol::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        for id in GateId::ALL {
            assert!(gate(id).judge(&protocol).is_ok(), "{id}");
        }
    }

    #[test]
    fn a_file_is_all_that_the_registry_needs_of_a_gate() {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("mod.rs", ""),
            ("a1/mod.rs", "pub(super) const NAME: &str = \"A1\";"),
            ("a1/noise.rs", ""),
            ("tidy_maps.rs", "//! Tidiness.\n\npub(super) const NAME: &str = \"3.1\";\n"),
        ] {
            fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
            fs::write(folder.path().join(file), text).unwrap();
        }
        let gates = registry::gates(folder.path()).unwrap();
        assert_eq!(gates.keys().collect::<Vec<_>>(), ["a1", "tidy_maps"]);
        let code = registry::code(&gates);
        assert!(code.contains("mod tidy_maps;\n") && !code.contains("noise"), "{code}");
        assert!(
            code.contains("pub const ALL: [Self; 2] = [Self::TidyMaps, Self::A1, ];"),
            "{code}"
        );
        assert!(code.contains("Self::TidyMaps => tidy_maps::NAME,\n"), "{code}");
        assert!(code.contains("GateId::TidyMaps => &tidy_maps::TidyMaps,\n"), "{code}");

        let owned = |text: &str| registry::owned("gates.toml", text, &gates);
        owned("budgets = [1]\n[a1]\n[tidy_maps]\nleast = 1").unwrap();
        let error = owned("[a2]\nleast = 1").unwrap_err().to_string();
        assert!(error.contains("[a2]") && error.contains("no a2.rs"), "{error}");
    }

    #[test]
    fn what_is_no_gate_has_no_place_among_the_gates() {
        for (files, told) in [
            (&[("plot.txt", "A1")][..], "plot.txt is no gate"),
            (&[("A1.rs", "A1")], "A1.rs is no gate"),
            (&[("a1/raw.rs", "A1")], "a1 is no gate"),
            (&[("a1.rs", "A1"), ("a1/mod.rs", "A2")], "are one gate"),
            (&[("a1.rs", "A1"), ("a2.rs", "A1")], "both have the name A1"),
            (&[("a1.rs", "A1\n")], "does not state the name"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (file, name) in files {
                let text = format!("pub(super) const NAME: &str = \"{name}\";\n");
                fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
                fs::write(folder.path().join(file), text).unwrap();
            }
            let error = registry::gates(folder.path()).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn what_the_enhancement_profile_is_judged_by_is_no_less_than_budgets_and_determinism() {
        let gates = gates_of(Profile::Enhancement, Set::Smoke);
        assert!(gates.contains(&GateId::A3) && gates.contains(&GateId::A5));
        assert!(!gates.contains(&GateId::Exact), "equality is no aim of it");
    }
}
