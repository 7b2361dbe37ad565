//! The negative controls of the gates: recordings of real runs are altered one at a time and judged as
//! a run and a verifier judge them.
//!
//! Two small runs are made here (`runs.rs`), with the real comparator and real corpora. Each gate must
//! pass on the original recordings and must not pass on any alteration for it (`alterations.rs`).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

mod alterations;
mod folder;
mod runs;

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use record::{Profile, Set, Verdict};
use verdict::{
    Evaluation,
    gate::{GateId, gates_of},
};

use alterations::ALL;
use folder::Folder;

#[test]
fn every_gate_passes_on_what_was_recorded() {
    for gate in judged() {
        let found = Folder::of(gate).judge();
        assert_eq!(found.verdict, Verdict::Pass, "{gate}: {:?}", failing(&found));
    }
}

#[test]
fn no_gate_passes_on_an_altered_recording() {
    let told: Vec<(String, bool)> = ALL
        .par_iter()
        .map(|alteration| {
            let mut folder = Folder::of(alteration.gate);
            (alteration.alter)(&mut folder);
            let found = folder.judge();
            let (verdict, failing) = (found.verdict, failing(&found));
            let (gate, what) = (alteration.gate, alteration.what);
            let line = format!("{gate:6} {what:44} {:12} {failing:?}", verdict.as_str());
            (line, verdict != Verdict::Pass && failing.contains(alteration.metric))
        })
        .collect();
    for (line, _) in &told {
        println!("{line}");
    }
    let wrong: Vec<&String> =
        told.iter().filter(|(_, right)| !right).map(|(line, _)| line).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_gate_has_two_alterations() {
    let mut counts: BTreeMap<GateId, usize> = judged().map(|gate| (gate, 0)).collect();
    for alteration in ALL {
        *counts.get_mut(&alteration.gate).unwrap() += 1;
    }
    let few: Vec<_> = counts.iter().filter(|(_, count)| **count < 2).collect();
    assert!(few.is_empty(), "{few:?}");
}

/// The metrics that do not pass.
fn failing(found: &Evaluation) -> BTreeSet<&str> {
    let judged = found.cells.iter().filter(|cell| cell.threshold.is_some());
    judged.filter(|cell| cell.verdict != Verdict::Pass).map(|cell| cell.metric.as_str()).collect()
}

/// Every gate.
fn judged() -> impl Iterator<Item = GateId> {
    gates_of(Profile::Parity, Set::Full).into_iter()
}
