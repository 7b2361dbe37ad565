//! Exactness: our layers equal the canonical comparator's, layer by layer.
//!
//! Tags, edges (in the order of the graph), personalisation, search trace and text must be equal, candidates
//! up to the largest probed cut, and ranks within a relative error. The same holds for the attempts of the
//! fallback chain before the one that gave the map.

mod attempts;

use std::collections::BTreeMap;

use record::{Cell, Profile, Tag};
use serde::Deserialize;

use super::{Bound, Gate, GateId, Judge, Need, Place, PlotSpec};
use crate::{
    CaseView,
    counts::Counts,
    protocol::{Protocol, ProtocolError, Table},
    sides::{
        Layers, PrefitEntry, RankingLayers, edges,
        lists::{first_difference, share_of_lists},
    },
};

pub(super) const NAME: &str = "exact";
const GATE: GateId = GateId::Exact;

/// Thresholds of the exactness check.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactThresholds {
    /// Least share of a layer's items that equal the comparator's.
    pub min_equal_share: f64,
    /// Greatest relative difference of a rank.
    pub max_rank_error: f64,
}

impl Table for ExactThresholds {
    const NAME: &'static str = "exact";
}

/// The gate.
#[derive(Debug)]
pub struct Exact;

impl Gate for Exact {
    fn title(&self) -> &'static str {
        "equality with the canonical comparator"
    }

    fn profiles(&self) -> &'static [Profile] {
        &[Profile::Parity]
    }

    fn needs(&self, _: Profile) -> &'static [Need] {
        &[Need::Answers, Need::Maps, Need::WideBudget]
    }

    fn plots(&self) -> Vec<PlotSpec> {
        vec![PlotSpec::bar("Share of equal layers")]
    }

    fn judge(&self, protocol: &Protocol) -> Result<Box<dyn Judge>, ProtocolError> {
        Ok(Box::new(protocol.table::<ExactThresholds>()?))
    }
}

impl Judge for ExactThresholds {
    fn case(&self, view: &CaseView, _: &mut Counts) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (budget, ours, theirs) in view.all() {
            let place = view.place(budget);
            cells.extend(exact(&place, ours, theirs, self));
            if view.case.no_map {
                cells.push(no_map(&place, ours, theirs));
            }
        }
        // Tags and edges are recorded once per chat state; a side that left them out has not been
        // compared.
        if let Some((budget, ours, theirs)) = view.first()
            && !(has_graph(ours) && has_graph(theirs))
        {
            let why = "tags or edges were not recorded";
            cells.push(view.place(budget).not_run(GATE, "graph", why));
        }
        cells
    }
}

/// True if files, tags and, where there was a ranking, edges were recorded.
fn has_graph(layers: &Layers) -> bool {
    let edges = layers.ranking.as_ref().is_none_or(|ranking| ranking.edges.is_some());
    layers.tracked.is_some() && layers.tags.is_some() && edges
}

/// The cells of one case.
pub fn exact(
    place: &Place,
    ours: &Layers,
    theirs: &Layers,
    thresholds: &ExactThresholds,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    let least = (Bound::AtLeast, thresholds.min_equal_share);
    let mut equal = |metric: &str, (equal, total): (usize, usize), note: String| {
        let share = (total > 0).then(|| equal as f64 / total as f64);
        let mut cell = place.judged(GATE, metric, share, least, total);
        if equal < total {
            cell.note = note;
        }
        cells.push(cell);
    };
    if let (Some(ours), Some(theirs)) = (&ours.tracked, &theirs.tracked) {
        equal("files", share_of_lists(ours, theirs), first_difference(ours, theirs));
    }
    if let (Some(ours), Some(theirs)) = (&ours.tags, &theirs.tags) {
        let (counts, note) = tags(ours, theirs);
        equal("tags", counts, note);
    }
    let mentions = |layers: &Layers| {
        [layers.last.mentioned_fnames.clone(), layers.last.mentioned_idents.clone()].concat()
    };
    let context = |layers: &Layers| {
        let mut context = vec![
            format!("{} attempts", layers.attempts()),
            format!("target {:?}", layers.last.target_tokens),
            format!("chat {:?}", layers.last.chat_files),
        ];
        context.extend(mentions(layers));
        context
    };
    let (our_context, their_context) = (context(ours), context(theirs));
    equal(
        "context",
        share_of_lists(&our_context, &their_context),
        first_difference(&our_context, &their_context),
    );
    let (counts, note) = attempts::earlier(ours, theirs, thresholds.max_rank_error);
    equal("attempts", counts, note);
    equal(
        "search",
        share_of_lists(&ours.last.probes(), &theirs.last.probes()),
        first_difference(&ours.last.search, &theirs.last.search),
    );
    let same_text = usize::from(ours.text == theirs.text);
    let (our_lines, their_lines): (Vec<_>, Vec<_>) =
        (ours.text.split('\n').collect(), theirs.text.split('\n').collect());
    equal("text", (same_text, 1), first_difference(&our_lines, &their_lines));

    match (&ours.ranking, &theirs.ranking) {
        (Some(our_ranking), Some(their_ranking)) => {
            let probed = theirs.largest_probe().max(ours.largest_probe());
            let cut = |entries: &[PrefitEntry]| entries.get(..probed).unwrap_or(entries).to_vec();
            let (our_cut, their_cut) = (cut(&our_ranking.prefit), cut(&their_ranking.prefit));
            equal(
                "prefit",
                share_of_lists(&our_cut, &their_cut),
                first_difference(&our_cut, &their_cut),
            );
            let personal = |ranking: &RankingLayers| {
                let weights = ranking.personalization.iter();
                weights.map(|(file, weight)| (file.clone(), *weight)).collect::<Vec<_>>()
            };
            let (ours, theirs) = (personal(our_ranking), personal(their_ranking));
            equal(
                "personalization",
                share_of_lists(&ours, &theirs),
                first_difference(&ours, &theirs),
            );
            if let (Some(ours), Some(theirs)) = (&our_ranking.edges, &their_ranking.edges) {
                let (counts, note) = edges::compare(ours, theirs);
                equal("edges", counts, note);
            }
            cells.push(ranks(place, our_ranking, their_ranking, thresholds));
        }
        (None, None) => {}
        _ => cells.push(place.not_run(GATE, "prefit", "only one side recorded a ranking")),
    }
    cells
}

/// The cell of a case that must end without a map: the share of the two sides that have none.
pub fn no_map(place: &Place, ours: &Layers, theirs: &Layers) -> Cell {
    let empty = [ours, theirs].iter().filter(|layers| layers.text.is_empty()).count();
    place.judged(GATE, "no_map", Some(empty as f64 / 2.0), (Bound::AtLeast, 1.0), 2)
}

/// Counts files whose tag lists are equal, files known to one side only included.
fn tags(
    ours: &BTreeMap<String, Vec<Tag>>,
    theirs: &BTreeMap<String, Vec<Tag>>,
) -> ((usize, usize), String) {
    let mut files: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
    files.sort_unstable();
    files.dedup();
    // That no file has a tag is a finding, too.
    if files.is_empty() {
        return ((1, 1), String::new());
    }
    let none = Vec::new();
    let differing: Vec<&&String> = files
        .iter()
        .filter(|file| ours.get(**file).unwrap_or(&none) != theirs.get(**file).unwrap_or(&none))
        .collect();
    let note = differing.first().map_or_else(String::new, |file| {
        let (ours, theirs) =
            (ours.get(**file).unwrap_or(&none), theirs.get(**file).unwrap_or(&none));
        format!("{file}: {}", first_difference(ours, theirs))
    });
    ((files.len() - differing.len(), files.len()), note)
}

/// The cell of the ranks: one sample each.
fn ranks(
    place: &Place,
    ours: &RankingLayers,
    theirs: &RankingLayers,
    thresholds: &ExactThresholds,
) -> Cell {
    let (worst, note) = rank_error(ours, theirs);
    let samples = ours.file_ranks.len() + ours.definition_ranks.len();
    let bound = (Bound::AtMost, thresholds.max_rank_error);
    // A repository without an edge has no rank; both sides agreeing on that is one sample.
    let mut cell = place.judged(GATE, "ranks", Some(worst), bound, samples.max(1));
    if worst > thresholds.max_rank_error {
        cell.note = note;
    }
    cell
}

/// The greatest relative difference over all file and definition ranks, and where it is. A rank that only one
/// side has is an infinite difference, which exceeds every threshold.
fn rank_error(ours: &RankingLayers, theirs: &RankingLayers) -> (f64, String) {
    let keyed = |ranking: &RankingLayers| {
        let files = ranking.file_ranks.iter().map(|(file, rank)| ((file.clone(), None), *rank));
        let definitions = ranking
            .definition_ranks
            .iter()
            .map(|(file, ident, rank)| ((file.clone(), Some(ident.clone())), *rank));
        files.chain(definitions).collect::<BTreeMap<_, _>>()
    };
    let (ours, theirs) = (keyed(ours), keyed(theirs));
    let mut worst = 0.0_f64;
    let mut place = String::new();
    for key in ours.keys().chain(theirs.keys()) {
        let error = match (ours.get(key), theirs.get(key)) {
            (Some(ours), Some(theirs)) if ours == theirs => 0.0,
            (Some(ours), Some(theirs)) => (ours - theirs).abs() / theirs.abs(),
            _ => f64::MAX,
        };
        if error > worst || error.is_nan() {
            worst = if error.is_finite() { error } else { f64::MAX };
            place = format!("{key:?}");
        }
    }
    (worst, place)
}
