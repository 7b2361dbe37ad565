//! A1, ranking concordance: the same files at the top, in the same order.

mod noise;
mod ranks;
mod raw;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use record::{Cell, Profile, Stage};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place, PlotSpec};
use crate::{
    CaseView, CorpusView,
    counts::Counts,
    metrics::{jaccard::jaccard, top_k},
    protocol::{Protocol, ProtocolError, Table},
    sides::Layers,
};

pub use noise::{NoiseProtocol, SeededRuns};
pub use ranks::{Rank, ranks};
pub use raw::{RawCase, Sketch, raw};

pub(super) const NAME: &str = "A1";
const GATE: GateId = GateId::A1;

/// Thresholds of A1.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct A1Thresholds {
    /// How many top files are compared.
    pub top: usize,
    /// Least Jaccard index of the top files.
    pub min_jaccard: f64,
    /// Least Spearman correlation of the shared top files.
    pub min_spearman: f64,
    /// Fewest shared files that Spearman is computed on.
    pub min_shared: usize,
}

impl Table for A1Thresholds {
    const NAME: &'static str = "a1";
}

/// The gate.
#[derive(Debug)]
pub struct A1;

impl Gate for A1 {
    fn title(&self) -> &'static str {
        "ranking concordance"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers, Need::Maps, Need::Seeds]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![
            PlotSpec::strip("Jaccard of the top files", "jaccard_top"),
            PlotSpec::strip("Spearman of the shared top files", "spearman_top"),
        ]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(Rules {
            thresholds: protocol.table()?,
            noise: NoiseProtocol::open(protocol)?,
            runs: Mutex::default(),
        }))
    }
}

struct Rules {
    thresholds: A1Thresholds,
    noise: NoiseProtocol,
    /// The comparator's seeded runs of the corpora that are being judged, by name of the corpus. They are
    /// read once for all cases of a corpus.
    runs: Mutex<BTreeMap<String, Option<Arc<SeededRuns>>>>,
}

impl Rules {
    fn random_runs(&self, view: &CorpusView) -> Option<Arc<SeededRuns>> {
        let runs = || self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = runs().get(&view.corpus.name) {
            return read.clone();
        }
        let read = SeededRuns::due(view, &self.noise).map(Arc::new);
        runs().insert(view.corpus.name.clone(), read.clone());
        read
    }
}

impl Judge for Rules {
    fn case(&self, view: &CaseView, _: &mut Counts) -> Vec<Cell> {
        let by_budget: Vec<_> = view.narrow().collect();
        let mut cells = Vec::new();
        if !view.case.no_map {
            let corpus = &view.corpus.corpus.name;
            cells.extend(a1(corpus, &view.case.id, &by_budget, &self.thresholds));
        }
        if let Some(runs) = self.random_runs(view.corpus) {
            runs.judge(view, &self.thresholds, &mut cells);
        }
        cells
    }

    fn corpus(&self, view: &CorpusView) -> Vec<Cell> {
        // All its cases have been judged.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).remove(&view.corpus.name);
        Vec::new()
    }
}

/// The cells of one chat state: `by_budget` holds the case at every budget, ours and theirs.
/// The ranking does not depend on the budget, so concordance is scored once, on the first.
pub fn a1(
    corpus: &str,
    case: &str,
    by_budget: &[(u64, &Layers, &Layers)],
    thresholds: &A1Thresholds,
) -> Vec<Cell> {
    let place = Place { corpus, case, budget: None };
    let Some((_, ours, theirs)) = by_budget.first() else {
        return vec![place.not_run(GATE, "jaccard_top", "no budget was run")];
    };
    let mut cells = concordance(&place, ours, theirs, thresholds);
    for (budget, ours, theirs) in by_budget {
        let place = Place { corpus, case, budget: Some(*budget) };
        let (ours, theirs) = (postfit_files(ours), postfit_files(theirs));
        let value = jaccard(ours.iter().copied(), theirs.iter().copied());
        cells.push(place.reported(GATE, "postfit_file_jaccard", value, theirs.len()));
    }
    cells
}

fn concordance(
    place: &Place,
    ours: &Layers,
    theirs: &Layers,
    thresholds: &A1Thresholds,
) -> Vec<Cell> {
    let (our_top, their_top) = (top_files(ours), top_files(theirs));
    let eligible = their_top.len().min(thresholds.top);
    let result = top_k::compare(&our_top, &their_top, eligible);
    let least = (Bound::AtLeast, thresholds.min_jaccard);
    let mut jaccard = place.judged(GATE, "jaccard_top", result.jaccard, least, eligible);
    if eligible == 0 {
        "no file is eligible".clone_into(&mut jaccard.note);
    }
    let least = (Bound::AtLeast, thresholds.min_spearman);
    let spearman = if result.shared < thresholds.min_shared {
        let mut cell = place.reported(GATE, "spearman_top", None, result.shared);
        cell.note = format!(
            "not applicable: {} shared files, fewer than {}",
            result.shared, thresholds.min_shared
        );
        cell
    } else {
        place.judged(GATE, "spearman_top", result.spearman, least, result.shared)
    };
    vec![jaccard, spearman]
}

/// Files in order of their first appearance in stages 1 and 2, chat files left out.
pub(super) fn top_files(layers: &Layers) -> Vec<&str> {
    let mut seen: BTreeSet<&str> = layers.last.chat_files.iter().map(String::as_str).collect();
    let prefit = layers.ranking.iter().flat_map(|ranking| &ranking.prefit);
    prefit
        .filter(|entry| matches!(entry.stage, Stage::Definitions | Stage::Graph))
        .map(|entry| entry.file.as_str())
        .filter(|file| seen.insert(file))
        .collect()
}

/// Files that the map shows, chat files left out.
pub(super) fn postfit_files(layers: &Layers) -> BTreeSet<&str> {
    layers
        .kept_cut()
        .iter()
        .map(|entry| entry.file.as_str())
        .filter(|file| !layers.last.chat_files.iter().any(|chat| chat == file))
        .collect()
}
